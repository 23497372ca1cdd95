import type { SessionStore } from '../contract/session-store.ts'
import { randomToken } from '../kit/hash.ts'
import { secretHash } from '../kit/key-secret.ts'

/** How long a code for one sign-in is valid, in milliseconds. */
export const CODE_MS = 5 * 60_000

/** Stores a code for one sign-in within five minutes. @param now milliseconds since 1970 */
export async function makeSignInCode(store: SessionStore, now: number): Promise<string> {
  const code = randomToken()
  await store.insertCode(secretHash(code), now + CODE_MS)
  return code
}
