import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ApiKeyStore } from '../contract/api-key-store.ts'
import { isExpired } from '../callers/expiry.ts'
import type { SessionRow, SessionStore } from '../contract/session-store.ts'
import { SluiceError } from '../kit/errors.ts'
import { randomId, randomToken } from '../kit/hash.ts'
import { secretHash } from '../kit/key-secret.ts'
import { makeSignInCode } from '../callers/sign-in-code.ts'
import type { Log } from '../kit/log.ts'

const MINUTE = 60_000

/** How long a session lasts without a request, and in all, in milliseconds. */
export const IDLE_MS = 12 * 60 * MINUTE
const LONGEST_MS = 7 * 24 * 60 * MINUTE
/** How old a token may become before the next request replaces it, in milliseconds. */
const ROTATE_MS = 10 * MINUTE
/** How long a replaced token is still accepted, in milliseconds: requests that were sent before have it. */
const GRACE_MS = MINUTE
/** How often the use of a session is written, in milliseconds. */
const NOTE_USE_MS = MINUTE

/** A session and, where the browser has to store a new one, its token. */
export type SignedIn = { session: SessionRow; token?: string }

export type Sessions = {
  /** A code for one sign-in within five minutes. */
  newCode(): Promise<string>
  /** Begins a session for a code. @throws SluiceError `sign_in_invalid` for one that is unknown, used or expired */
  beginWithCode(code: string): Promise<Required<SignedIn>>
  /** Begins a session for a caller whose key has been checked. @param keyId null for ADMIN_KEY */
  begin(keyId: string | null): Promise<Required<SignedIn>>
  /** The session of a token; with a new token where the old one is due to be replaced. */
  find(token: string): Promise<SignedIn | undefined>
  end(id: string): Promise<void>
  /** Ends all sessions and makes all codes invalid. Returns the number of sessions. */
  endAll(): Promise<number>
}

const newToken = (sessionId: string): string => `${sessionId}.${randomToken()}`

const sessionIdIn = (token: string): string => token.split('.', 1)[0]!

/** When a session ends if it is not used any more. */
export const sessionEnd = ({ createdAt, usedAt }: SessionRow): number =>
  Math.min(createdAt + LONGEST_MS, usedAt + IDLE_MS)

/** `secret`: that of the server, the same on all members of a database. */
export type SessionParts = { sessions: SessionStore; keys: ApiKeyStore; secret: string }

/**
 * Sessions of the studio. A token is replaced every ten minutes of use. A replaced token is accepted until the new one
 * has been used, and one minute more, so that neither parallel requests nor a lost answer end the session. After that it
 * is a sign of theft, and the session ends. A token begins with the id of its session, so that also an older token, of
 * which no hash is stored any more, ends the session.
 *
 * @param clock milliseconds since 1970
 */
export function createSessions(
  { sessions: store, keys, secret }: SessionParts,
  log: Log,
  clock: () => number = Date.now,
): Sessions {
  /**
   * The token that replaces another: any member can make it again from the old one and the secret. It is sent again where the old token is
   * used again: the answer with the new token was lost, or it is still on its way, and must not bring an invalid token.
   */
  const tokenAfter = (sessionId: string, presented: string): string =>
    `${sessionId}.${createHmac('sha256', secret).update(`session token after ${presented}`).digest('base64url')}`

  async function begin(keyId: string | null): Promise<Required<SignedIn>> {
    const now = clock()
    await store.removeExpired({ createdAt: now - LONGEST_MS, usedAt: now - IDLE_MS, now })
    const id = randomId()
    const token = newToken(id)
    const session: SessionRow = {
      id,
      tokenHash: secretHash(token),
      previousHash: null,
      keyId,
      createdAt: now,
      usedAt: now,
      rotatedAt: now,
      confirmedAt: now,
    }
    await store.insert(session)
    return { session, token }
  }

  async function rotate(session: SessionRow, presented: string, now: number): Promise<SignedIn> {
    const token = tokenAfter(session.id, presented)
    // A parallel request may have been first: then its answer carries the new token.
    const rotated = await store.rotate(session, secretHash(presented), secretHash(token), now)
    return rotated ? { session, token } : { session }
  }

  async function accept(session: SessionRow, presented: string, now: number): Promise<SignedIn | undefined> {
    const { id, confirmedAt, rotatedAt } = session
    if (timingSafeEqual(session.tokenHash, secretHash(presented))) {
      if (confirmedAt === null) await store.confirm(id, now)
      return now - rotatedAt >= ROTATE_MS ? rotate(session, presented, now) : { session }
    }
    if (confirmedAt === null) {
      if (now - rotatedAt < GRACE_MS) return { session }
      const token = tokenAfter(id, presented)
      // The secret may have been replaced since.
      const isCurrent = timingSafeEqual(session.tokenHash, secretHash(token))
      return isCurrent ? { session, token } : rotate(session, presented, now)
    }
    if (now - confirmedAt < GRACE_MS) return { session }
    return endReused(id)
  }

  /** Whether the key that a session began with is still there, has not expired, and may still manage. */
  async function keyStillManages({ keyId }: SessionRow, now: number): Promise<boolean> {
    if (keyId === null) return true
    const key = await keys.find(keyId)
    return key !== undefined && !isExpired(key, now) && key.scopes.includes('manage')
  }

  async function endReused(id: string): Promise<undefined> {
    await store.remove(id)
    log.warn('session-token-reused', {
      message: 'A replaced token of a studio session was used again: the session was ended',
      session: id,
    })
  }

  return {
    begin,
    newCode: () => makeSignInCode(store, clock()),
    async beginWithCode(code) {
      if (!(await store.takeCode(secretHash(code), clock()))) throw new SluiceError('sign_in_invalid')
      return begin(null)
    },
    async find(token) {
      const session = await store.findByHash(secretHash(token))
      const now = clock()
      if (!session) {
        const replaced = await store.find(sessionIdIn(token))
        return replaced && endReused(replaced.id)
      }
      if (sessionEnd(session) <= now) return undefined
      if (!(await keyStillManages(session, now))) {
        await store.remove(session.id)
        return undefined
      }
      const found = await accept(session, token, now)
      if (found && now - session.usedAt >= NOTE_USE_MS) await store.noteUse(session.id, now)
      return found
    },
    end: store.remove,
    endAll: store.removeAll,
  }
}
