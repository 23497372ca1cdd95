import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { chromiumPath, testBrowser } from '../support/browser.ts'
import { makePlatform } from '../support/platform.ts'
import { openStudio } from '../support/studio.ts'
import { untilEqual } from '../support/until.ts'
import { SCREENS } from './screens/all.ts'
import { NOTHING } from './screens/screen.ts'
import { seedStudio } from './screens/seed.ts'

/* What the studio says where the server fails, refuses, has lost what is asked for, does not answer, or has a newer version. */

const executable = chromiumPath()

type Refusal = { statusCode: number; code: string; message: string }

const FAILED: Refusal = { statusCode: 500, code: 'internal', message: 'The harbour is flooded' }
const GONE: Refusal = { statusCode: 404, code: 'flow_not_found', message: 'Chatflow harbour not found' }
const REFUSED: Refusal = {
  statusCode: 403,
  code: 'scope_missing',
  message: 'The API key has the scopes query; this needs the scope manage',
}

/** What else is said of a document store that is gone; of a document without a trace, nothing is. */
const GONE_STORE = 'There is no such document store'
const WITHOUT_TRACE = 'a document that cannot be followed'

/** What is read beside the first thing of a screen, and what is said where that fails. */
const PARTS: readonly (readonly [path: string, failing: RegExp, said: string, not?: RegExp])[] = [
  ['/keys', /\/api\/v1\/flows$/, 'The flows of the keys cannot be listed'],
  ['/credentials', /\/components-credentials$/, 'The kinds of credentials cannot be listed'],
  ['/jobs', /\/api\/v1\/stats/, 'The figures cannot be shown'],
  ['/flows/quickstart/compare', /\/revisions(\?|$)/, 'The revisions cannot be listed'],
  ['/flows/quickstart/questions', /\/api\/v1\/eval\//, 'The last run cannot be shown', /not asked yet/],
  ['/flows/quickstart/questions', /\/questions\/[^/]+\/feedback/, 'What visitors rated cannot be'],
  ['/document-stores/harbour-office', /\/api\/v1\/jobs\?/, 'The loads cannot be listed'],
  ['/flows/quickstart/documents', /\/vector\/failed\//, 'The failed files cannot be listed'],
  ['/flows/quickstart/documents/tea.md', /\/vector\/sources\/[^/]+\?/, FAILED.message],
  ['/flows/quickstart/configuration', /\/apikey$/, FAILED.message, /Loading/],
  ['/flows/quickstart/ask?view=search&q=rent', /\/questions\/[^/]+\?/, 'How the hits were judged cannot be'],
  ['/flows/quickstart/documents/tea.md', /\/text\?.*length=1(&|$)/, 'What was left out of the text cannot'],
  ['/flows/replies/ask?chat=seeded', /\/conversations(\?|$)/, 'The conversations cannot be'],
]

if (executable === undefined) {
  test('screens whose calls fail say why', (t) => {
    t.skip('no Chromium is installed (tools/provide.sh)')
  })
} else {
  const platform = await makePlatform()
  await seedStudio(platform)
  const browser = await testBrowser(executable)
  const { tab } = await openStudio(browser, platform)
  const main = tab.getByRole('main')
  const dialog = tab.getByRole('dialog')

  const refuse = (route: Route, refusal: Refusal) =>
    route.fulfill({ status: refusal.statusCode, json: { ...refusal, success: false, stack: {} } })
  /** Refuses calls until what it gives is called. */
  async function refuseAll(calls: RegExp, refusal: Refusal, method?: string): Promise<() => Promise<void>> {
    const handler = (route: Route) =>
      method === undefined || route.request().method() === method ? refuse(route, refusal) : route.fallback()
    await tab.route(calls, handler)
    return () => tab.unroute(calls, handler)
  }
  /** Presses all that try again, or loads the screen where nothing does. */
  async function again(): Promise<void> {
    const pressed = await tab.evaluate(`(() => {
      const buttons = [...document.querySelectorAll('[role=alert] button')]
      for (const button of buttons) button.click()
      return buttons.length
    })()`)
    if (pressed === 0) await tab.reload({ waitUntil: 'commit' })
  }
  const waitsNoMore = (page: Page) =>
    untilEqual(
      () =>
        page
          .getByRole('main')
          .getByText(/^(Loading|Searching).*…$/)
          .count(),
      0,
    )
  const menu = async (row: string, item: string) => {
    await tab.getByRole('button', { name: `Actions for ${row}`, exact: true }).click()
    await tab.getByRole('menuitem', { name: item, exact: true }).click()
  }
  const toast = (text: string | RegExp) => tab.getByRole('region', { name: 'Reports' }).getByText(text)
  const manage = async <Body>(method: string, path: string, body?: object): Promise<Body> => {
    const answer = await platform.manage<Body>(method, path, body)
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }

  for (const { name, path, failing } of SCREENS)
    if (failing)
      test(`${name}: what fails, is gone or is refused is said, and not that there is nothing; the next answer is shown [studio:try-again]`, async () => {
        let refusal = FAILED
        await tab.route(failing, (route) => refuse(route, refusal))
        await tab.goto(platform.url + path, { waitUntil: 'commit' })
        for (const next of [FAILED, GONE, REFUSED]) {
          if (next === GONE && name === WITHOUT_TRACE) continue
          if (next !== refusal) {
            refusal = next
            await again()
          }
          const said = main.getByText(next.message)
          await (next === GONE ? said.or(main.getByText(GONE_STORE)) : said).first().waitFor()
          await waitsNoMore(tab)
          const text = await main.innerText()
          if (!text.includes(GONE_STORE)) assert.doesNotMatch(text, NOTHING)
        }
        await tab.unrouteAll({ behavior: 'wait' })
        await again()
        await main.getByText(REFUSED.message).first().waitFor({ state: 'detached' })
        await waitsNoMore(tab)
        await untilEqual(() => main.getByRole('alert').count(), 0)
      })

  for (const [path, failing, said, not] of PARTS)
    test(`${path}: ${said}`, async () => {
      const end = await refuseAll(failing, FAILED)
      await tab.goto(platform.url + path, { waitUntil: 'commit' })
      const alert = main.getByRole('alert').filter({ hasText: said })
      await alert.getByText(FAILED.message).waitFor()
      if (not) assert.doesNotMatch(await main.innerText(), not)
      await end()
      await alert.getByRole('button', { name: 'Try again' }).click()
      await alert.waitFor({ state: 'detached' })
    })

  test('a job, an execution and a flow that are gone are named', async () => {
    for (const [path, said] of [
      ['/jobs?job=sunk', 'Job sunk not found'],
      ['/executions?open=sunk', 'Execution sunk not found'],
      ['/flows/sunk', 'Chatflow sunk not found'],
    ] as const) {
      await tab.goto(platform.url + path)
      await tab.getByText(said).waitFor()
    }
  })

  test('a credential that cannot be read says so in its form, which is not taken for one without values', async () => {
    const end = await refuseAll(/\/credentials\/[0-9a-f-]{36}$/, FAILED)
    await tab.goto(`${platform.url}/credentials`)
    await menu('Team account', 'Change')
    await dialog.getByText(FAILED.message).waitFor()
    assert.equal(await dialog.getByLabel('OpenAI API key', { exact: true }).count(), 0)
    await end()
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await dialog.getByRole('button', { name: 'Replace OpenAI API key' }).waitFor()
    assert.equal(await dialog.getByRole('button', { name: 'Save credential' }).isEnabled(), true)
  })

  test('what others have deleted is named when it is deleted here, and leaves the list', async () => {
    const { id } = await manage<{ id: string }>('POST', '/api/v1/variables', { name: 'wreck', value: 'x' })
    await tab.goto(`${platform.url}/variables`)
    const row = tab.getByRole('cell', { name: 'wreck', exact: true, includeHidden: true })
    await row.waitFor()
    await manage('DELETE', `/api/v1/variables/${id}`)
    await menu('wreck', 'Delete')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByText(`Variable ${id} not found`).waitFor()
    await row.waitFor({ state: 'detached' })
  })

  test('a form whose row others have changed is refused once, and keeps what was typed', async () => {
    const { id } = await manage<{ id: string }>('POST', '/api/v1/variables', { name: 'tide', value: 'low' })
    await tab.goto(`${platform.url}/variables`)
    await menu('tide', 'Change')
    await dialog.getByLabel('Value', { exact: true }).fill('mine')
    await manage('PUT', `/api/v1/variables/${id}`, { value: 'theirs' })
    const value = async () => (await manage<{ value: string }>('GET', `/api/v1/variables/${id}`)).value
    await dialog.getByRole('button', { name: 'Save variable' }).click()
    await dialog.getByText('This was changed elsewhere after you opened it').waitFor()
    assert.equal(await value(), 'theirs')
    assert.equal(await dialog.getByLabel('Value', { exact: true }).inputValue(), 'mine')
    // The list behind the form has it already.
    await tab.getByRole('cell', { name: 'theirs', includeHidden: true }).waitFor()
    await dialog.getByRole('button', { name: 'Save variable' }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await value(), 'mine')
  })

  test('a document store is renamed though its flow was saved elsewhere meanwhile', async () => {
    await tab.goto(`${platform.url}/document-stores`)
    await menu('Harbour office', 'Rename')
    await dialog.getByLabel('What it contains').fill('Ships and tides')
    await manage('PUT', '/api/v1/chatflows/harbour-office', { category: 'harbours' })
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    const stores = await manage<{ name: string; description: string }[]>(
      'GET',
      '/api/v1/document-store/store',
    )
    assert.equal(stores.find(({ name }) => name === 'Harbour office')?.description, 'Ships and tides')
  })

  test('a revision is restored after others have saved a newer one, once that one was seen', async () => {
    await tab.goto(`${platform.url}/flows/event-agent/revisions?n=1`)
    const list = tab.getByRole('region', { name: 'Revisions' })
    await list.getByText('Revision 2').waitFor()
    await manage('PUT', '/api/v1/chatflows/event-agent', { category: 'harbours' })
    await tab.getByRole('button', { name: 'Restore' }).click()
    await toast(/saved by others meanwhile.* restore again to replace it/).waitFor()
    await list.getByText('Revision 3').waitFor()
    await tab.getByRole('button', { name: 'Restore' }).click()
    await toast('Revision 1 is now revision 4').waitFor()
  })

  test('a name of a flow that was not saved stays in its box', async () => {
    await tab.goto(`${platform.url}/flows/blank`)
    const box = tab.getByLabel('Name of the flow')
    const end = await refuseAll(/\/api\/v1\/chatflows\/[^/?]+$/, FAILED, 'PUT')
    await box.fill('Blank as the sea')
    await box.press('Enter')
    await toast('Blank was not saved').waitFor()
    assert.equal(await box.inputValue(), 'Blank as the sea')
    await end()
    await box.focus()
    await box.press('Enter')
    await tab.getByRole('heading', { name: 'Blank as the sea', level: 1 }).waitFor()
  })

  test('documents that were not removed stay selected', async () => {
    const end = await refuseAll(/\/vector\/upsert\//, FAILED, 'DELETE')
    await tab.goto(`${platform.url}/flows/quickstart/documents`)
    await tab.getByRole('checkbox', { name: 'Select ferry.txt' }).check()
    await tab.getByRole('button', { name: 'Remove', exact: true }).click()
    await toast('ferry.txt cannot be removed').waitFor()
    await tab.getByText('1 document selected').waitFor()
    await end()
  })

  test('a comparison that is not cancelled says why', async () => {
    await tab.route(/\/api\/v1\/compare\/[^/]+\/[^/]+$/, async (route) => {
      const response = await route.fetch()
      const json = { ...((await response.json()) as object), state: 'running', outcome: null }
      await route.fulfill({ response, json })
    })
    await tab.goto(`${platform.url}/flows/quickstart/compare`)
    await tab.getByRole('region', { name: 'Progress' }).getByRole('button', { name: 'Cancel' }).click()
    await toast('It was not cancelled').waitFor()
    await toast(/has already ended: it is done/).waitFor()
    await tab.unrouteAll({ behavior: 'wait' })
  })

  test('a flow whose chunks others may use is not said to take them with it', async () => {
    const end = await refuseAll(/\/chatflows\/[^/]+\/settings$/, FAILED)
    await tab.goto(`${platform.url}/flows`)
    await menu('Quickstart', 'Delete')
    await dialog.getByText(/unless another flow uses them too/).waitFor()
    await end()
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await dialog.getByText(/unless another flow uses them too/).waitFor({ state: 'detached' })
    await dialog.getByText(/With it go .* chunks of/).waitFor()
  })

  test('a new flow is made once, however often it is asked for, and without templates too', async () => {
    const end = await refuseAll(/\/flow-templates$/, FAILED)
    await tab.goto(`${platform.url}/flows`)
    await tab.getByRole('button', { name: 'New flow' }).click()
    await dialog.getByText('The templates cannot be listed').waitFor()
    await dialog.getByLabel('Name', { exact: true }).fill('Only once')
    await dialog.getByRole('button', { name: 'Create' }).dblclick()
    await tab.getByRole('heading', { name: 'An empty canvas' }).waitFor()
    const flows = await manage<{ name: string }[]>('GET', '/api/v1/flows')
    assert.equal(flows.filter(({ name }) => name === 'Only once').length, 1)
    await end()
  })

  test('a page that opens while the server is away shows its screen once the server answers, without another sign-in', async () => {
    let isAway = true
    await tab.route(/\/healthz$|\/api\//, (route) => (isAway ? route.abort() : route.continue()))
    await tab.goto(`${platform.url}/variables`)
    await tab.getByText('The server does not answer').first().waitFor()
    isAway = false
    await tab.getByRole('cell', { name: 'city', exact: true }).waitFor()
    await tab.unrouteAll({ behavior: 'wait' })
  })

  test('a server that takes a request and does not answer is said, and what was asked is shown once it does', async () => {
    await tab.goto(`${platform.url}/variables`)
    await tab.getByRole('cell', { name: 'city', exact: true }).waitFor()
    const { promise, resolve } = Promise.withResolvers<void>()
    await tab.route(/\/healthz$|\/api\//, async (route) => {
      await promise
      await route.continue()
    })
    await tab.getByRole('link', { name: 'Keys', exact: true }).click()
    await main.getByText('Loading…').waitFor()
    await tab.getByText('The server does not answer').waitFor()
    resolve()
    await tab.getByText('The server does not answer').waitFor({ state: 'detached' })
    await tab.getByRole('cell', { name: 'website', exact: true }).waitFor()
    await tab.unrouteAll({ behavior: 'wait' })
  })
}
