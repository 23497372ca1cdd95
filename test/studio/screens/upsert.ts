import type { Screen } from './screen.ts'

export const upsertScreens: Screen[] = [
  {
    name: 'upsert dialog',
    state: 'full',
    path: '/flows/quickstart',
    async shown(tab) {
      await tab.getByRole('button', { name: /^Upsert/ }).click()
      await tab.getByRole('dialog').getByText('fileLoader_0').click()
    },
  },
  {
    name: 'upsert record with a failed file',
    state: 'error',
    path: '/flows/quickstart',
    async shown(tab) {
      await tab.getByRole('button', { name: /^Upsert/ }).click()
      const dialog = tab.getByRole('dialog')
      await dialog.locator('input[type=file]').setInputFiles([
        { name: 'ferry.txt', mimeType: 'text/plain', buffer: Buffer.from('The ferry leaves at noon.') },
        { name: 'damaged.pdf', mimeType: 'application/pdf', buffer: Buffer.from('this is no PDF') },
      ])
      await dialog.getByRole('button', { name: 'Upsert 2 files' }).click()
      await dialog.getByText('1 file could not be loaded').waitFor()
    },
  },
]
