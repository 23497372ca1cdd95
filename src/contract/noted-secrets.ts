import type { BuildContext } from './card.ts'
import { notingSecrets } from '../kit/egress/secrets-sent.ts'
import type { SecretMask } from '../kit/secret-mask.ts'

/** Inputs of credentials that are no secret: what they name is shown in many texts. */
const NO_SECRET = /^(key|.*user(name)?|.*url|.*host|.*path|.*endpoint|.*region|.*name)$/i

type Lent = Pick<BuildContext, 'credential' | 'egress'>

/** The same credentials and way out; the mask gets to know every secret that is read or sent through them. */
export const notedBy = <L extends Lent>(lent: L, mask: SecretMask): L => ({
  ...lent,
  egress: notingSecrets(lent.egress, mask.add),
  async credential(id: string, kinds?: readonly string[]) {
    const held = await lent.credential(id, kinds)
    for (const [name, value] of Object.entries(held)) if (!NO_SECRET.test(name)) mask.add(value)
    return held
  },
})
