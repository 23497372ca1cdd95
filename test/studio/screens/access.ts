import type { Page } from 'playwright-core'
import type { Screen } from './screen.ts'

const failed = (tab: Page) => tab.getByRole('alert').first().waitFor()
const menu = async (tab: Page, row: string, item: string) => {
  await tab.getByRole('button', { name: `Actions for ${row}`, exact: true }).click()
  await tab.getByRole('menuitem', { name: item, exact: true }).click()
  await tab.getByRole('dialog').first().waitFor()
}

/** Show API, Configuration, credentials, variables, keys. */
export const accessScreens: Screen[] = [
  {
    name: 'API, upsert in Python',
    state: 'full',
    path: '/flows/quickstart/api?language=python',
    shown: (tab) => tab.getByText('import urllib.request').waitFor(),
  },
  {
    name: 'API, answer of a query',
    state: 'full',
    path: '/flows/quickstart/api?request=query',
    async shown(tab) {
      await tab.getByRole('textbox', { name: 'Query', exact: true }).fill('When does the ferry leave?')
      await tab.getByRole('button', { name: 'Run', exact: true }).click()
      await tab.getByText(/^200 in \d+ ms$/).waitFor()
    },
  },
  {
    name: 'API, a request that the flow does not take',
    state: 'empty',
    path: '/flows/quickstart/api?request=ask',
    shown: (tab) => tab.getByText('This flow does not take this request').waitFor(),
  },
  {
    name: 'API',
    state: 'error',
    path: '/flows/quickstart/api',
    failing: /\/requests$/,
    shown: failed,
  },
  {
    name: 'configuration',
    state: 'full',
    path: '/flows/quickstart/configuration',
    async shown(tab) {
      await tab.getByLabel('Chunk Size of Sluice Text Splitter').waitFor()
      await tab.getByLabel('Limit requests').click()
      await tab.getByText('Changes here take effect').waitFor()
    },
  },
  {
    name: 'configuration, a search without a hit',
    state: 'empty',
    path: '/flows/quickstart/configuration?search=nothing-like-it',
    shown: (tab) => tab.getByText('No input or node has').waitFor(),
  },
  {
    name: 'configuration',
    state: 'error',
    path: '/flows/quickstart/configuration',
    failing: /\/(requests|apikey)$/,
    shown: failed,
  },
  {
    name: 'credentials',
    state: 'full',
    path: '/credentials',
    shown: (tab) => tab.getByRole('cell', { name: 'Team account', exact: true }).waitFor(),
  },
  {
    name: 'credentials, a search without a hit',
    state: 'empty',
    path: '/credentials?search=nothing-like-it',
    shown: (tab) => tab.getByText('No credential has').waitFor(),
  },
  { name: 'credentials', state: 'error', path: '/credentials', failing: /\/credentials\?/, shown: failed },
  {
    name: 'changing a credential',
    state: 'full',
    path: '/credentials',
    async shown(tab) {
      await menu(tab, 'Team account', 'Change')
      await tab.getByRole('button', { name: 'Replace OpenAI API key' }).waitFor()
    },
  },
  {
    name: 'a test of a credential that the provider refuses',
    state: 'error',
    path: '/credentials',
    async shown(tab) {
      await tab.getByRole('button', { name: 'Test Team account' }).click()
      const dialog = tab.getByRole('dialog')
      await dialog.getByLabel('Address to test with').fill('http://127.0.0.1:1/v1')
      await dialog.getByRole('button', { name: 'Test', exact: true }).click()
      await dialog.getByRole('status').waitFor()
    },
  },
  {
    name: 'deleting a credential',
    state: 'full',
    path: '/credentials',
    shown: (tab) => menu(tab, 'Team account', 'Delete'),
  },
  {
    name: 'variables',
    state: 'full',
    path: '/variables',
    shown: (tab) => tab.getByRole('cell', { name: 'city', exact: true }).waitFor(),
  },
  {
    name: 'variables, a search without a hit',
    state: 'empty',
    path: '/variables?search=nothing-like-it',
    shown: (tab) => tab.getByText('No variable has').waitFor(),
  },
  { name: 'variables', state: 'error', path: '/variables', failing: /\/variables\?/, shown: failed },
  {
    name: 'a new variable',
    state: 'full',
    path: '/variables',
    async shown(tab) {
      await tab.getByRole('button', { name: 'New variable' }).click()
      await tab.getByLabel('Name', { exact: true }).fill('1 wrong name')
      await tab.getByText('not beginning with a digit').waitFor()
    },
  },
  {
    name: 'keys',
    state: 'full',
    path: '/keys',
    shown: (tab) => tab.getByRole('cell', { name: 'website', exact: true }).waitFor(),
  },
  {
    name: 'keys, a search without a hit',
    state: 'empty',
    path: '/keys?search=nothing-like-it',
    shown: (tab) => tab.getByText('No key has').waitFor(),
  },
  { name: 'keys', state: 'error', path: '/keys', failing: /\/apikey$/, shown: failed },
  {
    name: 'a new key',
    state: 'full',
    path: '/keys',
    async shown(tab) {
      await tab.getByRole('button', { name: 'New key' }).click()
      await tab.getByRole('dialog').getByText('Quickstart').waitFor()
    },
  },
  { name: 'deleting a key', state: 'full', path: '/keys', shown: (tab) => menu(tab, 'website', 'Delete') },
]
