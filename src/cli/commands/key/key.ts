import type { Group } from '../../command.ts'

export const key: Group = {
  summary: 'Makes, lists and removes API keys',
  commands: {
    list: async () => (await import('./list.ts')).listKeysCommand,
    new: async () => (await import('./new.ts')).newKey,
    rm: async () => (await import('./rm.ts')).removeKeyCommand,
  },
}
