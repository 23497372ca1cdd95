import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { readConfig } from '../../src/kit/config.ts'
import { quietLog } from '../../src/kit/log.ts'
import { startPlatform } from '../../src/main.ts'
import { chromiumPath, testBrowser } from '../support/browser.ts'
import { heldFlow, longText } from '../support/held-flow.ts'
import { ADMIN_KEY, form, makePlatform } from '../support/platform.ts'
import { startProviderServer } from '../support/provider-server.ts'
import { openStudio } from '../support/studio.ts'
import { until, untilEqual } from '../support/until.ts'

const executable = chromiumPath()

if (executable === undefined) {
  test('the studio previews, follows and lists upserts', (t) => {
    t.skip('no Chromium is installed (tools/provide.sh)')
  })
} else {
  const platform = await makePlatform()
  const provider = await startProviderServer()
  const browser = await testBrowser(executable)
  after(() => void provider.close())
  const held = await heldFlow(platform.manage, provider, 'Held')

  type JobRow = { id: string; state: string }
  const jobsOf = async (query: string) =>
    (await platform.manage<{ data: JobRow[]; total: number }>('GET', `/api/v1/jobs?${query}`)).body
  const chunks = async (flow = 'quickstart') =>
    (await platform.call<{ total: number }>('GET', `/api/v1/vector/chunks/${flow}`)).body.total
  const text = (name: string, content: string) => ({
    name,
    mimeType: 'text/plain',
    buffer: Buffer.from(content),
  })
  const openDialog = async (tab: Page): Promise<Locator> => {
    // While the job of an earlier test runs, the dialog shows its progress.
    await platform.manage('GET', '/api/v1/jobs/events?until=idle')
    await tab.getByRole('button', { name: 'Upsert', exact: true }).click()
    return tab.getByRole('dialog')
  }

  test('the upsert dialog previews an upsert, also with changes that are not saved, and stores nothing', async () => {
    await platform.upload('quickstart', { 'ferry.txt': 'The ferry leaves at noon.' })
    const before = await chunks()
    const { tab, complaints, close } = await openStudio(browser, platform, { path: '/flows/quickstart' })
    const dialog = await openDialog(tab)
    await dialog
      .locator('input[type=file]')
      .setInputFiles([
        text('ferry.txt', 'The ferry leaves at one.'),
        text('tea.txt', 'Tea is made of leaves.'),
        { name: 'damaged.pdf', mimeType: 'application/pdf', buffer: Buffer.from('this is no PDF') },
      ])
    await dialog.getByRole('button', { name: 'Preview' }).click()
    await dialog.getByRole('heading', { name: 'Preview', exact: true }).waitFor()
    await dialog.getByText('1 file cannot be loaded').waitFor()
    await dialog.getByText('Tokens to embed').waitFor()
    await dialog.getByRole('button', { name: 'ferry.txt 1 added, 1 deleted' }).click()
    const list = dialog.getByRole('list', { name: 'Chunks' })
    await list.getByText('The ferry leaves at one.').waitFor()
    await dialog.getByLabel('Fate of chunks').selectOption('deleted')
    await list.getByText('The ferry leaves at noon.').waitFor()
    await list.getByText('The ferry leaves at one.').waitFor({ state: 'detached' })
    await dialog.getByRole('button', { name: 'tea.txt 1 added' }).click()
    await list.getByText('Tea is made of leaves.').waitFor()
    assert.equal(await chunks(), before)

    // The files stay chosen; smaller chunks are previewed before they are saved.
    await dialog.getByRole('button', { name: 'Back' }).click()
    await dialog.getByRole('heading', { name: /^3 files/ }).waitFor()
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await tab.locator('.react-flow__node[aria-label^="Sluice Text"]').click()
    await tab.getByLabel('Chunk Size (characters)', { exact: true }).fill('12')
    await tab.getByLabel('Chunk Overlap (characters)', { exact: true }).fill('0')
    await tab.getByText('Unsaved changes').waitFor()
    const again = await openDialog(tab)
    await again.getByRole('button', { name: 'Preview' }).click()
    await again.getByText('with the changes that are not saved').waitFor()
    await again.getByRole('button', { name: 'tea.txt 2 added' }).waitFor()
    assert.ok(await again.getByRole('button', { name: 'Upsert', exact: true }).isDisabled())
    assert.equal(await chunks(), before)
    assert.deepEqual(complaints, [])
    await close()
  })

  test('an upsert after its preview has the same counts; its record shows each file and its chunks', async () => {
    const { tab, complaints, close } = await openStudio(browser, platform, { path: '/flows/quickstart' })
    const dialog = await openDialog(tab)
    await dialog
      .locator('input[type=file]')
      .setInputFiles([
        text('ferry.txt', 'The ferry leaves at two.'),
        text('many.txt', Array.from({ length: 1500 }, (_, i) => `Paragraph ${i} of many.`).join('\n\n')),
      ])
    await dialog.getByRole('button', { name: 'Preview' }).click()
    const added = dialog.locator('dl > div', { hasText: 'Added' }).locator('dd')
    await added.waitFor()
    const previewed = await added.textContent()
    await dialog.getByRole('button', { name: 'Upsert', exact: true }).click()
    await dialog.getByRole('heading', { name: 'Upsert Record' }).waitFor()
    await untilEqual(() => added.textContent(), previewed)
    await dialog.getByRole('button', { name: 'many.txt' }).click()
    const list = dialog.getByRole('list', { name: 'Chunks' })
    await list.getByText('Paragraph 0 of many.').waitFor()
    await dialog.getByRole('button', { name: 'Next page of chunks' }).click()
    await list.getByText('Paragraph 0 of many.').waitFor({ state: 'detached' })
    await dialog.getByLabel('Search files').fill('FERRY')
    await dialog.getByRole('row', { name: /many\.txt/ }).waitFor({ state: 'detached' })
    await dialog.getByRole('row', { name: /ferry\.txt indexed 1 1/ }).waitFor()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await tab.locator('.react-flow__node[aria-label="File Loader"]').getByText('2 files').waitFor()
    assert.deepEqual(complaints, [])
    await close()
  })

  test('the upsert dialog stays on the files when it is opened before the page has found the last upsert', async () => {
    await platform.upload('quickstart', { 'tide.txt': 'The tide turns at six.' })
    const { tab, complaints, close } = await openStudio(browser, platform, { path: '/flows/quickstart' })
    const { promise: release, resolve: answer } = Promise.withResolvers<void>()
    await tab.route(/\/api\/v1\/jobs\?.*kind=upsert/, async (route) => {
      await release
      await route.continue()
    })
    await tab.reload()
    const dialog = await openDialog(tab)
    await dialog.locator('input[type=file]').setInputFiles([text('tide.txt', 'The tide turns at seven.')])
    answer()
    const last = dialog.getByRole('button', { name: 'Last upsert' })
    await last.waitFor()
    await dialog.getByRole('heading', { name: /^1 file/ }).waitFor()
    await last.click()
    await dialog.getByRole('heading', { name: 'Upsert Record' }).waitFor()
    await dialog.getByRole('row', { name: /tide\.txt indexed/ }).waitFor()
    assert.deepEqual(complaints, [])
    await close()
  })

  test('an upsert that ends while its dialog is closed can show its record', async () => {
    const { tab, complaints, close } = await openStudio(browser, platform, { path: `/flows/${held}` })
    const dialog = await openDialog(tab)
    provider.hold(0)
    await dialog.locator('input[type=file]').setInputFiles([text('quay.txt', 'The quay is closed.')])
    await dialog.getByRole('button', { name: 'Upsert 1 file' }).click()
    await dialog.getByRole('button', { name: 'Cancel the upsert' }).waitFor()
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    provider.release()
    await tab.getByRole('button', { name: 'Show', exact: true }).click()
    await dialog.getByRole('heading', { name: 'Upsert Record' }).waitFor()
    await dialog.getByRole('row', { name: /quay\.txt indexed/ }).waitFor()
    assert.deepEqual(complaints, [])
    await close()
  })

  test('a long upsert shows its files and figures on the nodes, continues over a reload, and can be cancelled', async () => {
    const { tab, complaints, close } = await openStudio(browser, platform, { path: `/flows/${held}` })
    const before = await chunks(held)
    const dialog = await openDialog(tab)
    provider.hold(8)
    await dialog.locator('input[type=file]').setInputFiles([text('book.txt', longText('sea'))])
    await dialog.getByRole('button', { name: 'Upsert 1 file' }).click()
    await dialog.getByRole('row', { name: /book\.txt reading/ }).waitFor()
    await dialog.getByText(/about .* left/).waitFor()
    await tab.reload()
    await tab.getByRole('button', { name: /^Upserting/ }).waitFor()
    await tab
      .locator('.react-flow__node[data-id="builtInEmbeddings_0"]')
      .getByText(/embedded/)
      .waitFor()
    await tab.getByRole('button', { name: /^Upserting/ }).click()
    await tab
      .getByRole('dialog')
      .getByRole('row', { name: /book\.txt reading/ })
      .waitFor()
    await tab.getByRole('button', { name: 'Cancel the upsert' }).click()
    await tab.getByRole('heading', { name: 'Upsert cancelled' }).waitFor()
    provider.release()
    assert.equal(await chunks(held), before)
    assert.deepEqual(complaints, [])
    await close()
  })

  test('the history of a flow is paged, shows figures, and opens a record by its address', async () => {
    for (let i = 0; i < 26; i++) await platform.upload('quickstart', { 'counted.txt': `Version ${i}.` })
    // Each server has the times of its own queries.
    for (let times = 0; times < 2; times++) await platform.query('quickstart', { query: 'version' })
    const { body: rows } = await platform.manage<{ id: string; jobId: string }[]>(
      'GET',
      '/api/v1/upsert-history/quickstart',
    )
    const { tab, complaints, close } = await openStudio(browser, platform, {
      path: '/flows/quickstart/history',
    })
    const table = tab.getByRole('table', { name: 'Upserts' })
    await table.getByRole('row').nth(25).waitFor()
    await tab.getByRole('img', { name: /^Chunks after each upsert/ }).waitFor()
    await tab.getByRole('img', { name: /half of \d quer(y|ies) took/ }).waitFor()
    await tab.getByRole('button', { name: 'Next page of upserts' }).click()
    await table
      .getByRole('row')
      .nth(rows.length - 25)
      .waitFor()
    await table.getByRole('link').last().click()
    const record = tab.getByRole('region', { name: 'Upsert record' })
    await record.getByRole('row', { name: /ferry\.txt indexed/ }).waitFor()
    await untilEqual(() => new URL(tab.url()).searchParams.get('record'), rows.at(-1)!.id)
    await tab.goto(`${platform.url}/flows/quickstart/history?record=${rows[0]!.jobId}`)
    await record.getByRole('row', { name: /counted\.txt indexed/ }).waitFor()
    await record.getByText('sluiceTextSplitter_0').waitFor()
    assert.deepEqual(complaints, [])
    await close()
  })

  test('the jobs screen shows jobs as they change, filters, cancels and retries them', async () => {
    const { tab, complaints, close } = await openStudio(browser, platform, { path: '/jobs?state=running' })
    await tab.getByText('No job matches').waitFor()
    provider.hold(8)
    const started = await platform.call<{ jobId: string }>(
      'POST',
      `/api/v1/vector/upsert/${held}?async=true`,
      {
        body: form({ 'jobs.txt': longText('harbour') }),
      },
    )
    const cancel = tab.getByRole('button', { name: 'Cancel the upsert of Held' })
    await cancel.waitFor()
    await tab.getByRole('table', { name: 'Jobs' }).getByRole('link', { name: 'Held' }).click()
    const opened = tab.getByRole('region', { name: 'Job', exact: true })
    await opened.getByRole('row', { name: /jobs\.txt reading/ }).waitFor()
    await opened.getByText('fileLoader_0').waitFor()
    await cancel.first().click()
    await opened.getByRole('button', { name: 'Retry the upsert of Held' }).waitFor()
    await tab.getByLabel('State', { exact: true }).selectOption('cancelled')
    await tab
      .getByRole('table', { name: 'Jobs' })
      .getByRole('button', { name: 'Retry the upsert of Held' })
      .first()
      .click()
    await tab.getByLabel('State', { exact: true }).selectOption('running')
    await cancel.first().click()
    // The list says so as well while the job is not told to run yet.
    await until(
      async () => (await jobsOf('state=cancelled')).data.some(({ id }) => id === started.body.jobId),
      'the job is cancelled',
    )
    await tab.getByText('No job matches').waitFor()
    provider.release()
    assert.deepEqual(complaints, [])
    await close()
  })

  test('the jobs screen follows jobs again after the server was restarted', async () => {
    const first = await makePlatform({}, { embedded: true })
    assert.equal((await first.upload('quickstart', { 'early.txt': 'Before the restart.' })).status, 200)
    const { tab, close } = await openStudio(browser, first, { path: '/jobs?kind=upsert' })
    await tab.getByRole('table', { name: 'Jobs' }).waitFor()
    const { port } = new URL(first.url)
    await first.close()
    const directory = first.dataDirectory
    const flags = { PORT: port, DATA_DIR: directory, ADMIN_KEY }
    const second = await startPlatform(readConfig({ flags, environment: {}, directory }), quietLog)
    try {
      const response = await fetch(`${first.url}/api/v1/vector/upsert/quickstart`, {
        method: 'POST',
        body: form({ 'a-restart.txt': 'The server was restarted before this.', 'empty-one.txt': '' }),
      })
      assert.equal(response.status, 200)
      const { jobId } = (await response.json()) as { jobId: string }
      await tab.getByRole('table', { name: 'Jobs' }).locator(`a[href*="${jobId}"]`).first().waitFor()
    } finally {
      await close()
      await second.close()
    }
  })
}
