import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chromiumPath, testBrowser } from '../support/browser.ts'
import { makePlatform } from '../support/platform.ts'
import { openStudio } from '../support/studio.ts'

const executable = chromiumPath()

if (executable === undefined) {
  test('the studio tells which documents were loaded with other settings', (t) => {
    assert.notEqual(process.env.CI, 'true', 'no Chromium is there: tools/provide.sh installs one')
    t.skip('no Chromium is installed (tools/provide.sh)')
  })
} else {
  const platform = await makePlatform()
  const browser = await testBrowser(executable)
  const flow = await platform.flow({
    name: 'Harbour',
    overridable: ['files'],
    splitter: { chunkSize: 1000, chunkOverlap: 0 },
    recordManager: { cleanup: 'incremental' },
  })
  const set = (settings: object) =>
    platform.manage('PATCH', `/api/v1/chatflows/${flow}/settings`, { set: settings })
  const text = Array.from({ length: 60 }, (_, n) => `Berth ${n} takes ships of ${n + 40} metres.`).join('\n')
  await platform.upload(flow, { 'sent before.txt': text })
  await set({ originals: 'on' })
  await platform.upload(flow, { 'berths.txt': text, 'tides.txt': text })

  test('a changed setting that is not loaded is told on canvas, documents and upsert dialog, and one click loads again [upsert:refresh]', async () => {
    const { tab, complaints, close } = await openStudio(browser, platform, { path: `/flows/${flow}` })
    const note = tab.getByRole('region', { name: 'Changed settings' })
    await tab.locator('.react-flow__node').first().waitFor()
    assert.equal(await note.count(), 0)

    await set({ chunkSize: 600 })
    await tab.reload()
    await note.getByText('Chunk Size 1000 → 600 is not in 3 loaded documents yet.').waitFor()
    await note.getByText('1 file not kept, to be sent again: sent before.txt.').waitFor()
    await tab.getByRole('button', { name: 'Upsert', exact: true }).click()
    const dialog = tab.getByRole('dialog')
    await dialog.getByText('Chunk Size 1000 → 600').waitFor()
    await dialog.getByRole('button', { name: 'Load again' }).waitFor()
    await tab.keyboard.press('Escape')

    await tab.getByRole('link', { name: 'Documents' }).click()
    await note.getByRole('button', { name: 'Load again' }).click()
    await tab.getByText(/Upsert done/).waitFor()
    // What is left is the file that the server has not kept.
    await note.getByText('Chunk Size 1000 → 600 is not in 1 loaded document yet.').waitFor()
    await note.getByRole('button', { name: 'Send the files' }).click()
    await dialog.getByText('sent before.txt').waitFor()
    assert.deepEqual(complaints, [])
    await close()
  })
}
