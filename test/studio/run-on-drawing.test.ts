import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { JsonObject } from '../../src/kit/json.ts'
import { chromiumPath, testBrowser } from '../support/browser.ts'
import { startChatServer } from '../support/chat-server.ts'
import { heldFlow, longText } from '../support/held-flow.ts'
import { ADMIN_KEY, form, makePlatform } from '../support/platform.ts'
import { startProviderServer } from '../support/provider-server.ts'
import { openStudio } from '../support/studio.ts'
import { drawToolAgent } from '../support/tool-agent.ts'
import { startToolServer } from '../support/tool-server.ts'
import { until, untilEqual } from '../support/until.ts'

const executable = chromiumPath()
const pictures = process.env.SLUICE_SCREENSHOTS
if (pictures) mkdirSync(pictures, { recursive: true })
const picture = async (tab: Page, name: string) => {
  if (pictures) await tab.screenshot({ path: path.join(pictures, `${name}.png`) })
}

if (executable === undefined) {
  test('the canvas shows a run', (t) => {
    t.skip('no Chromium is installed (tools/provide.sh)')
  })
} else {
  const [platform, chat, tools, provider, browser] = await Promise.all([
    makePlatform(),
    startChatServer(),
    startToolServer(),
    startProviderServer(),
    testBrowser(executable),
  ])
  after(() => {
    assert.deepEqual(chat.violations, [])
    chat.close()
    tools.close()
    provider.close()
  })
  const post = {
    requestsPostUrl: tools.url,
    requestsPostName: 'write_text',
    requestsPostDescription: 'Writes a text',
  }
  const drawn = drawToolAgent(chat.url, post)
  for (const [at, one] of drawn.nodes.entries())
    Object.assign(one, { position: { x: at < 3 ? 0 : 420, y: at < 3 ? at * 190 : 180 } })
  const made = await platform.manage<{ id: string }>('POST', '/api/v1/chatflows', {
    name: 'Writer',
    flowData: drawn,
  })
  assert.equal(made.status, 200, made.text)
  const flow = made.body.id
  const write = (note: string) => ({ calls: [{ name: 'write_text', input: { body: { note } } }] })
  const ask = (question: string) =>
    platform.manage<JsonObject>('POST', `/api/v1/prediction/${flow}`, { question, chatId: question })

  test('This run shows earlier runs on nodes and lines, steps through one, and does it again from a step, by keyboard [studio:run-on-drawing]', async () => {
    const { tab, complaints, strangers, close } = await openStudio(browser, platform, {
      path: `/flows/${flow}`,
    })
    await tab.getByRole('toolbar', { name: 'Canvas' }).waitFor()
    await tab.keyboard.press('r')
    const panel = tab.getByRole('region', { name: 'This run' })
    await panel.getByText('Load documents or ask the flow a question').waitFor()
    await picture(tab, 'run-none')

    chat.script(write('one'), { text: 'It is written.' })
    assert.equal((await ask('Write one')).status, 200)
    const choose = panel.getByRole('combobox', { name: 'Run' })
    await untilEqual(() => choose.getByRole('option', { name: /^Write one, done/ }).count(), 1)
    // By its id: its label says how long ago it was.
    const first = (await choose.getByRole('option', { name: /^Write one/ }).getAttribute('value'))!
    await choose.selectOption(first)
    await panel.getByText('3 steps in all').waitFor()
    const calls = tab.getByRole('button', { name: /^1 call: / })
    await calls.waitFor()
    await tab.getByText(/2 turns · \d+ tokens/).waitFor()
    await picture(tab, 'run-answer')
    await calls.focus()
    await tab.keyboard.press('Enter')
    const items = tab.getByRole('region', { name: 'Last items of the line' })
    await items.getByText(/write_text\(.*one/).waitFor()
    await items.getByText('call 1').waitFor()
    await picture(tab, 'run-line')
    await tab.keyboard.press('Escape')
    await items.waitFor({ state: 'detached' })

    await panel.focus()
    await tab.keyboard.press('Alt+ArrowRight')
    await panel.getByText('step 1 of 3').waitFor()
    await calls.waitFor({ state: 'detached' })
    await tab.keyboard.press('Alt+ArrowRight')
    await calls.waitFor()
    await panel.getByText('step 2 of 3').waitFor()

    await panel.locator('summary').nth(2).focus()
    await tab.keyboard.press('Enter')
    await panel.locator('details[open]').getByLabel('Another input of this step').fill('HTTP 403')
    chat.script({ text: 'It was refused.' })
    await panel.getByRole('button', { name: 'Run again from here' }).press('Enter')
    await untilEqual(() => choose.getByRole('option', { name: /^Write one, done/ }).count(), 2)
    // The list may have the new run before it is the one that is shown.
    await until(async () => (await choose.inputValue()) !== first, 'the new run is shown')
    await panel.locator('summary').nth(2).click()
    await panel.getByText('It was refused.').waitFor()
    assert.equal(tools.bodies.length, 1)
    await picture(tab, 'run-again')
    await tab.emulateMedia({ colorScheme: 'dark' })
    await picture(tab, 'run-again-dark')
    await tab.emulateMedia({ colorScheme: 'light' })
    await tab.keyboard.press('Escape')
    assert.deepEqual(complaints, [])
    assert.deepEqual(strangers, [])
    await close()
  })

  test('a run is saved as a file without secrets, which the studio opens on the canvas and beside the executions [studio:run-on-drawing]', async () => {
    chat.script({ text: 'Nothing.' })
    const { executionId } = (await ask('Anything')).body
    const { tab, complaints, close } = await openStudio(browser, platform, {
      path: `/flows/${flow}?run=${String(executionId)}`,
    })
    const panel = tab.getByRole('region', { name: 'This run' })
    await panel.getByText('1 step in all').waitFor()
    const saved = tab.waitForEvent('download')
    await panel.getByRole('button', { name: 'Share' }).click()
    const file = await (await saved).path()
    const record = JSON.parse(readFileSync(file, 'utf8')) as JsonObject
    assert.equal(record.format, 'sluice-run-1')

    await tab.goto(`${platform.url}/executions`)
    const picker = tab.locator('input[type=file]')
    await picker.setInputFiles({ name: 'run.json', mimeType: 'application/json', buffer: Buffer.from('{}') })
    const reports = tab.getByRole('region', { name: 'Reports' })
    await reports.getByText('run.json is not the record of a run').waitFor()
    await picker.setInputFiles({
      name: 'run.json',
      mimeType: 'application/json',
      buffer: readFileSync(file),
    })
    const view = tab.getByRole('complementary', { name: 'Run from a file' })
    await view.getByRole('heading', { name: 'Anything' }).waitFor()
    await view.locator('summary').first().click()
    await view.getByText('Nothing.', { exact: true }).first().waitFor()
    await picture(tab, 'run-file')
    assert.deepEqual(complaints, [])
    await close()
  })

  test('an upsert that runs stands on its nodes and lines by itself, and a record that is gone is told [studio:run-on-drawing]', async () => {
    const held = await heldFlow(platform.manage, provider, 'Held')
    provider.hold(2)
    const started = await platform.call<{ jobId: string }>(
      'POST',
      `/api/v1/vector/upsert/${held}?async=true`,
      {
        key: ADMIN_KEY,
        body: form({ 'sea.txt': longText('sea', 400) }),
      },
    )
    const { tab, complaints, close } = await openStudio(browser, platform, { path: `/flows/${held}` })
    await tab
      .getByRole('button', { name: /^\d[\d,]* chunks: .*Show the last ones/ })
      .first()
      .waitFor()
    const vectors = tab.getByRole('button', { name: /^\d+ vectors: / })
    await vectors.click()
    const items = tab.getByRole('region', { name: 'Last items of the line' })
    await items.getByText('On this line now').waitFor()
    await items
      .getByText(/characters into \d+ numbers/)
      .first()
      .waitFor()
    await picture(tab, 'run-upsert')
    await platform.manage('POST', `/api/v1/jobs/${started.body.jobId}/cancel`)
    provider.release()
    await items.getByText('On this line', { exact: true }).waitFor()
    await tab.keyboard.press('r')
    const search = tab.getByRole('searchbox', { name: 'Search and show the run' })
    await search.fill('sea')
    await search.press('Enter')
    await tab.getByRole('button', { name: /^1 question: / }).waitFor()
    await tab.goto(`${platform.url}/flows/${held}?run=gone`)
    await tab.getByText('There is no record of a run gone').waitFor()
    await picture(tab, 'run-gone')
    assert.deepEqual(
      complaints.filter((complaint) => !complaint.includes('404')),
      [],
    )
    await close()
  })
}
