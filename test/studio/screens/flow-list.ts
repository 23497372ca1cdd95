import type { Screen } from './screen.ts'

export const flowListScreens: Screen[] = [
  {
    name: 'flows',
    state: 'full',
    path: '/flows',
    shown: (tab) => tab.getByRole('link', { name: /^Quickstart/ }).waitFor(),
  },
  {
    name: 'flows',
    state: 'error',
    path: '/flows',
    failing: /\/api\/v1\/flows$/,
    shown: (tab) => tab.getByRole('alert').first().waitFor(),
  },
  {
    name: 'a search without a hit',
    state: 'empty',
    path: '/flows',
    async shown(tab) {
      await tab.getByLabel('Search flows').fill('no such flow')
      await tab.getByText('No flow has').waitFor()
    },
  },
  {
    name: 'deleted flows',
    state: 'full',
    path: '/flows?deleted=true',
    shown: (tab) => tab.getByText('Old handbook').waitFor(),
  },
  {
    name: 'deleted flows',
    state: 'error',
    path: '/flows?deleted=true',
    failing: /\/api\/v1\/flows\/deleted/,
    shown: (tab) => tab.getByRole('alert').first().waitFor(),
  },
  {
    name: 'the menu of a flow',
    state: 'full',
    path: '/flows',
    async shown(tab) {
      await tab.getByRole('button', { name: 'Actions for Quickstart' }).click()
      await tab.getByRole('menuitem', { name: 'Delete' }).waitFor()
    },
  },
  {
    name: 'deleting a flow',
    state: 'full',
    path: '/flows',
    async shown(tab) {
      await tab.getByRole('button', { name: 'Actions for Quickstart' }).click()
      await tab.getByRole('menuitem', { name: 'Delete' }).click()
      await tab.getByRole('dialog').getByRole('button', { name: 'Delete' }).waitFor()
    },
  },
  {
    name: 'importing a flow',
    state: 'empty',
    path: '/flows',
    async shown(tab) {
      await tab.getByRole('button', { name: 'Import' }).click()
      await tab.getByRole('dialog').getByText('Choose a file').waitFor()
    },
  },
  {
    name: 'a new flow',
    state: 'full',
    path: '/flows',
    async shown(tab) {
      await tab.getByRole('button', { name: 'New flow' }).click()
      await tab.getByRole('dialog').getByText('Empty chat flow').waitFor()
    },
  },
]
