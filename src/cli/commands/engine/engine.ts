import type { Group } from '../../command.ts'

export const engine: Group = {
  summary: 'Checks a search cluster or vector engine before a flow uses it',
  commands: {
    check: async () => (await import('./check.ts')).checkEngineCommand,
  },
}
