import type { Screen } from './screen.ts'
import { LONG_NAME } from './seed.ts'

export const documentScreens: Screen[] = [
  {
    name: 'documents',
    state: 'empty',
    path: '/flows/quickstart/documents?search=no-such-document',
    shown: (tab) => tab.getByText('No document has this in its name').waitFor(),
  },
  {
    name: 'documents of a flow without a vector store',
    state: 'empty',
    path: '/flows/blank/documents',
    shown: (tab) => tab.getByText('No vector store').waitFor(),
  },
  {
    name: 'documents',
    state: 'full',
    path: '/flows/quickstart/documents',
    async shown(tab) {
      await tab.getByRole('checkbox', { name: 'Select ferry.txt' }).check()
      await tab.getByText('1 document selected').waitFor()
    },
  },
  {
    name: 'documents',
    state: 'error',
    path: '/flows/quickstart/documents',
    failing: /\/api\/v1\/vector\/sources\//,
    shown: (tab) => tab.getByRole('alert').first().waitFor(),
  },
  {
    name: 'removed documents',
    state: 'empty',
    path: '/flows/quickstart/documents?removed=true',
    shown: (tab) => tab.getByText('No removed documents').waitFor(),
  },
  {
    name: 'a document',
    state: 'full',
    path: '/flows/quickstart/documents/tea.md',
    async shown(tab) {
      await tab.getByRole('region', { name: 'Text', exact: true }).getByRole('button').first().click()
      await tab.getByText('position').waitFor()
    },
  },
  {
    name: 'a document with chunks of an earlier version',
    state: 'full',
    path: '/flows/manual/documents/prices.txt',
    shown: (tab) => tab.getByText('1 chunk of an earlier version is still found').waitFor(),
  },
  {
    name: 'a document with much that was left out of it',
    state: 'full',
    path: '/flows/manual/documents/talk.pptx',
    async shown(tab) {
      const leftOut = tab.getByRole('region', { name: 'Left out of the text' })
      await leftOut.getByRole('button', { name: 'Show 9 more' }).click()
      await leftOut.getByRole('button', { name: '1 picture on page 24' }).click()
      await tab.locator('li[data-selected=true]', { hasText: 'Slide 24' }).waitFor()
    },
  },
  {
    name: 'what is missing of a document',
    state: 'full',
    path: '/flows/manual/documents/talk.pptx?missing=true',
    shown: (tab) =>
      tab.getByRole('region', { name: 'What is in no chunk' }).getByRole('listitem').first().waitFor(),
  },
  {
    name: 'a document that cannot be followed',
    state: 'error',
    path: '/flows/quickstart/documents/tea.md',
    failing: /\/trace\?/,
    shown: (tab) => tab.getByRole('alert').first().waitFor(),
  },
  {
    name: 'the page of a PDF',
    state: 'full',
    path: '/flows/manual/documents/safety-manual.pdf',
    async shown(tab) {
      await tab.locator('[data-page="1"] canvas').waitFor()
      await tab.getByRole('region', { name: 'Chunks' }).getByRole('button').first().click()
      await tab.getByText('The selected chunk is marked').waitFor()
    },
  },
  {
    name: 'the page of a PDF',
    state: 'error',
    path: '/flows/manual/documents/safety-manual.pdf',
    failing: /\/original\?/,
    shown: (tab) => tab.getByRole('button', { name: 'Show the text' }).waitFor(),
  },
  {
    name: 'a document with a long name',
    state: 'full',
    path: `/flows/quickstart/documents/${LONG_NAME}.txt`,
    shown: (tab) => tab.getByRole('region', { name: 'Text', exact: true }).getByText('12 million').waitFor(),
  },
  {
    name: 'a document',
    state: 'empty',
    path: '/flows/quickstart/documents/no-such-document.txt',
    shown: (tab) => tab.getByText('The flow has no document of this name').waitFor(),
  },
  {
    name: 'a document',
    state: 'error',
    path: '/flows/quickstart/documents/tea.md',
    failing: /\/api\/v1\/vector\/chunks\//,
    shown: (tab) => tab.getByRole('alert').first().waitFor(),
  },
]
