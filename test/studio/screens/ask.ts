import type { Screen } from './screen.ts'

const FERRY = '/flows/quickstart/ask?view=search&q=When+does+the+ferry+leave'

export const askScreens: Screen[] = [
  {
    name: 'search',
    state: 'empty',
    path: '/flows/quickstart/ask',
    shown: (tab) => tab.getByRole('heading', { name: 'Ask the documents of this flow' }).waitFor(),
  },
  {
    name: 'search',
    state: 'full',
    path: '/flows/quickstart/ask?q=When+does+the+ferry+leave&topK=9&filter=%7B%22source%22%3A%7B%22%24exists%22%3Atrue%7D%7D',
    async shown(tab) {
      await tab.getByRole('article', { name: 'Chunk 1' }).waitFor()
      await tab.getByRole('combobox', { name: 'Test' }).waitFor()
    },
  },
  {
    name: 'search',
    state: 'error',
    path: '/flows/quickstart/ask?q=ferry',
    failing: /\/api\/v1\/vector\/query/,
    shown: (tab) => tab.getByText('The search failed').waitFor(),
  },
  {
    name: 'why a hit is first',
    state: 'full',
    path: `${FERRY}&hit=1&why`,
    shown: (tab) => tab.getByRole('heading', { name: 'Against hit 2' }).waitFor(),
  },
  {
    name: 'why a hit is first',
    state: 'empty',
    path: `${FERRY}&hit=99&why`,
    shown: (tab) => tab.getByText('The answer has no such hit.').waitFor(),
  },
  {
    name: 'cut off below, and where a document is',
    state: 'full',
    path: `${FERRY}&topK=1&expect=tea.md`,
    async shown(tab) {
      await tab.getByRole('button', { name: /^Show (the next|it)/ }).click()
      await tab.getByRole('list', { name: 'Chunks below the cut' }).waitFor()
      await tab.getByRole('button', { name: 'Search so' }).waitFor()
    },
  },
  {
    name: 'chat',
    state: 'empty',
    path: '/flows/event-agent/ask',
    shown: (tab) => tab.getByRole('heading', { name: 'Talk to this flow' }).waitFor(),
  },
  {
    name: 'chat',
    state: 'full',
    path: '/flows/replies/ask?chat=seeded',
    async shown(tab) {
      await tab.getByRole('paragraph').filter({ hasText: 'You said' }).waitFor()
      await tab.getByText('2 steps').click()
      await tab.getByRole('list', { name: 'Steps' }).waitFor()
      await tab.getByRole('button', { name: 'Overrides' }).click()
      await tab.getByLabel('Overrides of the next questions').waitFor()
      // The walk through the focus begins here.
      await tab.getByRole('button', { name: 'New conversation' }).focus()
    },
  },
  {
    name: 'chat',
    state: 'error',
    path: '/flows/replies/ask?chat=seeded',
    failing: /\/api\/v1\/chatmessage\//,
    shown: (tab) => tab.getByText('The server failed').first().waitFor(),
  },
  {
    name: 'a flow that cannot be asked',
    state: 'empty',
    path: '/flows/blank/ask',
    shown: (tab) => tab.getByRole('heading', { name: 'This flow cannot be asked yet' }).waitFor(),
  },
]
