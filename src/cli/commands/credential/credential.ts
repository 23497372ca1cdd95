import type { Group } from '../../command.ts'

export const credential: Group = {
  summary: 'Makes, lists, tests and removes credentials: the API keys of model providers and other services',
  commands: {
    list: async () => (await import('./list.ts')).listCredentialsCommand,
    new: async () => (await import('./new.ts')).newCredential,
    kinds: async () => (await import('./kinds.ts')).kinds,
    reset: async () => (await import('./reset.ts')).reset,
    test: async () => (await import('./test.ts')).testCredentialCommand,
    rm: async () => (await import('./rm.ts')).removeCredentialCommand,
  },
}
