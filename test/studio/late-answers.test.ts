import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { chromiumPath, testBrowser } from '../support/browser.ts'
import { heldFlow } from '../support/held-flow.ts'
import { paragraphLines, writePdf } from '../support/pdf-writer.ts'
import { form, makePlatform } from '../support/platform.ts'
import { startProviderServer } from '../support/provider-server.ts'
import { openStudio } from '../support/studio.ts'
import { untilEqual } from '../support/until.ts'

/* What the studio shows where answers come later than what is told by a stream, or two things are under way at once. */

const executable = chromiumPath()

if (executable === undefined) {
  test('the studio shows the newest state when an older answer comes late', (t) => {
    assert.notEqual(process.env.CI, 'true', 'no Chromium is there: tools/provide.sh installs one')
    t.skip('no Chromium is installed (tools/provide.sh)')
  })
} else {
  const platform = await makePlatform()
  const provider = await startProviderServer()
  const browser = await testBrowser(executable)
  after(() => void provider.close())
  const held = await heldFlow(platform.manage, provider, 'Held')

  type JobRow = { id: string; state: string }
  const idle = () => platform.manage('GET', '/api/v1/jobs/events?until=idle')
  const jobOf = async (flow: string) =>
    (await platform.manage<{ data: JobRow[] }>('GET', `/api/v1/jobs?flowId=${flow}&limit=1`)).body.data[0]!
  /** Starts a job that runs until the provider is released. */
  const startJob = async (text: string): Promise<string> => {
    provider.hold(0)
    const body = form({ 'held.txt': text })
    const { status } = await platform.call('POST', `/api/v1/vector/upsert/${held}?async=true`, { body })
    assert.equal(status, 202)
    await untilEqual(async () => (await jobOf(held)).state, 'running')
    return (await jobOf(held)).id
  }
  const gate = () => Promise.withResolvers<void>()
  const text = (name: string, content: string | Uint8Array) => ({
    name,
    mimeType: '',
    buffer: Buffer.from(content),
  })
  const BINARY = Uint8Array.from({ length: 300 }, (_, at) => (at * 37) % 256)
  const frames = (tab: Page) =>
    tab.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))')

  test('the jobs screen shows the end of a job that is told while the list and the job are on their way, or before the stream is open', async () => {
    const { tab, complaints, close } = await openStudio(browser, platform, { path: '/keys' })
    await tab.getByRole('heading', { name: 'Keys', exact: true }).waitFor()
    const state = (id: string, name: string) =>
      tab
        .getByRole('table', { name: 'Jobs' })
        .locator('tr', { has: tab.locator(`a[href*="${id}"]`) })
        .getByText(name, { exact: true })
        .waitFor()

    const first = await startJob('The harbour is open.')
    const [told, readList, readJob] = [gate(), gate(), gate()]
    const older = (read: PromiseWithResolvers<void>) => async (route: Route) => {
      const response = await route.fetch()
      read.resolve()
      await told.promise
      await route.fulfill({ response })
    }
    await tab.route(/\/api\/v1\/jobs\?/, older(readList))
    await tab.route(new RegExp(`/api/v1/jobs/${first}$`), older(readJob))
    const [stats, stream] = [/\/api\/v1\/stats/, /\/jobs\/events$/].map((one) => tab.waitForResponse(one))
    await tab.goto(`${platform.url}/jobs?job=${first}`)
    await Promise.all([stats, stream, readList.promise, readJob.promise])
    // The page reads the figures again when it hears of the end.
    const heard = tab.waitForRequest(/\/api\/v1\/stats/)
    provider.release()
    await heard
    told.resolve()
    await state(first, 'done')
    await tab.getByRole('region', { name: 'Job', exact: true }).getByText(/^Done/).waitFor()
    await tab.unrouteAll({ behavior: 'wait' })

    const second = await startJob('The harbour is closed.')
    const opened = gate()
    await tab.route(/\/jobs\/events$/, async (route) => {
      await opened.promise
      await route.continue()
    })
    await tab.goto(`${platform.url}/jobs`)
    await state(second, 'running')
    provider.release()
    await idle()
    opened.resolve()
    await state(second, 'done')
    assert.deepEqual(complaints, [])
    await close()
  })

  test('the files of a job are those of its latest attempt', async () => {
    const flow = await platform.flow({ name: 'Locked' })
    const lines = paragraphLines(['Apples are red.'])
    await platform.upload(flow, {
      'alone.pdf': Uint8Array.from(writePdf([{ lines }], { password: 'winter' })),
    })
    const { id } = await jobOf(flow)
    const { tab, complaints, close } = await openStudio(browser, platform, { path: `/jobs?job=${id}` })
    const failed = tab.getByRole('region', { name: 'Failed files' })
    await failed.getByText(/protected by a password/).waitFor()
    await platform.manage('POST', `/api/v1/jobs/${id}/retry`, { password: 'summer' })
    await failed.getByText(/the password that was sent for it is wrong/).waitFor()
    assert.deepEqual(complaints, [])
    await close()
  })

  test('an upsert shows its record where the page finds it as its last upsert, and where its first answer is lost', async () => {
    const { tab, close } = await openStudio(browser, platform, { path: '/flows/quickstart' })
    const open = tab.getByRole('button', { name: 'Upsert', exact: true })
    const looked = gate()
    await tab.route(/\/api\/v1\/jobs\?.*kind=upsert/, async (route) => {
      await looked.promise
      await route.continue()
    })
    await tab.reload()
    const dialog = tab.getByRole('dialog')
    const record = dialog.getByRole('heading', { name: 'Upsert Record' })
    const upsert = async (content: string) => {
      await dialog.locator('input[type=file]').setInputFiles([text('tide.txt', content)])
      await dialog.getByRole('button', { name: 'Upsert 1 file' }).click()
      await record.waitFor()
    }
    await open.click()
    await upsert('The tide turns at six.')
    const found = tab.waitForResponse(/\/api\/v1\/jobs\/[^/?]+$/)
    looked.resolve()
    await (await found).finished()
    await frames(tab)
    assert.equal(await record.count(), 1)
    await tab.unrouteAll({ behavior: 'wait' })

    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await open.click()
    const json = {
      statusCode: 500,
      code: 'internal',
      success: false,
      message: 'The server failed',
      stack: {},
    }
    await tab.route(/\/api\/v1\/jobs\/[^/?]+$/, (route) => route.fulfill({ status: 500, json }), { times: 1 })
    await upsert('The tide turns at seven.')
    await close()
  })

  test('failed files cannot be tried twice at once: not after another one is forgotten, and not while an upsert is under way', async () => {
    const flow = await platform.flow({ name: 'Failing' })
    await platform.upload(flow, { 'fine.txt': 'A text.', 'sent.xyz': BINARY, 'other.xyz': BINARY })
    await platform.manage('PATCH', `/api/v1/chatflows/${flow}/settings`, { set: { originals: 'on' } })
    await platform.upload(flow, { 'fine.txt': 'A text.', 'kept.xyz': BINARY, 'gone.xyz': BINARY })
    const { tab, complaints, close } = await openStudio(browser, platform, {
      path: `/flows/${flow}/documents`,
    })
    const failed = tab.getByRole('region', { name: 'Failed files' })
    const button = (name: string) => failed.getByRole('button', { name, exact: true })
    const hold = async (address: RegExp) => {
      const release = gate()
      await tab.route(address, async (route) => {
        await release.promise
        await route.continue()
      })
      return release
    }

    const retry = await hold(/\/vector\/failed\/[^/]+\/retry$/)
    await button('Try again kept.xyz').click()
    await button('Forget gone.xyz').click()
    await button('Forget gone.xyz').waitFor({ state: 'detached' })
    assert.equal(await button('Try again kept.xyz').isDisabled(), true)
    retry.resolve()
    await tab.getByText('1 file failed again').first().waitFor()

    const upsert = await hold(/\/api\/v1\/vector\/upsert\//)
    const chooser = tab.waitForEvent('filechooser')
    await button('Try again… sent.xyz').click()
    await (await chooser).setFiles(text('any.txt', 'It is a text.'))
    await untilEqual(() => button('Try again… other.xyz').isDisabled(), true)
    upsert.resolve()
    await tab.getByRole('link', { name: 'sent.xyz' }).waitFor()
    await untilEqual(() => button('Try again… other.xyz').isDisabled(), false)
    assert.deepEqual(complaints, [])
    await close()
  })
}
