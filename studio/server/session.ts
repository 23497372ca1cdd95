import type { SignInCode } from '../../src/api/session.ts'
import { call, ServerFailure } from './call.ts'

const SESSION = '/api/v1/session'

/** Signs in with the code of a sign-in link, or with a key of scope manage; the session is a cookie. */
export const signIn = (proof: { code: string } | { key: string }): Promise<unknown> =>
  call(SESSION, { method: 'POST', body: proof, anonymous: true })

/** @param everywhere ends all sessions, those in other browsers too */
export const signOut = (everywhere: boolean): Promise<unknown> =>
  call(SESSION, { method: 'DELETE', query: { everywhere: everywhere || undefined }, anonymous: true })

/** A link that signs one browser in, once, within five minutes. */
export async function newSignInLink(): Promise<{ link: string; expiresAt: string }> {
  const { code, expiresAt } = await call<SignInCode>(`${SESSION}/codes`, { method: 'POST', body: {} })
  return { link: `${location.origin}/#sign-in=${code}`, expiresAt }
}

/** Whether this browser has a session. */
export async function isSignedIn(): Promise<boolean> {
  try {
    const { signedIn } = await call<{ signedIn: boolean }>(SESSION, { anonymous: true })
    return signedIn
  } catch (error) {
    if (error instanceof ServerFailure && error.status === 401) return false
    throw error
  }
}

/** The code of a sign-in link, `#sign-in=CODE`; undefined where the address has none. */
export const codeOf = (fragment: string): string | undefined => /^#sign-in=([\w-]+)$/.exec(fragment)?.[1]
