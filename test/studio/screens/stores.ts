import type { Screen } from './screen.ts'

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
]
