import type { Group } from '../../command.ts'

export const runGroup: Group = {
  summary: 'Lists and shows what runs did, and does an answer again from one of its steps',
  commands: {
    list: async () => (await import('./list.ts')).listRunsCommand,
    show: async () => (await import('./show.ts')).showRunCommand,
    again: async () => (await import('./again.ts')).runAgainCommand,
  },
}
