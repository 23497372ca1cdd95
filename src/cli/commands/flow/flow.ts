import type { Group } from '../../command.ts'

export const flow: Group = {
  summary: 'Lists, shows, imports, exports and removes flows',
  commands: {
    list: async () => (await import('./list.ts')).list,
    show: async () => (await import('./show.ts')).show,
    import: async () => (await import('./import.ts')).importFlow,
    export: async () => (await import('./export.ts')).exportFlow,
    rm: async () => (await import('./rm.ts')).rm,
  },
}
