import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { node } from '../support/agent-drawing.ts'
import { chromiumPath, testBrowser } from '../support/browser.ts'
import { drawFlow, reference } from '../support/flow-drawing.ts'
import { makePlatform } from '../support/platform.ts'
import { deck } from '../support/small-files.ts'
import { openStudio } from '../support/studio.ts'
import { until, untilEqual } from '../support/until.ts'

const executable = chromiumPath()

if (executable === undefined) {
  test('a document shows where its words went', (t) => {
    t.skip('no Chromium is installed (tools/provide.sh)')
  })
} else {
  const platform = await makePlatform()
  const browser = await testBrowser(executable)
  const drawing = drawFlow({
    name: 'Traced',
    splitter: false,
    loaders: { fileLoader: { textSplitter: reference('characterTextSplitter_0') } },
    recordManager: { cleanup: 'incremental' },
    apiConfig: { originals: 'keep' },
  }) as { flowData: { nodes: object[] } }
  const cut = { chunkSize: 60, chunkOverlap: 0, separator: '\n***\n' }
  drawing.flowData.nodes.push(node('characterTextSplitter_0', cut, 'Text Splitters'))
  const { body } = await platform.manage<{ id: string }>('POST', '/api/v1/chatflows', drawing)
  const flow = body.id
  const berths = Array.from({ length: 80 }, (_, n) => `Berth ${n} takes ships of ${n * 3 + 40} metres.`)
  await platform.upload(flow, {
    'berths.txt': berths.join('\n***\n'),
    'whole.txt': 'One chunk has all of it.',
    'talk.pptx': deck({ text: 'Otters swim.' }, { text: 'Herons wait.', pictures: 2 }),
  })
  const at = (path: string) => `/flows/${flow}/documents/${path}`

  test('the head tells the share in no chunk, and shows only that; a row leads to its place in the text [studio:document:trace]', async () => {
    const { tab, complaints, close } = await openStudio(browser, platform, { path: at('berths.txt') })
    const share = tab.getByRole('button', { name: /^[\d.]+ % of the text is in no chunk$/ })
    await share.click()
    await tab.waitForURL(/missing=true/)
    const missing = tab.getByRole('region', { name: 'What is in no chunk' })
    // The address changes before the screen does.
    await untilEqual(() => missing.getByRole('listitem').count(), 79)
    await missing.getByText('The splitter leaves it out. 3 characters at').first().waitFor()
    await missing.getByRole('button', { name: 'Show its place' }).nth(60).click()
    const text = tab.getByRole('region', { name: 'Text', exact: true })
    await text.locator('[data-selected=true]', { hasText: 'Berth 61 takes' }).waitFor()
    const gap = text.locator('mark[data-reason=cut]')
    await gap.first().waitFor()
    assert.equal((await gap.first().innerText()).trim(), '***')
    assert.match((await gap.first().getAttribute('title')) ?? '', /The splitter leaves it out/)
    assert.deepEqual(complaints, [])
    await close()
  })

  test('a text that is all in chunks says so, and what the reader left out is at its place [studio:document:trace]', async () => {
    const { tab, complaints, close } = await openStudio(browser, platform, { path: at('whole.txt') })
    await tab.getByText('All of the text is in chunks').waitFor()
    assert.equal(await tab.getByRole('button', { name: /in chunks/ }).count(), 0)
    await tab.goto(`${platform.url}${at('talk.pptx')}`)
    await tab.getByRole('region', { name: 'Text', exact: true }).getByText('2 pictures on page 2').waitFor()
    await tab.getByRole('button', { name: 'All of the text is in chunks' }).click()
    const missing = tab.getByRole('region', { name: 'What is in no chunk' })
    await missing.getByText('Left out by the reader: 2 pictures on page 2').waitFor()
    assert.deepEqual(complaints, [])
    await close()
  })

  test('text and chunks scroll together, each leading the other [studio:document:trace]', async () => {
    const { tab, complaints, close } = await openStudio(browser, platform, { path: at('berths.txt') })
    const text = tab.getByRole('region', { name: 'Text', exact: true })
    const chunks = tab.getByRole('region', { name: 'Chunks' })
    await tab.setViewportSize({ width: 1100, height: 420 })
    await text.getByText('Berth 40 takes').waitFor()
    await chunks.getByText('Berth 40 takes').waitFor()
    const isSeen = (column: typeof text, words: string) =>
      column.getByText(words).evaluate((element) => {
        const [own, around] = [
          element.getBoundingClientRect(),
          element.closest('section')!.getBoundingClientRect(),
        ]
        return own.top < around.bottom && own.bottom > around.top
      })
    assert.equal(await isSeen(text, 'Berth 40 takes'), false)
    await chunks.hover()
    await chunks
      .getByText('Berth 40 takes')
      .evaluate((element) => element.scrollIntoView({ block: 'center' }))
    await until(async () => (await isSeen(text, 'Berth 40 takes')) || (await isSeen(text, 'Berth 38 takes')))
    await text.hover()
    await text.getByText('Berth 0 takes').evaluate((element) => element.scrollIntoView({ block: 'center' }))
    await until(() => isSeen(chunks, 'Berth 0 takes'))
    assert.deepEqual(complaints, [])
    await close()
  })

  test('the map leads to a place by click and by key [studio:document:trace]', async () => {
    const { tab, complaints, close } = await openStudio(browser, platform, { path: at('berths.txt') })
    const map = tab.getByRole('slider', { name: 'Map of the text' })
    const selected = tab.getByRole('region', { name: 'Chunks' }).locator('li[data-selected=true]')
    await map.focus()
    await map.press('End')
    await selected.getByText('Berth 79 takes').waitFor()
    await map.press('Home')
    await selected.getByText('Berth 0 takes').waitFor()
    assert.match((await map.getAttribute('aria-valuetext')) ?? '', /^line 1 of \d+, in /)
    const picture = (await map.locator('svg').boundingBox())!
    await tab.mouse.click(picture.x + 4, picture.y + picture.height - 2)
    await selected.getByText(/Berth 7\d takes/).waitFor()
    assert.deepEqual(complaints, [])
    await close()
  })

  test('a PDF stands beside its text and its chunks, and its page follows them [studio:document:trace]', async () => {
    const manual = new Uint8Array(
      readFileSync(new URL('../../examples/documents/safety-manual.pdf', import.meta.url)),
    )
    const paged = await platform.flow({
      loaders: { pdfFile: {} },
      splitter: { chunkSize: 200, chunkOverlap: 40 },
      recordManager: { cleanup: 'incremental' },
      apiConfig: { originals: 'keep' },
    })
    await platform.upload(paged, { 'manual.pdf': manual })
    const { tab, complaints, close } = await openStudio(browser, platform, {
      path: `/flows/${paged}/documents/manual.pdf`,
    })
    await tab.setViewportSize({ width: 1500, height: 700 })
    const page = tab.getByRole('region', { name: 'Page' })
    await page.locator('[data-page="1"] canvas').waitFor()
    await tab.getByRole('region', { name: 'Text', exact: true }).getByRole('button').first().waitFor()
    const chunks = tab.getByRole('region', { name: 'Chunks' })
    await chunks.hover()
    await chunks.evaluate((element) => element.scrollTo(0, element.scrollHeight))
    await page.locator('[data-page]:not([data-page="1"]) canvas').waitFor()
    assert.deepEqual(complaints, [])
    await close()
  })

  test('a document says what it does not know: its load, the settings of its load, its last failure [studio:document:trace]', async () => {
    const stale = await platform.flow({
      name: 'Stale',
      splitter: { chunkSize: 200, chunkOverlap: 0 },
      recordManager: { cleanup: 'incremental' },
    })
    await platform.upload(stale, { 'old.txt': 'Words of an old load.' })
    await platform.sql(`UPDATE sources SET gaps = NULL WHERE name = ?`, 'old.txt')
    const settings = { set: { chunkSize: 100 } }
    await platform.manage('PATCH', `/api/v1/chatflows/${stale}/settings`, settings)
    const { tab, complaints, close } = await openStudio(browser, platform, {
      path: `/flows/${stale}/documents/old.txt`,
    })
    await tab.getByText('Not known which words are in no chunk').waitFor()
    await tab.getByText('Loaded with other settings than the flow has now').waitFor()
    await tab.goto(`${platform.url}/flows/${stale}/documents/none.txt`)
    await tab.getByText('The flow has no document of this name').waitFor()
    assert.deepEqual(complaints, [])
    await close()
  })
}
