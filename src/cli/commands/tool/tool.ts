import type { Group } from '../../command.ts'

export const tool: Group = {
  summary: 'Imports, lists and removes custom tools: JavaScript that models call',
  commands: {
    list: async () => (await import('./list.ts')).listToolsCommand,
    import: async () => (await import('./import.ts')).importToolCommand,
    rm: async () => (await import('./rm.ts')).removeToolCommand,
  },
}
