import type { Group } from '../../command.ts'

export const source: Group = {
  summary: 'Lists, shows, removes and restores the sources of a flow',
  commands: {
    list: async () => (await import('./list.ts')).listSourcesCommand,
    show: async () => (await import('./show.ts')).showSourceCommand,
    rm: async () => (await import('./rm.ts')).removeSourceCommand,
    restore: async () => (await import('./restore.ts')).restoreSourceCommand,
  },
}
