import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { chromiumPath, testBrowser } from '../support/browser.ts'
import { makePlatform } from '../support/platform.ts'
import { misfits } from '../support/studio/fit.ts'
import { openStudio } from '../support/studio.ts'
import { untilEqual } from '../support/until.ts'

const executable = chromiumPath()

if (executable === undefined) {
  test('screens have titles, headings with the focus, and say what is wrong', (t) => {
    assert.notEqual(process.env.CI, 'true', 'no Chromium is there: tools/provide.sh installs one')
    t.skip('no Chromium is installed (tools/provide.sh)')
  })
} else {
  const [platform, browser] = await Promise.all([makePlatform(), testBrowser(executable)])
  await platform.upload('quickstart', { 'ferry.txt': 'The ferry leaves at noon.' })
  const focusedText = (tab: Page) => tab.evaluate('document.activeElement?.textContent')

  test('each screen has its title, and its heading has the focus after a navigation [studio:titles]', async () => {
    const { tab, complaints, close } = await openStudio(browser, platform)
    await untilEqual(() => tab.title(), 'Flows · Sluice')
    await tab.getByRole('link', { name: 'Jobs' }).click()
    await untilEqual(() => tab.title(), 'Jobs · Sluice')
    await untilEqual(() => focusedText(tab), 'Jobs')
    await tab.goto(`${platform.url}/flows/quickstart`)
    await untilEqual(() => tab.title(), 'Canvas · Quickstart · Sluice')
    await tab.getByRole('link', { name: 'Documents' }).click()
    await untilEqual(() => tab.title(), 'Documents · Quickstart · Sluice')
    await untilEqual(() => tab.evaluate('/^H[12]$/.test(document.activeElement?.tagName)'), true)
    await tab.getByRole('link', { name: 'Ask' }).click()
    await untilEqual(() => tab.title(), 'Ask · Quickstart · Sluice')
    await tab.goto(`${platform.url}/flows/quickstart/documents/ferry.txt`)
    await untilEqual(() => tab.title(), 'ferry.txt · Quickstart · Sluice')
    assert.deepEqual(complaints, [])
    await close()
  })

  test('at 390 px the navigation shows the present screen', async () => {
    const { tab, close } = await openStudio(browser, platform)
    await tab.getByRole('link', { name: /^Quickstart/ }).waitFor()
    await tab.setViewportSize({ width: 390, height: 800 })
    for (const [path, name] of [
      ['/keys', 'Keys'],
      ['/flows/quickstart/revisions', 'Revisions'],
    ] as const) {
      await tab.goto(platform.url + path)
      const link = tab.getByRole('link', { name, exact: true }).first()
      const inSight = async () => {
        const box = await link.boundingBox()
        return box !== null && box.x >= -1 && box.x + box.width <= 391
      }
      await untilEqual(inSight, true)
    }
    await close()
  })

  test('at a zoom of 200 % half of the height is for the content [studio:zoom]', async () => {
    const { tab, close } = await openStudio(browser, platform)
    await tab.getByRole('link', { name: /^Quickstart/ }).waitFor()
    await tab.setViewportSize({ width: 640, height: 400 })
    const tallest = `Math.max(...[...document.body.querySelectorAll('*')]
      .filter((one) => ['auto', 'scroll'].includes(getComputedStyle(one).overflowY))
      .map((one) => one.clientHeight))`
    for (const [path, shown] of [
      ['/flows', 'Quickstart'],
      ['/flows/quickstart/documents', 'ferry.txt'],
      ['/flows/quickstart/documents/ferry.txt', 'The ferry leaves'],
      ['/flows/quickstart/ask?q=ferry', 'ferry.txt'],
      ['/flows/quickstart/configuration', 'Rate limit'],
      ['/flows/quickstart/history', 'Upserts'],
    ] as const) {
      await tab.goto(platform.url + path)
      await tab.getByText(shown).first().waitFor()
      assert.ok(Number(await tab.evaluate(tallest)) >= 200, path)
      assert.deepEqual(await misfits(tab), [], path)
    }
    await close()
  })

  test('what could not be loaded is loaded by Try again [studio:try-again]', async () => {
    const { tab, close } = await openStudio(browser, platform)
    await tab.getByRole('link', { name: /^Quickstart/ }).waitFor()
    const body = {
      statusCode: 500,
      code: 'internal',
      success: false,
      message: 'The server failed',
      stack: {},
    }
    await tab.route(/\/api\/v1\/variables\?/, (route) => route.fulfill({ status: 500, json: body }))
    await tab.getByRole('link', { name: 'Variables' }).click()
    await tab.getByRole('alert').getByText('The server failed').waitFor()
    await tab.unrouteAll({ behavior: 'wait' })
    await tab.getByRole('button', { name: 'Try again' }).click()
    await tab.getByRole('alert').waitFor({ state: 'detached' })
    await close()
  })

  test('a preview orders its sources by chunks, and single files are taken out of the upsert [studio:preview-files]', async () => {
    const { tab, complaints, close } = await openStudio(browser, platform, { path: '/flows/quickstart' })
    await tab.getByRole('button', { name: 'Upsert', exact: true }).click()
    const dialog = tab.getByRole('dialog')
    const file = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
    const small = Array.from({ length: 11 }, (_, at) => file(`note-${at}.txt`, `Note number ${at}.`))
    await dialog
      .locator('input[type=file]')
      .setInputFiles([...small, file('long.txt', 'A sentence of a long text. '.repeat(200))])
    // With many files one is found by a part of its path.
    await dialog.getByLabel('Find a chosen file').fill('note-7')
    assert.equal(await dialog.getByRole('button', { name: /^Remove note-/ }).count(), 1)
    await dialog.getByRole('button', { name: 'Preview' }).click()
    const sources = dialog.getByRole('region', { name: 'Sources' }).getByRole('listitem')
    await sources.first().waitFor()
    await dialog.getByLabel('Order of sources').selectOption('chunks')
    await sources.first().getByText('long.txt').waitFor()
    await dialog.getByRole('button', { name: 'Take out long.txt' }).click()
    await dialog.getByText('1 file will not be loaded').waitFor()
    await dialog.getByRole('button', { name: 'Upsert 11 files' }).click()
    await dialog.getByText('note-7.txt').first().waitFor()
    await platform.manage('GET', '/api/v1/jobs/events?until=idle')
    const { body } = await platform.call<{ data: { source: string }[] }>(
      'GET',
      '/api/v1/vector/sources/quickstart',
    )
    assert.deepEqual(
      body.data.map(({ source }) => source).filter((source) => !source.startsWith('note-')),
      ['ferry.txt'],
    )
    assert.deepEqual(complaints, [])
    await close()
  })

  test('the upsert dialog says that the server is away, and that it is back [studio:server-away]', async () => {
    const { tab, close } = await openStudio(browser, platform, { path: '/flows/quickstart' })
    await tab.getByRole('button', { name: 'Upsert', exact: true }).click()
    const dialog = tab.getByRole('dialog')
    await dialog.locator('input[type=file]').setInputFiles([])
    await tab.context().setOffline(true)
    await dialog.getByText('The server does not answer. An upsert can begin once it answers').waitFor()
    await tab.context().setOffline(false)
    await dialog.getByText('The server does not answer').waitFor({ state: 'detached' })
    await close()
  })

  test('the limits of a key are set in its dialog, which shows what is used [studio:quotas]', async () => {
    const { tab, complaints, close } = await openStudio(browser, platform, { path: '/keys' })
    await tab.getByRole('button', { name: 'New key' }).first().click()
    const dialog = tab.getByRole('dialog')
    await dialog.getByLabel('Name', { exact: true }).fill('partner')
    await dialog.getByLabel('Questions a day').fill('many')
    await dialog.getByRole('button', { name: 'Make key' }).click()
    await dialog.getByText('Questions a day: many is no number above 0').waitFor()
    await dialog.getByLabel('Questions a day').fill('200')
    await dialog.getByLabel('Pins').fill('tenant=acme')
    await dialog.getByLabel('Chunks at the same time').fill('1000')
    await dialog.getByRole('button', { name: 'Make key' }).click()
    await tab.getByRole('heading', { name: 'The key partner' }).waitFor()
    type Row = { keyName: string; quotas: object }
    const { body } = await platform.manage<Row[]>('GET', '/api/v1/apikey')
    assert.deepEqual(body.find(({ keyName }) => keyName === 'partner')?.quotas, {
      chunks: 1000,
      questions: 200,
    })
    await tab.getByRole('button', { name: 'Done' }).click()
    await tab.getByRole('button', { name: 'Actions for partner' }).click()
    await tab.getByRole('menuitem', { name: 'Change' }).click()
    await dialog.getByText('0 used').first().waitFor()
    assert.equal(await dialog.getByLabel('Questions a day').inputValue(), '200')
    assert.deepEqual(complaints, [])
    await close()
  })
}
