import type { Screen } from './screen.ts'
import { LONG_NAME } from './seed.ts'

export const upsertScreens: Screen[] = [
  {
    name: 'upsert dialog',
    state: 'full',
    path: '/flows/quickstart',
    loaded: true,
    async shown(tab) {
      await tab.getByRole('button', { name: /^Upsert/ }).click()
      await tab.getByRole('dialog').getByText('fileLoader_0').click()
    },
  },
  {
    name: 'preview of an upsert',
    state: 'full',
    path: '/flows/quickstart',
    loaded: true,
    async shown(tab) {
      await tab.getByRole('button', { name: /^Upsert/ }).click()
      const dialog = tab.getByRole('dialog')
      await dialog.locator('input[type=file]').setInputFiles([
        { name: 'ferry.txt', mimeType: 'text/plain', buffer: Buffer.from('The ferry leaves at nine.') },
        { name: 'damaged.pdf', mimeType: 'application/pdf', buffer: Buffer.from('this is no PDF') },
        { name: `${LONG_NAME}.md`, mimeType: 'text/markdown', buffer: Buffer.from('# Harbour\n\nShips.') },
      ])
      await dialog.getByRole('button', { name: 'Preview' }).click()
      // Files are read at the same time: either can be the first of the list.
      await dialog
        .getByRole('region', { name: 'Sources' })
        .getByRole('button', { name: /^ferry/ })
        .click()
      await dialog.getByRole('list', { name: 'Chunks' }).getByText('The ferry leaves at').first().waitFor()
    },
  },
  {
    name: 'what a draft would change',
    state: 'full',
    path: '/flows/drafted/documents',
    async shown(tab) {
      await tab.getByRole('button', { name: 'What would change' }).click()
      const dialog = tab.getByRole('dialog')
      await dialog.getByRole('list', { name: 'Stored now' }).getByText('Berth 0 takes').first().waitFor()
      await dialog.getByRole('list', { name: 'Chunks' }).getByText('Berth 0 takes').first().waitFor()
    },
  },
  {
    name: 'preview that failed',
    state: 'error',
    path: '/flows/quickstart',
    loaded: true,
    async shown(tab) {
      await tab.getByRole('button', { name: /^Upsert/ }).click()
      const dialog = tab.getByRole('dialog')
      await dialog
        .locator('input[type=file]')
        .setInputFiles([
          { name: 'damaged.pdf', mimeType: 'application/pdf', buffer: Buffer.from('this is no PDF') },
        ])
      await dialog.getByRole('button', { name: 'Preview' }).click()
      await dialog.getByRole('heading', { name: 'The preview failed' }).waitFor()
    },
  },
  {
    name: 'history',
    state: 'full',
    path: '/flows/quickstart/history',
    async shown(tab) {
      await tab.getByRole('table', { name: 'Upserts' }).getByRole('link').last().click()
      await tab.getByRole('region', { name: 'Upsert record' }).getByRole('row').nth(1).waitFor()
      await tab.getByText('Work of the last upserts').waitFor()
    },
  },
  {
    name: 'history',
    state: 'empty',
    path: '/flows/blank/history',
    shown: (tab) => tab.getByRole('heading', { name: 'No upserts yet' }).waitFor(),
  },
  {
    name: 'history',
    state: 'error',
    path: '/flows/quickstart/history',
    failing: /\/api\/v1\/upsert-history\//,
    shown: (tab) => tab.getByRole('alert').first().waitFor(),
  },
  {
    name: 'jobs',
    state: 'full',
    path: '/jobs',
    async shown(tab) {
      await tab.getByRole('table', { name: 'Jobs' }).getByRole('link').first().click()
      await tab.getByRole('region', { name: 'Job', exact: true }).getByRole('row').nth(1).waitFor()
    },
  },
  {
    name: 'jobs',
    state: 'empty',
    path: '/jobs?state=queued',
    shown: (tab) => tab.getByText('No job matches').waitFor(),
  },
  {
    name: 'jobs',
    state: 'error',
    path: '/jobs',
    failing: /\/api\/v1\/jobs\?/,
    shown: (tab) => tab.getByRole('alert').first().waitFor(),
  },
  {
    name: 'upsert record with a failed file',
    state: 'error',
    path: '/flows/quickstart',
    loaded: true,
    async shown(tab) {
      await tab.getByRole('button', { name: /^Upsert/ }).click()
      const dialog = tab.getByRole('dialog')
      await dialog.locator('input[type=file]').setInputFiles([
        { name: 'ferry.txt', mimeType: 'text/plain', buffer: Buffer.from('The ferry leaves at noon.') },
        { name: 'damaged.pdf', mimeType: 'application/pdf', buffer: Buffer.from('this is no PDF') },
      ])
      await dialog.getByRole('button', { name: 'Upsert 2 files' }).click()
      await dialog.getByText('1 file failed; the others are stored').waitFor()
    },
  },
]
