import type { Group } from '../../command.ts'

export const secret: Group = {
  summary: 'Replaces the secret that encrypts the credentials',
  commands: {
    rotate: async () => (await import('./rotate.ts')).rotateSecretCommand,
  },
}
