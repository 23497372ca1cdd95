import { SluiceError } from './errors.ts'
import type { SecretMask } from './secret-mask.ts'

/** The same failure, with the secrets in its facts and its message masked. */
export function maskedError<E>(error: E, mask: SecretMask): E | SluiceError {
  if (!(error instanceof SluiceError)) return error
  const facts = mask.json(error.facts)
  if (JSON.stringify(facts) === JSON.stringify(error.facts)) return error
  return new SluiceError(error.code, facts, { cause: error.cause })
}
