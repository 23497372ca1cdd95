import type { Screen } from './screen.ts'

export const paletteScreens: Screen[] = [
  {
    name: 'commands',
    state: 'full',
    path: '/flows',
    async shown(tab) {
      await tab.getByRole('row', { name: /Quickstart/ }).waitFor()
      await tab.keyboard.press('Control+k')
      await tab.getByRole('option', { name: 'Guide' }).waitFor()
    },
  },
  {
    name: 'a command that is not there',
    state: 'empty',
    path: '/flows',
    async shown(tab) {
      await tab.getByRole('row', { name: /Quickstart/ }).waitFor()
      await tab.keyboard.press('Control+k')
      await tab.getByRole('combobox', { name: 'Search commands' }).fill('no such command')
      await tab.getByText('Nothing here is called').waitFor()
    },
  },
]
