import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chromiumPath, testBrowser } from '../support/browser.ts'
import { makePlatform } from '../support/platform.ts'
import { deck } from '../support/small-files.ts'
import { openStudio } from '../support/studio.ts'
import { untilEqual } from '../support/until.ts'
import { data, inline, row, workbook } from '../support/workbook.ts'

const executable = chromiumPath()

if (executable === undefined) {
  test('a document of a flow is shown', (t) => {
    t.skip('no Chromium is installed (tools/provide.sh)')
  })
} else {
  const platform = await makePlatform()
  const browser = await testBrowser(executable)
  const flow = await platform.flow({
    name: 'Harbour',
    overridable: ['files', 'chunkSize', 'chunkOverlap'],
    recordManager: { cleanup: 'incremental' },
  })
  const LINES = Array.from({ length: 120 }, (_, n) => `Berth ${n} takes ships of ${n * 3 + 40} metres.`)
  const small = { chunkSize: '60', chunkOverlap: '0' }
  await platform.upload(flow, { 'berths.txt': LINES.join('\n'), 'notes/ä b.txt': 'Tides are high.' }, small)
  const at = (path: string) => `/flows/${flow}/documents${path}`

  test('a document is its text beside its chunks: each selects the other, and the address names the chunk [studio:document]', async () => {
    const { tab, complaints, close } = await openStudio(browser, platform, { path: at('') })
    await tab.getByRole('link', { name: 'berths.txt' }).click()
    await tab.getByRole('heading', { name: 'berths.txt' }).waitFor()
    const text = tab.getByRole('region', { name: 'Text', exact: true })
    const chunks = tab.getByRole('region', { name: 'Chunks' })
    await text.getByText('Berth 7 takes').click()
    const selected = chunks.locator('li[data-selected=true]')
    await selected.getByText('Berth 7 takes ships of 61 metres.').waitFor()
    await selected.getByText('position').waitFor()
    await chunks.getByRole('button', { name: /Berth 9 takes/ }).click()
    const marked = text.locator('[data-selected=true]')
    await text.locator('[data-selected=true]', { hasText: 'Berth 9 takes' }).waitFor()
    await untilEqual(async () => (await marked.allInnerTexts()).join(''), 'Berth 9 takes ships of 67 metres.')

    // A link to a chunk on another page opens that page.
    const { body } = await platform.manage<{ data: { id: string; pageContent: string }[] }>(
      'GET',
      `/api/v1/vector/chunks/${flow}?source=berths.txt&limit=1000`,
    )
    const wanted = body.data.find(({ pageContent }) => pageContent.includes('Berth 101'))!
    await tab.goto(`${platform.url}${at('/berths.txt')}?chunk=${wanted.id}`)
    await selected.getByText('Berth 101 takes').waitFor()
    await tab.getByText('Page 3 of 3').waitFor()
    await tab.getByRole('button', { name: 'Previous page' }).click()
    await chunks.getByText('Berth 60 takes').waitFor()

    await tab.getByLabel('Search in the chunks').fill('ships of 100')
    await tab.getByText('1 chunk found').waitFor()
    await chunks.locator('mark', { hasText: 'ships of 100' }).waitFor()
    await chunks.getByRole('button', { name: /Berth 20 takes/ }).click()
    await text.getByText('Berth 20 takes').waitFor()
    assert.deepEqual(complaints, [])
    await close()
  })

  test('a document of a flow that keeps files is downloaded as it was sent', async () => {
    await platform.manage('PATCH', `/api/v1/chatflows/${flow}/settings`, { set: { originals: 'on' } })
    await platform.upload(flow, { 'kept.txt': 'Words that are kept.' })
    const { tab, complaints, close } = await openStudio(browser, platform, { path: at('/kept.txt') })
    const download = tab.waitForEvent('download')
    await tab.getByRole('link', { name: 'File' }).click()
    const file = await (await download).createReadStream()
    assert.equal(Buffer.concat(await file.toArray()).toString(), 'Words that are kept.')
    assert.equal((await download).suggestedFilename(), 'kept.txt')
    assert.deepEqual(complaints, [])
    await close()
  })

  test('a document tells what was left out of it, and each row leads to its place [studio:document:dropped]', async () => {
    const slides = Array.from({ length: 70 }, (_, n) => ({ text: `Slide ${n + 1} is about tides.` }))
    const talk = deck(...slides.slice(0, 59), { ...slides[59]!, pictures: 2 }, ...slides.slice(60))
    const hidden = Object.fromEntries(
      Array.from({ length: 8 }, (_, n) => [`Secret ${n}`, { content: '', state: 'hidden' }]),
    )
    const herbs = Uint8Array.from(workbook({ Herbs: data(row(inline('sage'))), ...hidden }))
    await platform.upload(flow, { 'talk.pptx': talk, 'herbs.xlsx': herbs })
    const { tab, complaints, close } = await openStudio(browser, platform, { path: at('/talk.pptx') })
    const leftOut = tab.getByRole('region', { name: 'Left out of the text' })
    const text = tab.getByRole('region', { name: 'Text', exact: true })
    await text.getByText('Slide 1 is about tides.').waitFor()
    await leftOut.getByRole('button', { name: '2 pictures on page 60' }).click()
    await text.locator('[data-selected=true]', { hasText: 'Slide 60 is' }).waitFor()
    await tab
      .getByRole('region', { name: 'Chunks' })
      .locator('li[data-selected=true]', { hasText: 'Slide 60 is' })
      .waitFor()
    await tab.waitForURL(/chunk=/)
    assert.doesNotMatch(tab.url(), /[?&]at=/)

    // What has no place in the text is told without a link; many rows are shown when asked for.
    await tab.goto(`${platform.url}${at('/herbs.xlsx')}`)
    await leftOut.getByText('sheet Secret 3 is hidden').waitFor()
    assert.equal(await leftOut.getByText('sheet Secret 4 is hidden').count(), 0)
    await leftOut.getByRole('button', { name: 'Show 4 more' }).click()
    await leftOut.getByText('sheet Secret 7 is hidden').waitFor()
    assert.equal(await leftOut.getByRole('button').count(), 0)

    // Nothing is left out of a plain text.
    await tab.goto(`${platform.url}${at('/kept.txt')}`)
    await text.getByText('Words that are kept.').waitFor()
    assert.equal(await leftOut.count(), 0)
    assert.deepEqual(complaints, [])
    await close()
  })

  test('a document with chunks of an earlier version tells it, and shows one version at a time [sources:versions]', async () => {
    const stale = await platform.flow({
      ...{ name: 'Stale', overridable: ['files', 'chunkSize', 'chunkOverlap'] },
      recordManager: { cleanup: 'none' },
    })
    const price = (text: string) => ({
      'prices.txt': ['The ferry sails at noon.', text, 'Dogs travel free.'].join('\n\n'),
    })
    await platform.upload(stale, price('A ticket costs 10 crowns.'), { chunkSize: '30', chunkOverlap: '0' })
    await platform.upload(stale, price('A ticket costs as much as 12 crowns.'), {
      chunkSize: '40',
      chunkOverlap: '0',
    })
    const { tab, complaints, close } = await openStudio(browser, platform, {
      path: `/flows/${stale}/documents`,
    })
    await tab.getByRole('row', { name: /prices\.txt .* 4 1 outdated/ }).waitFor()
    await tab.getByRole('link', { name: 'prices.txt' }).click()
    const text = tab.getByRole('region', { name: 'Text', exact: true })
    const chunks = tab.getByRole('region', { name: 'Chunks' })
    await tab.getByText('1 chunk of an earlier version is still found').waitFor()
    await text.getByText('A ticket costs as much as 12 crowns.').waitFor()
    assert.doesNotMatch(`${await text.innerText()} ${await chunks.innerText()}`, /10 crowns/)

    const version = tab.getByLabel('Version')
    const earlier = await version.getByRole('option', { name: /1 chunk left/ }).getAttribute('value')
    await version.selectOption(earlier)
    await text.getByText('A ticket costs 10 crowns.').waitFor()
    await untilEqual(async () => (await chunks.getByRole('listitem').allInnerTexts()).length, 1)
    assert.doesNotMatch(`${await text.innerText()} ${await chunks.innerText()}`, /12 crowns/)
    await tab.reload()
    await text.getByText('A ticket costs 10 crowns.').waitFor()
    await version.selectOption('')
    await text.getByText('12 crowns').waitFor()

    // A link to a chunk that a search has found opens the version that has it.
    const { body } = await platform.manage<{ data: { id: string; outdatedAt: string | null }[] }>(
      'GET',
      `/api/v1/vector/chunks/${stale}?source=prices.txt`,
    )
    const old = body.data.find(({ outdatedAt }) => outdatedAt !== null)!
    await tab.goto(`${platform.url}/flows/${stale}/documents/prices.txt?chunk=${old.id}`)
    await text.locator('[data-selected=true]', { hasText: 'A ticket costs 10 crowns.' }).waitFor()
    assert.equal(await version.inputValue(), old.outdatedAt)

    await tab.goto(`${platform.url}/flows/${stale}/history`)
    await tab.getByText('1 outdated').waitFor()
    await tab.getByRole('table', { name: 'Upserts' }).getByRole('link').first().click()
    const record = tab.getByRole('region', { name: 'Upsert record' })
    await record.getByText('1 chunk of an earlier version of prices.txt stays and is still found').waitFor()
    await record.getByText('1 chunk of an earlier version is still found').waitFor()
    assert.deepEqual(complaints, [])
    await close()
  })

  test('a document whose name has a folder and letters of any language has an address of its own', async () => {
    const { tab, complaints, close } = await openStudio(browser, platform, { path: at('?search=notes') })
    await tab.getByRole('link', { name: 'notes/ä b.txt' }).click()
    await tab.getByRole('region', { name: 'Text', exact: true }).getByText('Tides are high.').waitFor()
    await tab.reload()
    await tab.getByRole('region', { name: 'Text', exact: true }).getByText('Tides are high.').waitFor()
    assert.deepEqual(complaints, [])
    await close()
  })
}
