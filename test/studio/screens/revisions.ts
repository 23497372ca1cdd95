import type { Screen } from './screen.ts'

export const revisionScreens: Screen[] = [
  {
    name: 'revisions',
    state: 'empty',
    path: '/flows/blank/revisions',
    shown: (tab) => tab.getByText('This is the first version').waitFor(),
  },
  {
    name: 'revisions',
    state: 'full',
    path: '/flows/event-agent/revisions',
    shown: (tab) => tab.getByText('From revision 1 to revision 2').waitFor(),
  },
  {
    name: 'revisions',
    state: 'error',
    path: '/flows/event-agent/revisions',
    failing: /\/api\/v1\/chatflows\/[^/]+\/revisions/,
    shown: (tab) => tab.getByRole('alert').first().waitFor(),
  },
]
