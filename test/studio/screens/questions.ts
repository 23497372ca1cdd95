import type { Screen } from './screen.ts'

export const questionScreens: Screen[] = [
  {
    name: 'questions',
    state: 'empty',
    path: '/flows/event-agent/questions',
    shown: (tab) => tab.getByRole('heading', { name: 'No questions yet' }).waitFor(),
  },
  {
    name: 'questions',
    state: 'full',
    path: '/flows/quickstart/questions',
    async shown(tab) {
      await tab.getByRole('region', { name: 'Last run' }).waitFor()
      await tab.getByRole('region', { name: 'Proposals' }).getByRole('button').first().waitFor()
      await tab.getByRole('img', { name: /^nDCG@10 of/ }).waitFor()
    },
  },
  {
    name: 'questions, import',
    state: 'full',
    path: '/flows/quickstart/questions',
    async shown(tab) {
      await tab.getByRole('button', { name: 'Import' }).click()
      await tab.getByRole('dialog', { name: 'Import questions' }).waitFor()
    },
  },
  {
    name: 'questions',
    state: 'error',
    path: '/flows/quickstart/questions',
    failing: /\/api\/v1\/(questions|eval)\//,
    shown: (tab) => tab.getByText('The questions cannot be listed').waitFor(),
  },
  {
    name: 'picking an answer',
    state: 'full',
    path: '/flows/quickstart/ask?view=search&q=When+does+the+ferry+leave',
    async shown(tab) {
      await tab.getByRole('button', { name: 'None is right: pick in a document' }).click()
      await tab.getByRole('searchbox', { name: 'Words of the passage' }).fill('ferry')
      await tab.keyboard.press('Enter')
      await tab.getByText(/chunks? ha(s|ve) such words/).waitFor()
    },
  },
]
