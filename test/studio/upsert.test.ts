import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chromiumPath, testBrowser } from '../support/browser.ts'
import { makePlatform } from '../support/platform.ts'
import { dragNode, drawLine, openStudio } from '../support/studio.ts'
import { untilEqual } from '../support/until.ts'

const executable = chromiumPath()

if (executable === undefined) {
  test('the studio draws a flow and loads documents', (t) => {
    t.skip('no Chromium is installed (tools/provide.sh)')
  })
} else {
  const platform = await makePlatform()
  const browser = await testBrowser(executable)

  test('the flow editor shows a green button at the top right once a vector store is wired; it opens the upsert dialog and loads files [upsert:ui]', async () => {
    const { tab, complaints, strangers, close } = await openStudio(browser, platform)
    await tab.getByRole('heading', { name: 'Flows', exact: true }).waitFor()
    // The code must not stay in the address.
    await untilEqual(() => new URL(tab.url()).hash, '')

    await tab.getByRole('button', { name: 'New flow' }).click()
    await tab.getByText('Empty chat flow').click()
    await tab.getByLabel('Name', { exact: true }).fill('By hand')
    await tab.getByRole('button', { name: 'Create' }).click()
    await tab.getByRole('heading', { name: 'An empty canvas' }).waitFor()

    const upsert = tab.getByRole('button', { name: /^Upsert/ })
    await dragNode(tab, 'Built-in Vector Store', 560, 160)
    await dragNode(tab, 'File Loader', 300, 60)
    await dragNode(tab, 'Built-in Embeddings', 300, 320)
    await dragNode(tab, 'SQLite Record Manager', 300, 480)
    await dragNode(tab, 'Recursive Character Text Splitter', 130, 200)
    await tab.getByRole('button', { name: 'Close the inputs' }).click()
    await drawLine(tab, 'Recursive Character Text Splitter', 'File Loader', 'textSplitter')
    await drawLine(tab, 'Built-in Embeddings', 'Built-in Vector Store', 'embeddings')
    await drawLine(tab, 'SQLite Record Manager', 'Built-in Vector Store', 'recordManager')
    assert.equal(await upsert.count(), 0, 'the green button is there before a loader is plugged in')
    await drawLine(tab, 'File Loader', 'Built-in Vector Store', 'document')
    await upsert.waitFor()
    const button = (await upsert.boundingBox())!
    assert.ok(button.x + button.width > 1280 - 40 && button.y < 60, 'the button is not at the top right')

    await tab.locator('.react-flow__node[aria-label="SQLite Record Manager"]').click()
    await tab.getByText('Additional parameters').click()
    assert.equal(await tab.getByLabel('Cleanup', { exact: true }).inputValue(), 'incremental')

    await upsert.click()
    const dialog = tab.getByRole('dialog')
    await dialog.getByText('changes that are not saved').waitFor()
    await dialog.getByRole('button', { name: 'Save the flow' }).click()
    await dialog.getByText('changes that are not saved').waitFor({ state: 'detached' })
    for (const id of ['fileLoader_0', 'recursiveCharacterTextSplitter_0', 'builtInVectorStore_0'])
      await dialog.getByText(id, { exact: true }).waitFor()

    await dialog.getByRole('button', { name: 'Allow files' }).click()
    await dialog.locator('input[type=file]').setInputFiles([
      {
        name: 'ferry.txt',
        mimeType: 'text/plain',
        buffer: Buffer.from('The ferry to Bergen leaves at noon.'),
      },
      { name: 'tea.txt', mimeType: 'text/plain', buffer: Buffer.from('Tea is made of leaves.') },
    ])
    await dialog.getByRole('button', { name: 'Upsert 2 files' }).click()
    await dialog.getByRole('heading', { name: 'Upsert Record' }).waitFor()
    await untilEqual(() => counts(dialog), { Added: '2', Updated: '0', Skipped: '0', Deleted: '0' })
    await dialog.getByText('The ferry to Bergen leaves at noon.').waitFor()
    await dialog.getByRole('row', { name: /ferry\.txt indexed 1 1/ }).waitFor()

    // The same again, with one file changed, goes by what is there.
    await dialog.getByRole('button', { name: 'Load more' }).click()
    await dialog.locator('input[type=file]').setInputFiles([
      {
        name: 'ferry.txt',
        mimeType: 'text/plain',
        buffer: Buffer.from('The ferry to Bergen leaves at one.'),
      },
      { name: 'tea.txt', mimeType: 'text/plain', buffer: Buffer.from('Tea is made of leaves.') },
    ])
    await dialog.getByRole('button', { name: 'Upsert 2 files' }).click()
    await dialog.getByRole('heading', { name: 'Upsert Record' }).waitFor()
    await dialog.getByRole('row', { name: /tea\.txt unchanged/ }).waitFor()
    await untilEqual(() => counts(dialog), { Added: '1', Updated: '0', Skipped: '1', Deleted: '1' })
    await dialog.getByRole('button', { name: 'Done' }).click()

    const { body } = await platform.query('by-hand', { query: 'When does the ferry leave?' })
    assert.equal(body.docs[0]!.pageContent, 'The ferry to Bergen leaves at one.')
    assert.deepEqual(complaints, [])
    assert.deepEqual(strangers, [])
    await close()
  })
}

async function counts(dialog: import('playwright-core').Locator): Promise<Record<string, string>> {
  const pairs = await dialog
    .locator('dl > div')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((part) => part.textContent ?? '')))
  return Object.fromEntries(pairs) as Record<string, string>
}
