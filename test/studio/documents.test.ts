import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chromiumPath, testBrowser } from '../support/browser.ts'
import { makePlatform } from '../support/platform.ts'
import { openStudio } from '../support/studio.ts'

const executable = chromiumPath()

if (executable === undefined) {
  test('the documents of a flow are listed, removed and restored', (t) => {
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
  const many = Array.from({ length: 150 }, (_, n) => [`log-${String(n).padStart(3, '0')}.txt`, `Day ${n}.`])
  await platform.upload(flow, Object.fromEntries(many) as Record<string, string>, small)
  const at = (path: string) => `/flows/${flow}/documents${path}`

  test('the documents of a flow are found, sorted and paged over all of them, with all of it in the address', async () => {
    const { tab, complaints, close } = await openStudio(browser, platform, { path: at('') })
    const table = tab.getByRole('table', { name: 'Documents' })
    await tab.getByText('152 documents').waitFor()
    await table.getByRole('link', { name: 'berths.txt' }).waitFor()
    await tab.getByRole('button', { name: 'Next page' }).click()
    await table.getByRole('link', { name: 'log-149.txt' }).waitFor()
    await table.getByRole('button', { name: 'Chunks' }).click()
    await table.getByRole('link', { name: 'berths.txt' }).waitFor()
    await table.getByRole('row').nth(1).getByRole('link', { name: 'berths.txt' }).waitFor()
    await tab.getByLabel('Search documents').fill('LOG-14')
    await tab.getByText('10 documents').waitFor()
    await tab.waitForURL(/search=LOG-14/)
    await tab.reload()
    await tab.getByText('10 documents').waitFor()
    assert.deepEqual(complaints, [])
    await close()
  })

  test('documents are removed together and come back with one click; removed ones are listed', async () => {
    const { tab, complaints, close } = await openStudio(browser, platform, { path: at('?search=log-00') })
    await tab.getByText('10 documents').waitFor()
    await tab.getByRole('checkbox', { name: 'Select log-001.txt' }).check()
    await tab.getByRole('checkbox', { name: 'Select log-002.txt' }).check()
    const toolbar = tab.getByRole('toolbar', { name: 'Selected documents' })
    await toolbar.getByText('2 documents selected').waitFor()
    await toolbar.getByRole('button', { name: 'Remove' }).click()
    await tab.getByText('8 documents').waitFor()
    await tab.getByRole('button', { name: 'Undo' }).click()
    await tab.getByText('10 documents').waitFor()

    await tab.getByRole('checkbox', { name: 'Select log-003.txt' }).check()
    await toolbar.getByRole('button', { name: 'Remove' }).click()
    await tab.getByText('9 documents').waitFor()
    await tab.getByRole('button', { name: 'Removed', exact: true }).click()
    await tab.getByRole('button', { name: 'Restore log-003.txt' }).click()
    await tab.getByText('No removed documents').waitFor()
    await tab.getByRole('button', { name: 'All documents' }).click()
    await tab.getByText('152 documents').waitFor()
    assert.deepEqual(complaints, [])
    await close()
  })
}
