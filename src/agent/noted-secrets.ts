import type { NodeServices } from '../contract/card.ts'
import { notingSecrets } from '../kit/egress/secrets-sent.ts'
import type { SecretMask } from '../kit/secret-mask.ts'

/** Inputs of credentials that are not secret: their values may occur in other texts, which must not be masked. */
const NO_SECRET = /^(key|.*user(name)?|.*url|.*host|.*path|.*endpoint|.*region|.*name)$/i

type SecretSources = Pick<NodeServices, 'credential' | 'egress'>

/** The same services, which add every secret that is read or sent through them to the mask. */
export const withNotedSecrets = <S extends SecretSources>(services: S, mask: SecretMask): S => ({
  ...services,
  egress: notingSecrets(services.egress, mask.add),
  async credential(id: string, kinds?: readonly string[]) {
    const held = await services.credential(id, kinds)
    for (const [name, value] of Object.entries(held)) if (!NO_SECRET.test(name)) mask.add(value)
    return held
  },
})
