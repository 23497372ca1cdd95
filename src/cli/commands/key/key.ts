import type { Group } from '../../command.ts'

export const key: Group = {
  summary: 'Makes, lists, replaces and removes API keys',
  commands: {
    list: async () => (await import('./list.ts')).listKeysCommand,
    new: async () => (await import('./new.ts')).newKey,
    rotate: async () => (await import('./rotate.ts')).rotateKeyCommand,
    rm: async () => (await import('./rm.ts')).removeKeyCommand,
  },
}
