import type { Group } from '../../command.ts'

export const source: Group = {
  summary: 'Lists, shows and removes what a flow holds, source by source',
  commands: {
    list: async () => (await import('./list.ts')).list,
    show: async () => (await import('./show.ts')).show,
    rm: async () => (await import('./rm.ts')).rm,
  },
}
