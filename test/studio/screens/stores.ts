import type { Screen } from './screen.ts'
import { LONG_NAME } from './seed.ts'

export const storeScreens: Screen[] = [
  {
    name: 'document stores',
    state: 'full',
    path: '/document-stores',
    shown: (tab) => tab.getByRole('link', { name: 'Harbour office', exact: true }).waitFor(),
  },
  {
    name: 'document stores',
    state: 'error',
    path: '/document-stores',
    failing: /\/document-store\/store$/,
    shown: (tab) => tab.getByRole('alert').first().waitFor(),
  },
  {
    name: 'document stores, a search without a hit',
    state: 'empty',
    path: '/document-stores?search=nothing-like-it',
    shown: (tab) => tab.getByText('No document store has').waitFor(),
  },
  {
    name: 'a new document store',
    state: 'empty',
    path: '/document-stores',
    async shown(tab) {
      await tab.getByRole('button', { name: 'New document store' }).click()
      await tab.getByRole('dialog').getByLabel('What it contains').waitFor()
    },
  },
  {
    name: 'deleting a document store',
    state: 'full',
    path: '/document-stores',
    async shown(tab) {
      await tab.getByRole('button', { name: 'Actions for Harbour office' }).click()
      await tab.getByRole('menuitem', { name: 'Delete' }).click()
      await tab.getByRole('dialog').getByRole('button', { name: 'Delete' }).waitFor()
    },
  },
  {
    name: 'a document store',
    state: 'full',
    path: '/document-stores/harbour-office?search=ferry',
    shown: (tab) => tab.getByRole('article', { name: 'Chunk 1', exact: true }).waitFor(),
  },
  {
    name: 'a document store',
    state: 'empty',
    path: `/document-stores/${LONG_NAME.slice(0, 90)}`,
    shown: (tab) => tab.getByRole('heading', { name: 'No loaders yet', exact: true }).waitFor(),
  },
  {
    name: 'a document store',
    state: 'error',
    path: '/document-stores/harbour-office',
    failing: /\/document-store\/store\//,
    shown: (tab) => tab.getByRole('alert').first().waitFor(),
  },
  {
    name: 'adding a loader',
    state: 'full',
    path: '/document-stores/harbour-office',
    async shown(tab) {
      await tab.getByRole('button', { name: 'Add a loader' }).click()
      await tab.getByRole('dialog').getByRole('radio', { name: 'A text' }).check()
      await tab.getByRole('dialog').getByLabel('Text', { exact: true }).waitFor()
    },
  },
  {
    name: 'chunks of a document store',
    state: 'full',
    path: '/document-stores/harbour-office/chunks/all',
    async shown(tab) {
      await tab.getByRole('list', { name: 'Chunks', exact: true }).waitFor()
      await tab.getByRole('list', { name: 'Edits kept aside' }).waitFor()
      await tab.getByText('1 edit in effect').click()
    },
  },
  {
    name: 'chunks of a document store',
    state: 'error',
    path: '/document-stores/harbour-office/chunks/all',
    failing: /\/document-store\/chunks\//,
    shown: (tab) => tab.getByRole('alert').first().waitFor(),
  },
  {
    name: 'chunks of a document store',
    state: 'empty',
    path: `/document-stores/${LONG_NAME.slice(0, 90)}/chunks/all`,
    shown: (tab) => tab.getByRole('heading', { name: 'No chunks', exact: true }).waitFor(),
  },
  {
    name: 'editing a chunk of a document store',
    state: 'full',
    path: '/document-stores/harbour-office/chunks/all',
    async shown(tab) {
      await tab.getByRole('button', { name: 'Edit chunk 1 of ferry.txt' }).click()
      await tab.getByRole('dialog').getByLabel('Text', { exact: true }).waitFor()
    },
  },
]
