import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chromiumPath, testBrowser } from '../support/browser.ts'
import { ADMIN_KEY, makePlatform } from '../support/platform.ts'
import { openStudio } from '../support/studio.ts'
import { untilEqual } from '../support/until.ts'

const executable = chromiumPath()

if (executable === undefined) {
  test('the studio signs in and out', (t) => {
    t.skip('no Chromium is installed (tools/provide.sh)')
  })
} else {
  const platform = await makePlatform()
  const browser = await testBrowser(executable)
  const endAll = async () =>
    assert.equal((await platform.manage('DELETE', '/api/v1/session?everywhere=true')).status, 200)

  test('a link signs in once; a second use says so, and a key signs in [studio:session]', async () => {
    const { body } = await platform.manage<{ code: string }>('POST', '/api/v1/session/codes')
    const address = `${platform.url}/flows?q=quick#sign-in=${body.code}`
    const first = await browser.newContext()
    const tab = await first.newPage()
    await tab.goto(address)
    await tab.getByRole('row', { name: /Quickstart/ }).waitFor()
    await untilEqual(() => tab.url(), `${platform.url}/flows?q=quick`)

    const second = await browser.newContext()
    const other = await second.newPage()
    await other.goto(address)
    await other
      .getByText('The sign-in link has been used already')
      .or(other.getByRole('alert'))
      .first()
      .waitFor()
    await other.getByLabel('Management key').fill(ADMIN_KEY)
    await other.getByRole('button', { name: 'Sign in' }).click()
    await other.getByRole('row', { name: /Quickstart/ }).waitFor()
    await other.reload()
    await other.getByRole('row', { name: /Quickstart/ }).waitFor()

    // Signing out everywhere in one browser ends the session of the other one.
    await other.getByRole('button', { name: 'Appearance and session' }).click()
    await other.getByRole('menuitem', { name: 'Sign out everywhere' }).click()
    await other.getByRole('heading', { name: 'Sign in again' }).waitFor()
    await tab.reload()
    await tab.getByRole('heading', { name: 'Sign in to Sluice' }).waitFor()
    await first.close()
    await second.close()
  })

  test('a session that ends while a dialog is open is renewed over it, and what was typed stays [studio:session]', async () => {
    const { tab, close } = await openStudio(browser, platform, { path: '/flows' })
    await tab.getByRole('button', { name: 'New flow' }).click()
    const dialog = tab.getByRole('dialog', { name: 'New flow' })
    await dialog.getByText('Web site', { exact: true }).click()
    await dialog.getByLabel('Name', { exact: true }).fill('Typed before the end')
    await dialog.getByLabel('URL').fill('https://example.com/typed')
    await endAll()
    await dialog.getByRole('button', { name: 'Create' }).click()
    await tab.getByRole('heading', { name: 'Sign in again' }).waitFor()
    await tab.getByLabel('Management key').fill(ADMIN_KEY)
    await tab.getByLabel('Management key').press('Enter')
    await tab.getByRole('heading', { name: 'Sign in again' }).waitFor({ state: 'detached' })
    await untilEqual(() => dialog.getByLabel('Name', { exact: true }).inputValue(), 'Typed before the end')
    await untilEqual(() => dialog.getByLabel('URL').inputValue(), 'https://example.com/typed')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await tab.locator('.react-flow__node').first().waitFor()
    const { body } = await platform.manage<{ flowData: string }>(
      'GET',
      '/api/v1/chatflows/typed-before-the-end',
    )
    assert.match(body.flowData, /example\.com\/typed/)
    await close()
  })

  test('the refusal of a request from before the sign-in, which comes late, does not end the session', async () => {
    const { tab, close } = await openStudio(browser, platform, { path: '/flows' })
    await tab.getByRole('button', { name: 'New flow' }).waitFor()
    const json = { statusCode: 401, code: 'unauthorized', success: false, message: 'Unauthorized', stack: {} }
    await tab.route(/\/api\/v1\/jobs\?/, (route) => route.fulfill({ status: 401, json }), { times: 1 })
    const looked = tab.waitForResponse((response) => response.url().endsWith('/api/v1/session'))
    await tab.getByRole('link', { name: 'Jobs', exact: true }).click()
    await (await looked).finished()
    await tab.evaluate(
      'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))',
    )
    assert.equal(await tab.getByRole('heading', { name: 'Sign in again' }).count(), 0)
    await close()
  })
}
