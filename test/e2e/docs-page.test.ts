import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { chromiumPath, NO_BROWSER, openBrowser } from '../support/browser.ts'
import { makePlatform } from '../support/platform.ts'

const executable = chromiumPath()

if (executable === undefined) {
  test('/docs sends the requests that a reader fills in', { skip: NO_BROWSER })
} else {
  const platform = await makePlatform()
  const key = await platform.key({ scopes: ['query', 'upsert'] })
  const flow = await platform.flow({ loaders: { fileLoader: {} } })
  await platform.manage('PUT', `/api/v1/chatflows/${flow}`, { apikeyid: key.id })
  const loaded = await platform.call('POST', `/api/v1/vector/upsert/${flow}`, {
    key: key.apiKey,
    body: (() => {
      const form = new FormData()
      form.append('files', new Blob(['The ferry to Bergen leaves at noon.']), 'ferry.txt')
      return form
    })(),
  })
  assert.equal(loaded.status, 200, loaded.text)
  const browser = await openBrowser(executable)
  after(() => browser.close())

  test('/docs sends the requests that a reader fills in, under its content security policy, without an error', async () => {
    const tab = await browser.newPage({ viewport: { width: 1200, height: 900 } })
    const wrong: string[] = []
    tab.on('pageerror', (error) => wrong.push(error.message))
    tab.on('console', (message) => {
      if (message.type() !== 'log') wrong.push(`${message.text()} ${message.location().url}`)
    })
    await tab.addInitScript(`document.addEventListener('securitypolicyviolation', (event) =>
      console.error('violation of ' + event.violatedDirective + ' by ' + event.blockedURI))`)
    const page = await tab.goto(`${platform.url}/docs`)
    assert.match(page!.headers()['content-security-policy']!, /default-src 'none'/)

    const form = tab.locator('form[data-url="/api/v1/vector/query/{flowId}"][data-method="POST"]')
    await tab.locator('details', { has: form }).locator('summary').click()
    await form.locator('input[name="flowId"]').fill(flow)
    await form.locator('textarea').fill('{"query": "When does the ferry leave?"}')
    await tab.getByLabel('API key').fill(key.apiKey)
    await tab.getByLabel('API key').press('Enter')
    await form.getByRole('button', { name: 'Send' }).click()
    await form.getByText('leaves at noon').waitFor()
    assert.match((await form.locator('output').textContent())!, /^200/)

    const upsert = tab.locator('form[data-url="/api/v1/vector/upsert/{flowId}"][data-method="POST"]')
    await tab.locator('details', { has: upsert }).locator('summary').click()
    await upsert.locator('input[name="flowId"]').fill(flow)
    await upsert.locator('input[type="file"]').setInputFiles({
      name: 'tea.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('Tea is made of leaves.'),
    })
    await upsert.getByRole('button', { name: 'Send' }).click()
    await upsert.getByText('"numAdded": 1').waitFor()

    // An answer that refuses is shown as well; the browser itself writes a failed request to its console.
    assert.deepEqual(wrong, [])
    await tab.getByLabel('API key').fill('wrong')
    await form.getByRole('button', { name: 'Send' }).click()
    await form.getByText('key_invalid').waitFor()
    assert.ok(
      wrong.every((line) => /status of 401/.test(line)),
      wrong.join('\n'),
    )
  })
}
