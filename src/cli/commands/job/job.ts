import type { Group } from '../../command.ts'

export const job: Group = {
  summary: 'Lists, shows and cancels the jobs of a server',
  commands: {
    list: async () => (await import('./list.ts')).listJobsCommand,
    show: async () => (await import('./show.ts')).showJobCommand,
    cancel: async () => (await import('./cancel.ts')).cancelJobCommand,
  },
}
