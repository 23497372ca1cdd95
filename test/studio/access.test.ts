import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { chromiumPath, testBrowser } from '../support/browser.ts'
import { ADMIN_KEY, makePlatform } from '../support/platform.ts'
import { openStudio, saved } from '../support/studio.ts'
import { untilEqual } from '../support/until.ts'

const executable = chromiumPath()

if (executable === undefined) {
  test('the studio configures flows and shows their requests', (t) => {
    t.skip('no Chromium is installed (tools/provide.sh)')
  })
} else {
  /** A provider that lists models to the right key, and refuses all others. */
  const RIGHT_KEY = 'sk-the-right-key-of-the-test-123456'
  const provider = createServer((request, response) => {
    const isRight = request.headers.authorization === `Bearer ${RIGHT_KEY}`
    const body = isRight
      ? { data: [{ id: 'model-one' }, { id: 'model-two' }] }
      : { error: { message: 'Incorrect API key provided' } }
    response.writeHead(isRight ? 200 : 401, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }).listen(0, '127.0.0.1')
  await once(provider, 'listening')
  after(() => provider.close().closeAllConnections())
  const providerUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`

  const platform = await makePlatform({ OPENAI_BASE_URL: providerUrl })
  const browser = await testBrowser(executable)
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-access-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const lines = Array.from({ length: 20 }, (_, at) => `Otters hold hands while they sleep (${at}).`)
  writeFileSync(path.join(folder, 'document.txt'), lines.join('\n'))

  type Stored = { apiConfig: string; chatbotConfig: string | null; apikeyid: string | null; flowData: string }
  const stored = async (flow: string) =>
    (await platform.manage<Stored>('GET', `/api/v1/chatflows/${flow}`)).body
  const flowFrom = async (name: string) =>
    (await platform.manage<{ slug: string }>('POST', '/api/v1/chatflows', { name, template: 'quickstart' }))
      .body.slug
  const save = async (tab: Page) => {
    await tab.getByRole('button', { name: 'Save the flow' }).click()
    await saved(tab)
  }
  /** Presses a button that says "Copied" for two seconds afterwards; the page itself looks for it, so that it is not missed. */
  const copy = async (tab: Page, name: string) => {
    const copied = tab.evaluate(`new Promise((resolve) => {
      const look = () => [...document.querySelectorAll('button')].some((one) => one.textContent === 'Copied')
        ? resolve() : requestAnimationFrame(look)
      look()
    })`)
    await tab.getByRole('button', { name, exact: true }).click()
    await copied
  }
  const clipboard = (tab: Page) => tab.evaluate<string>('navigator.clipboard.readText()')
  const bash = async (text: string, environment: Record<string, string> = {}) =>
    (
      await promisify(execFile)('bash', ['-c', text], {
        cwd: folder,
        env: { PATH: process.env.PATH, ...environment },
      })
    ).stdout
  const menu = async (tab: Page, row: string, item: string) => {
    await tab.getByRole('button', { name: `Actions for ${row}`, exact: true }).click()
    await tab.getByRole('menuitem', { name: item, exact: true }).click()
  }

  test('an override is allowed in Configuration, and the copied cURL command takes effect with it [studio:overrides]', async () => {
    const slug = await flowFrom('Copied')
    await platform.manage('PATCH', `/api/v1/chatflows/${slug}/settings`, {
      set: { 'override.chunkSize': 'off' },
    })
    const { tab, complaints, close } = await openStudio(browser, platform, { path: `/flows/${slug}/api` })
    await tab.getByText(/not allowed$/).click()
    await tab.getByRole('link', { name: 'Allow Chunk Size', exact: true }).click()
    const size = tab.getByRole('switch', { name: 'Chunk Size of Sluice Text Splitter' })
    await untilEqual(() => size.isChecked(), false)
    await size.click()
    await save(tab)
    await tab.getByRole('link', { name: 'API', exact: true }).click()
    await tab.getByRole('checkbox', { name: /^Chunk Size/ }).check()
    await tab.getByLabel('Value of Chunk Size').fill('100')
    await tab.getByRole('checkbox', { name: /^Chunk Overlap/ }).check()
    await tab.getByLabel('Value of Chunk Overlap').fill('0')
    await tab.getByText('chunkOverlap=0').waitFor()
    await copy(tab, 'Copy')
    const command = await clipboard(tab)
    assert.match(command, /^curl .*\n.*files=@document\.txt.*\n.*chunkSize=100/)
    type Upserted = { numAdded: number; warnings?: object[] }
    const { numAdded, warnings } = JSON.parse(await bash(command)) as Upserted
    // More than 800 characters in chunks of at most 100; with the size of the flow it would be one chunk.
    assert.ok(numAdded >= 8, String(numAdded))
    assert.deepEqual(warnings ?? [], [])

    // The address keeps the request: another person sees the same sample.
    await tab.waitForURL(/chunkSize.*100/)
    await tab.reload()
    await tab.getByText('chunkSize=100').waitFor()

    await tab.getByRole('radio', { name: 'Query', exact: true }).check()
    await tab.getByRole('textbox', { name: 'Query', exact: true }).fill('What do otters do?')
    await tab.getByRole('button', { name: 'Run', exact: true }).click()
    await tab.getByText(/^200 in \d+ ms$/).waitFor()
    await tab
      .getByRole('region', { name: 'Answer' })
      .getByText(/Otters hold hands/)
      .waitFor()
    assert.deepEqual(complaints, [])
    await close()
  })

  test('Configuration saves key, limit, origins, cleanup and chat window at once, and keeps them while other tabs of the flow are open', async () => {
    const slug = await flowFrom('Configured')
    const { tab, complaints, close } = await openStudio(browser, platform, {
      path: `/flows/${slug}/configuration`,
    })
    await tab.getByRole('switch', { name: 'Limit requests' }).click()
    await tab.getByLabel('Requests', { exact: true }).fill('7')
    await tab.getByLabel('Allowed origins').fill('https://a.example\nhttps://b.example')
    await tab.getByLabel('Cleanup', { exact: true }).selectOption('full')
    await tab.getByLabel('Welcome message').fill('Hello')
    await tab.getByLabel('Starter prompts').fill('When?\nWhere?')
    await tab.getByRole('switch', { name: 'Feedback' }).click()
    await tab.getByRole('switch', { name: 'Files for File Loader' }).click()
    await tab.getByRole('button', { name: 'New key' }).click()
    await tab.getByRole('button', { name: 'Make key' }).click()
    await tab.getByRole('button', { name: 'Done' }).click()
    await tab.getByRole('link', { name: 'Canvas', exact: true }).click()
    await tab.getByText('Unsaved changes').waitFor()
    await tab.getByRole('link', { name: 'Configuration', exact: true }).click()
    await save(tab)
    const { apiConfig, chatbotConfig, apikeyid, flowData } = await stored(slug)
    assert.partialDeepStrictEqual(JSON.parse(apiConfig), {
      rateLimit: { status: true, limitMax: 7, limitDuration: 60 },
    })
    assert.deepEqual(JSON.parse(chatbotConfig!), {
      allowedOrigins: ['https://a.example', 'https://b.example'],
      welcomeMessage: 'Hello',
      starterPrompts: { 0: { prompt: 'When?' }, 1: { prompt: 'Where?' } },
      chatFeedback: { status: true },
    })
    assert.match(apikeyid!, /^[0-9a-f-]{36}$/)
    assert.match(flowData, /"cleanup":"full"/)
    assert.equal((await platform.upload(slug, { 'a.txt': 'x' })).status, 401)
    const { body } = await platform.manage<{ total: number }>('GET', `/api/v1/chatflows/${slug}/revisions`)
    // The flow itself, and one save of everything.
    assert.equal(body.total, 2)
    assert.deepEqual(complaints, [])
    await close()
  })

  test('changes of Configuration are kept where another tab saved, where the session ends, and where the flow is left', async () => {
    const slug = await flowFrom('Kept')
    const first = await openStudio(browser, platform, { path: `/flows/${slug}/configuration` })
    const second = await openStudio(browser, platform, { path: `/flows/${slug}/configuration` })
    await first.tab.getByLabel('Title', { exact: true }).fill('From the first')
    await second.tab.getByLabel('Welcome message').fill('From the second')
    await save(first.tab)
    await second.tab.getByRole('button', { name: 'Save the flow' }).click()
    await second.tab.getByText('saved elsewhere meanwhile').waitFor()
    await second.tab.getByRole('button', { name: 'Save the merged flow' }).click()
    await saved(second.tab)
    assert.deepEqual(JSON.parse((await stored(slug)).chatbotConfig!), {
      title: 'From the first',
      welcomeMessage: 'From the second',
    })
    await untilEqual(() => second.tab.getByLabel('Title', { exact: true }).inputValue(), 'From the first')

    await second.tab.getByLabel('Error message').fill('Typed before the end')
    assert.equal((await platform.manage('DELETE', '/api/v1/session?everywhere=true')).status, 200)
    // The page may have noticed by itself: its dialog covers the button and hides it from roles.
    await second.tab
      .getByRole('button', { name: 'Save the flow', includeHidden: true })
      .dispatchEvent('click')
    await second.tab.getByRole('heading', { name: 'Sign in again' }).waitFor()
    await second.tab.getByLabel('Management key').fill(ADMIN_KEY)
    await second.tab.getByLabel('Management key').press('Enter')
    await second.tab.getByRole('heading', { name: 'Sign in again' }).waitFor({ state: 'detached' })
    await untilEqual(() => second.tab.getByLabel('Error message').inputValue(), 'Typed before the end')
    await second.tab.getByRole('link', { name: 'All flows' }).click()
    await second.tab.getByRole('button', { name: 'Save and leave' }).click()
    await second.tab.getByRole('heading', { name: 'Flows', exact: true }).waitFor()
    assert.match((await stored(slug)).chatbotConfig!, /Typed before the end/)
    await first.close()
    await second.close()
  })

  test('a credential is made, tested against the provider, used, and its deletion warns of the flow', async () => {
    const { tab, complaints, close } = await openStudio(browser, platform, { path: '/credentials' })
    await tab.getByRole('heading', { name: 'No credentials yet' }).waitFor()
    await tab.getByRole('button', { name: 'New credential' }).first().click()
    const dialog = tab.getByRole('dialog')
    await dialog.getByLabel('Kind').selectOption({ label: 'OpenAI API' })
    await dialog.getByLabel('Name', { exact: true }).fill('Ours')
    await dialog.getByLabel('OpenAI API key', { exact: true }).fill('sk-wrong-key-of-the-test-1234567')
    await dialog.getByRole('button', { name: 'Test', exact: true }).click()
    await dialog.getByText('It answered 401: Incorrect API key provided').waitFor()
    await dialog.getByRole('button', { name: 'Save credential' }).click()
    await tab.getByRole('cell', { name: 'Ours', exact: true }).waitFor()

    await menu(tab, 'Ours', 'Change')
    await dialog.getByRole('button', { name: 'Replace OpenAI API key' }).click()
    await dialog.getByLabel('OpenAI API key', { exact: true }).fill(RIGHT_KEY)
    await dialog.getByRole('button', { name: 'Save credential' }).click()
    await tab.getByRole('button', { name: 'Test Ours' }).click()
    await dialog.getByRole('button', { name: 'Test', exact: true }).click()
    await dialog.getByText('It accepts the credential and lists 2 models').waitFor()
    assert.ok(!(await tab.content()).includes(RIGHT_KEY))
    await dialog.getByRole('button', { name: 'Close' }).first().click()

    const template = 'pdf-knowledge-base'
    await platform.manage('POST', '/api/v1/chatflows', { name: 'Answers', template })
    const set = { credential: 'Ours' }
    assert.equal((await platform.manage('PATCH', '/api/v1/chatflows/answers/settings', { set })).status, 200)
    await tab.reload()
    await tab.getByRole('link', { name: 'Answers' }).waitFor()
    await menu(tab, 'Ours', 'Delete')
    await dialog.getByText('These flows use it and fail').waitFor()
    await dialog.getByRole('link', { name: 'Answers' }).waitFor()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await tab.getByRole('heading', { name: 'No credentials yet' }).waitFor()
    assert.deepEqual((await platform.manage('GET', '/api/v1/credentials')).body, [])
    assert.deepEqual(complaints, [])
    await close()
  })

  test('a key is made, copied, used, replaced and deleted', async () => {
    const slug = await flowFrom('Closed')
    await platform.upload(slug, { 'otters.txt': 'Otters swim.' })
    const { tab, complaints, close } = await openStudio(browser, platform, { path: '/keys' })
    await tab.getByRole('button', { name: 'New key' }).first().click()
    await tab.getByLabel('Name', { exact: true }).fill('website')
    await tab.getByRole('checkbox', { name: /^upsert/ }).uncheck()
    await tab.getByRole('button', { name: 'Make key' }).click()
    await copy(tab, 'Copy key')
    const key = await clipboard(tab)
    assert.match(key, /^sl_[\w-]{43}$/)
    await tab.getByRole('button', { name: 'Done' }).click()
    await tab.getByRole('cell', { name: 'query predict', exact: true }).waitFor()

    await tab.goto(`${platform.url}/flows/${slug}/configuration`)
    await tab.getByLabel('Required key').selectOption({ label: 'website (query, predict)' })
    await tab.getByText('May not load and delete documents').waitFor()
    await save(tab)
    await tab.goto(`${platform.url}/flows/${slug}/api?request=query&question=otters`)
    await tab.getByText('$SLUICE_KEY').waitFor()
    await copy(tab, 'Copy')
    const command = await clipboard(tab)
    assert.match(await bash(command, { SLUICE_KEY: key }), /Otters swim/)
    assert.match(await bash(command, { SLUICE_KEY: 'sl_wrong' }), /Unauthorized/)

    await tab.goto(`${platform.url}/keys`)
    await tab.getByRole('cell', { name: /just now|minute/ }).waitFor()
    await menu(tab, 'website', 'Replace')
    await tab.getByRole('button', { name: 'Replace the key' }).click()
    const next = await tab.getByLabel('Key', { exact: true }).inputValue()
    await tab.getByRole('button', { name: 'Done' }).click()
    assert.match(await bash(command, { SLUICE_KEY: key }), /Unauthorized/)
    assert.match(await bash(command, { SLUICE_KEY: next }), /Otters swim/)

    await menu(tab, 'website', 'Delete')
    const dialog = tab.getByRole('dialog', { name: 'Delete website?' })
    await dialog.getByText('These flows require it').waitFor()
    await dialog.getByRole('link', { name: 'Closed' }).waitFor()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.match(await bash(command, { SLUICE_KEY: next }), /Unauthorized/)
    assert.deepEqual(complaints, [])
    await close()
  })

  test('a duplicate needs the same key, and an import is closed until a key is chosen [flow:access-of-copies]', async () => {
    const { body: key } = await platform.manage<{ id: string }>('POST', '/api/v1/apikey', {
      keyName: 'guests',
    })
    const slug = await flowFrom('Guarded')
    await platform.manage('PUT', `/api/v1/chatflows/${slug}`, { apikeyid: key.id })
    const { tab, complaints, close } = await openStudio(browser, platform)
    await menu(tab, 'Guarded', 'Duplicate')
    await tab.getByText('Copy of Guarded was made, with the same key: guests').waitFor()
    assert.equal((await stored('copy-of-guarded')).apikeyid, key.id)
    const [download] = await Promise.all([tab.waitForEvent('download'), menu(tab, 'Guarded', 'Export')])
    await tab.getByText(/guarded\.json was saved without its API key/).waitFor()
    const file = await download.path()
    const importIt = async () => {
      await tab.getByRole('dialog').locator('input[type=file]').setInputFiles(file)
      await tab.getByRole('dialog', { name: 'Imported' }).waitFor()
    }

    await tab.getByRole('button', { name: 'Import' }).click()
    await importIt()
    await tab.getByText(/^It needed a key, .* nobody but managers can call it/).waitFor()
    await tab.getByRole('button', { name: 'Close', exact: true }).last().click()
    assert.equal((await stored('guarded-2')).apikeyid, 'closed')
    await tab
      .getByRole('row', { name: /guarded-2/ })
      .getByText('closed', { exact: true })
      .waitFor()

    await tab.getByRole('button', { name: 'Import' }).click()
    await tab.getByLabel('Required key').selectOption({ label: 'guests (upsert, query, predict)' })
    await importIt()
    await tab.getByText('Access: callers need the key guests').waitFor()
    assert.equal((await stored('guarded-3')).apikeyid, key.id)

    await tab.goto(`${platform.url}/flows/guarded-2/configuration`)
    await tab.getByText('The flow needs a key and has none yet').waitFor()
    await tab.getByLabel('Required key').selectOption({ label: 'guests (upsert, query, predict)' })
    await save(tab)
    assert.equal((await stored('guarded-2')).apikeyid, key.id)
    assert.deepEqual(complaints, [])
    await close()
  })

  test('a variable is made, changed and deleted, with the flows that use it', async () => {
    const { tab, complaints, close } = await openStudio(browser, platform, { path: '/variables' })
    const dialog = tab.getByRole('dialog')
    await tab.getByRole('button', { name: 'New variable' }).first().click()
    await dialog.getByLabel('Name', { exact: true }).fill('river')
    await dialog.getByLabel('Value', { exact: true }).fill('Aare')
    await dialog.getByRole('button', { name: 'Save variable' }).click()
    await tab.getByRole('cell', { name: 'Aare' }).waitFor()
    await menu(tab, 'river', 'Change')
    await dialog.getByLabel('Value comes from').selectOption('runtime')
    await dialog.getByRole('button', { name: 'Save variable' }).click()
    await tab.getByRole('cell', { name: 'SLUICE_VAR_river is not set' }).waitFor()
    const inputs = { text: 'The {{$vars.river}}' }
    await platform.manage('POST', '/api/v1/chatflows', {
      name: 'Rivers',
      flowData: {
        nodes: [{ id: 'p', data: { id: 'p', name: 'plainText', label: 'Text', inputs } }],
        edges: [],
      },
    })
    await tab.reload()
    await tab.getByRole('link', { name: 'Rivers' }).waitFor()
    await menu(tab, 'river', 'Delete')
    await dialog.getByText('These flows use it').waitFor()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await tab.getByRole('heading', { name: 'No variables yet' }).waitFor()
    assert.deepEqual(complaints, [])
    await close()
  })
}
