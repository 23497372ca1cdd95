import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { chromiumPath, testBrowser } from '../support/browser.ts'
import { makePlatform } from '../support/platform.ts'
import { openStudio, saved } from '../support/studio.ts'
import { untilEqual } from '../support/until.ts'

const executable = chromiumPath()

if (executable === undefined) {
  test('the list of flows creates, imports, copies, exports and deletes', (t) => {
    t.skip('no Chromium is installed (tools/provide.sh)')
  })
} else {
  const platform = await makePlatform({ OPENAI_API_KEY: 'k'.repeat(20) })
  const browser = await testBrowser(executable)
  const { tab, complaints, strangers, close } = await openStudio(browser, platform)
  after(close)
  const action = async (flow: string, name: string) => {
    await tab.getByRole('button', { name: `Actions for ${flow}`, exact: true }).click()
    await tab.getByRole('menuitem', { name, exact: true }).click()
  }

  test('the list of flows creates a flow from a template', async () => {
    await tab.getByRole('button', { name: 'New flow' }).click()
    const beginnings = tab.getByRole('dialog', { name: 'New flow' }).getByRole('radio')
    await beginnings
      .first()
      .and(tab.getByRole('radio', { name: /^Files to search/, checked: true }))
      .waitFor()
    await tab.getByText('PDF knowledge base').click()
    await tab.getByLabel('Name', { exact: true }).fill('Manuals')
    await tab.getByRole('button', { name: 'Create' }).click()
    await tab.locator('.react-flow__node').first().waitFor()
    await tab.waitForURL(/\/flows\/manuals$/)
    await saved(tab)
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
    await dialog.getByRole('heading', { name: 'Event Agent: ready to use' }).waitFor()
    await dialog.getByText('Worth knowing').click()
    await dialog.getByText(/model › credential: It has no credential \(openAIApi\)/).waitFor()
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
  })

  test('a flow that was deleted in the list comes back by Undo, or from the deleted flows, with its chunks [flows:undo]', async () => {
    await platform.upload('quickstart', { 'ferry.txt': 'The ferry to Bergen leaves at noon.' })
    const row = (name: string) => tab.getByRole('row', { name: new RegExp(`^${name}`) })
    const remove = async () => {
      await action('Quickstart', 'Delete')
      const dialog = tab.getByRole('dialog', { name: 'Delete Quickstart?' })
      await dialog.getByText('With it go 1 chunk of 1 document').waitFor()
      await dialog.getByRole('button', { name: 'Delete' }).click()
      await dialog.waitFor({ state: 'detached' })
      await row('Quickstart').waitFor({ state: 'detached' })
    }
    await tab.reload()
    await remove()
    await tab.getByRole('button', { name: 'Undo' }).click()
    await row('Quickstart').getByText('1', { exact: true }).first().waitFor()

    await remove()
    const again = await platform.manage('POST', '/api/v1/chatflows', {
      name: 'Quickstart',
      template: 'quickstart',
    })
    assert.equal(again.status, 200)
    await tab.getByRole('button', { name: 'Deleted' }).click()
    await tab.getByRole('heading', { name: 'Deleted flows' }).waitFor()
    await tab.waitForURL(/deleted=true/)
    const waiting = tab.getByRole('listitem').filter({ hasText: 'Quickstart' })
    await waiting.getByText('1 chunk, 1 document').waitFor()
    await waiting.getByRole('button', { name: 'Restore' }).click()
    const dialog = tab.getByRole('dialog', { name: 'Another flow has the slug quickstart by now' })
    await dialog.getByLabel('Slug').fill('quickstart-of-old')
    await dialog.getByRole('button', { name: 'Restore' }).click()
    await dialog.waitFor({ state: 'detached' })
    await waiting.waitFor({ state: 'detached' })
    const { body } = await platform.query('quickstart-of-old', { query: 'ferry' })
    assert.equal(body.docs.length, 1)

    // The copy that was deleted before is removed for good.
    await tab.getByRole('button', { name: 'Remove now' }).click()
    await tab.getByRole('button', { name: 'Remove for good' }).click()
    await tab.getByText('No flow was deleted in the last thirty days').waitFor()
    await tab.getByRole('button', { name: 'All flows' }).click()
  })

  test('the list of flows keeps search and order in its address', async () => {
    const names = () => tab.getByRole('rowheader').locator('a').allTextContents()
    await tab.getByLabel('Search flows').fill('quick')
    // Each change goes on from what is drawn.
    await tab.getByRole('row', { name: /Manuals/ }).waitFor({ state: 'detached' })
    await tab.getByRole('columnheader', { name: 'Name' }).getByRole('button').click()
    await tab.locator('th[aria-sort=ascending]', { hasText: 'Name' }).waitFor()
    await tab.getByRole('columnheader', { name: 'Chunks' }).getByRole('button').click()
    await tab.waitForURL(/q=quick&sort=chunks/)
    await tab.reload()
    await tab.getByRole('row', { name: /quickstart-of-old/ }).waitFor()
    await untilEqual(() => tab.getByLabel('Search flows').inputValue(), 'quick')
    await untilEqual(async () => (await names()).length, 2)
    await tab.getByLabel('Search flows').fill('no such flow')
    await tab.getByRole('button', { name: 'Show all 4 flows' }).click()
    await tab.getByRole('row', { name: /Manuals/ }).waitFor()
  })

  test('a search that is typed on while its first letters go into the address loses no letter', async () => {
    const field = tab.getByLabel('Search flows')
    await tab.evaluate(`(() => {
      const replace = history.replaceState
      history.replaceState = (...given) => {
        history.replaceState = replace
        replace.apply(history, given)
        document.execCommand('insertText', false, 'start')
      }
    })()`)
    await field.pressSequentially('quick')
    await tab.waitForURL(/q=quickstart/)
    assert.equal(await field.inputValue(), 'quickstart')
    await field.fill('')
    await tab.getByRole('row', { name: /Manuals/ }).waitFor()
  })

  test('each template makes a flow without problems; one that needs an address asks for it', async () => {
    for (const [template, question] of [
      ['Files to search'],
      ['PDF knowledge base'],
      ['Web site', 'URL'],
      ['Event agent with request tools'],
      ['Agent with an OpenAPI toolkit', 'OpenAPI Link'],
      ['Agent flow'],
    ] as const) {
      await tab.getByRole('button', { name: 'New flow' }).click()
      const dialog = tab.getByRole('dialog', { name: 'New flow' })
      await dialog.getByText(template, { exact: true }).click()
      await dialog.getByLabel('Name', { exact: true }).fill(`Made of ${template}`)
      if (question) await dialog.getByLabel(question).fill('https://example.com/api.json')
      await dialog.getByRole('button', { name: 'Create' }).click()
      await tab.locator('.react-flow__node').first().waitFor()
      await tab.getByRole('link', { name: 'All flows' }).click()
      const row = tab.getByRole('row', { name: new RegExp(`^Made of ${template}`) })
      await row.getByText('No problems').waitFor()
    }
    assert.deepEqual(
      complaints.filter((line) => !/status of (400|409)/.test(line)),
      [],
    )
    assert.deepEqual(strangers, [])
  })
}
