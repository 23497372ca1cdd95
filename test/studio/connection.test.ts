import assert from 'node:assert/strict'
import { once } from 'node:events'
import path from 'node:path'
import { after, test, type TestContext } from 'node:test'
import { chromiumPath, testBrowser } from '../support/browser.ts'
import { heldFlow, longText } from '../support/held-flow.ts'
import { launch, room, start } from '../support/program.ts'
import { startProviderServer } from '../support/provider-server.ts'
import { openStudio, saved } from '../support/studio.ts'

const executable = chromiumPath()
const KEY = 'the-management-key-of-the-connection'

if (executable === undefined) {
  test('the studio mends a lost connection by itself', (t) => {
    t.skip('no Chromium is installed (tools/provide.sh)')
  })
} else {
  const provider = await startProviderServer()
  const browser = await testBrowser(executable)
  after(() => void provider.close())

  /** A server that can be killed and started again on its port. */
  async function serve(t: TestContext) {
    const given = { directory: room(t), environment: { ADMIN_KEY: KEY } }
    const argv = ['start', '--data-dir', path.join(given.directory, 'data')]
    const first = await start(t, argv, given)
    const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
    const manage = async <Body>(method: string, address: string, body?: object) => {
      const response = await fetch(first.url + address, {
        method,
        headers: body ? headers : { authorization: headers.authorization },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      return { status: response.status, body: (await response.json()) as Body }
    }
    return {
      url: first.url,
      manage,
      async kill() {
        first.kill('SIGKILL')
        await first.ended
      },
      async startAgain() {
        const child = launch([...argv, '--port', new URL(first.url).port], given)
        t.after(async () => {
          child.kill('SIGKILL')
          await once(child, 'exit')
        })
        child.stderr!.resume()
        await once(child.stderr!, 'data')
      },
    }
  }

  test('a server that is gone is said quietly; when it is back, the flow is saved and the upsert goes on by themselves [studio:connection]', async (t) => {
    const server = await serve(t)
    const slug = await heldFlow(server.manage, provider, 'Held')
    provider.hold(4)
    const { tab, close } = await openStudio(browser, server, { path: `/flows/${slug}` })
    await tab.getByRole('button', { name: /^Upsert/ }).click()
    await tab
      .getByRole('dialog')
      .locator('input[type=file]')
      .setInputFiles({ name: 'book.txt', mimeType: 'text/plain', buffer: Buffer.from(longText('sea')) })
    await tab.getByRole('button', { name: 'Upsert 1 file' }).click()
    await tab.getByText('This goes on when you close the dialog').waitFor()
    await tab.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).first().click()

    await server.kill()
    await tab.locator('.react-flow__node[data-id="builtInVectorStore_0"]').click()
    await tab.getByLabel('Name of the node').fill('Kept')
    await tab.keyboard.press('Control+s')
    await tab.getByText('The server does not answer. The studio goes on by itself').waitFor()
    await tab.getByText('Unsaved changes', { exact: true }).waitFor()

    await server.startAgain()
    await tab.getByText('The studio goes on by itself').waitFor({ state: 'detached' })
    await saved(tab)
    const { body } = await server.manage<{ flowData: string }>('GET', '/api/v1/chatflows/held')
    assert.match(body.flowData, /"label":"Kept"/)
    // The job of the killed server goes on, and the studio follows it.
    await tab.getByRole('button', { name: /^Upserting/ }).click()
    provider.release()
    await tab.getByRole('heading', { name: 'Upsert Record' }).waitFor()
    await close()
  })
}
