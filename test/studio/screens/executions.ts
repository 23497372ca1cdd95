import type { Screen } from './screen.ts'

export const executionScreens: Screen[] = [
  {
    name: 'executions',
    state: 'empty',
    path: '/executions?state=ERROR',
    shown: (tab) => tab.getByRole('heading', { name: 'No execution fits' }).waitFor(),
  },
  {
    name: 'executions',
    state: 'full',
    path: '/executions',
    async shown(tab) {
      await tab.getByRole('link', { name: /^Hello, this is .*, Replies, Finished/ }).click()
      const panel = tab.getByRole('complementary', { name: 'Execution' })
      await panel.locator('summary', { hasText: 'directReply' }).click()
    },
  },
  {
    name: 'executions',
    state: 'error',
    path: '/executions',
    failing: /\/api\/v1\/executions/,
    shown: (tab) => tab.getByText('The executions cannot be listed').waitFor(),
  },
]
