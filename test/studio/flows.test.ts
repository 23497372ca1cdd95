import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { chromiumPath, openBrowser } from '../support/browser.ts'
import { makePlatform } from '../support/platform.ts'
import { openStudio } from '../support/studio.ts'

const executable = chromiumPath()

if (executable === undefined) {
  test('the list of flows creates, imports, copies, exports and deletes', (t) => {
    assert.notEqual(process.env.CI, 'true', 'no Chromium is there: tools/provide.sh installs one')
    t.skip('no Chromium is installed (tools/provide.sh)')
  })
} else {
  const platform = await makePlatform()
  const browser = await openBrowser(executable)
  after(() => browser.close())
  const { tab, complaints, strangers, context } = await openStudio(browser, platform)
  after(() => context.close())
  const action = async (flow: string, name: string) => {
    await tab.getByRole('button', { name: `Actions for ${flow}`, exact: true }).click()
    await tab.getByRole('menuitem', { name, exact: true }).click()
  }

  test('the list of flows creates a flow from a template', async () => {
    await tab.getByRole('button', { name: 'New flow' }).click()
    await tab.getByText('PDF knowledge base').click()
    await tab.getByLabel('Name', { exact: true }).fill('Manuals')
    await tab.getByRole('button', { name: 'Create' }).click()
    await tab.locator('.react-flow__node').first().waitFor()
    assert.match(tab.url(), /\/flows\/manuals$/)
    await tab.getByText('Saved', { exact: true }).waitFor()
    await tab.getByRole('link', { name: 'All flows' }).click()
  })

  test('the list of flows imports an export, reports what it needs, and says why another file is refused', async () => {
    await tab.getByRole('button', { name: 'Import' }).click()
    const dialog = tab.getByRole('dialog')
    const give = (name: string, text: string | Buffer) =>
      dialog.locator('input[type=file]').setInputFiles({
        name,
        mimeType: 'application/json',
        buffer: Buffer.from(text),
      })
    await give('notes.json', 'no json')
    await dialog.getByText('notes.json: this is not JSON').waitFor()
    await give('other.json', '{"a": 1}')
    await dialog.getByRole('alert').getByText('other.json').waitFor()
    await give(
      'Event Agent Chatflow.json',
      readFileSync(new URL('../../examples/event-agent.json', import.meta.url)),
    )
    await dialog.getByRole('heading', { name: 'Event Agent: needs a few things' }).waitFor()
    await dialog.getByText(/model needs a credential/).waitFor()
    await dialog.getByRole('button', { name: 'Open Event Agent' }).click()
    await tab.locator('.react-flow__node').nth(7).waitFor()
    await tab.getByRole('link', { name: 'All flows' }).click()
  })

  test('the list of flows duplicates, exports and deletes a flow', async () => {
    await action('Manuals', 'Duplicate')
    await tab.getByRole('link', { name: /^Copy of Manuals/ }).waitFor()
    const [download] = await Promise.all([tab.waitForEvent('download'), action('Manuals', 'Export')])
    assert.equal(download.suggestedFilename(), 'manuals.json')
    const file = JSON.parse(readFileSync(await download.path(), 'utf8')) as { nodes: unknown[] }
    assert.ok(file.nodes.length > 3)
    await action('Copy of Manuals', 'Delete')
    await tab.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    // While the dialog is open, the page behind it has no roles: a link is gone only when the dialog is closed.
    await tab.getByRole('dialog', { name: 'Delete Copy of Manuals?' }).waitFor({ state: 'detached' })
    await tab.getByRole('link', { name: /^Copy of Manuals/ }).waitFor({ state: 'detached' })
    const left = await platform.manage<{ name: string }[]>('GET', '/api/v1/chatflows')
    assert.deepEqual(left.body.map(({ name }) => name).sort(), ['Event Agent', 'Manuals', 'Quickstart'])
    assert.deepEqual(
      complaints.filter((line) => !/status of 400/.test(line)),
      [],
    )
    assert.deepEqual(strangers, [])
  })
}
