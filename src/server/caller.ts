import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { ApiKeyRow, ApiKeyStore } from '../contract/api-key-store.ts'
import { isExpired } from '../callers/expiry.ts'
import type { Fence } from '../contract/fence.ts'
import { fenceOf } from '../documents/fence.ts'
import { jobOwner } from '../callers/job-owner.ts'
import type { SessionRow } from '../contract/session-store.ts'
import { SluiceError } from '../kit/errors.ts'
import { secretHash } from '../kit/key-secret.ts'
import type { Guess, KeyGuesses } from './door/key-guesses.ts'

/**
 * The sender of a request, after its key was checked. Undefined for a request without a key, or with one that is unknown or
 * expired. A manager with ADMIN_KEY or a studio session has no `key`.
 */
export type Caller = { admin: true; key?: ApiKeyRow } | { admin: false; key: ApiKeyRow } | undefined

/** How keys are checked, for all requests. */
export type KeyCheck = {
  adminKeyHash: Uint8Array | undefined
  /** Of the key that only reads metrics. */
  metricsKeyHash: Uint8Array | undefined
  keys: ApiKeyStore
  guesses: KeyGuesses
}

/** The key of an `Authorization` header, with the word Bearer or without. */
export function presentedKey({ authorization }: IncomingHttpHeaders): string | undefined {
  return authorization?.replace(/^Bearer\s+/i, '').trim() || undefined
}

/** The name of all callers without a known key. */
export const ANYBODY = 'anybody'

/** Whose turn a job takes that a caller with a name makes of a flow, see `jobOwner`. */
export const ownerOfJobs = (name: string, flow: { id: string }): string =>
  jobOwner(name === ANYBODY ? { flow: flow.id } : { key: name })

/** The sender of one request: its key is hashed and looked up at most once. */
export class RequestCaller {
  readonly #check: KeyCheck
  readonly #presented: string | undefined
  readonly #address: string
  #guess: Guess | undefined
  #hashed: Uint8Array | undefined
  #found: Promise<Caller> | undefined
  /** When the key was looked up, in milliseconds of the monotonic clock. */
  #foundAt = 0
  /** The studio session that the request belongs to. It has no effect where a key is presented. */
  session: SessionRow | undefined

  /**
   * @param presented the key, undefined where none was presented
   * @param address where the request comes from: wrong keys are counted by it
   */
  constructor(check: KeyCheck, presented: string | undefined, address: string) {
    this.#check = check
    this.#presented = presented
    this.#address = address
  }

  /** The same sender with a key from the body. */
  withKey(key: string): RequestCaller {
    return new RequestCaller(this.#check, key, this.#address)
  }

  /** Hash of the presented key; undefined where none was presented. */
  get #hash(): Uint8Array | undefined {
    if (this.#presented !== undefined) this.#hashed ??= secretHash(this.#presented)
    return this.#hashed
  }

  /** Checks the key and counts a wrong one as a guess. @throws SluiceError `too_many_keys` */
  async identify(): Promise<Caller> {
    const hash = this.#hash
    if (hash === undefined) return this.session && { admin: true }
    this.#guess ??= this.#check.guesses.of(this.#address)
    const guess = this.#guess
    guess.begin(hash)
    let caller: Caller
    try {
      caller = await this.#lookUp()
    } finally {
      // A look-up that failed counts as a wrong key.
      guess.end(hash, caller !== undefined)
    }
    return caller
  }

  /** Whether metrics need a key also from callers on this machine. */
  get metricsNeedKey(): boolean {
    return this.#check.metricsKeyHash !== undefined
  }

  /** Whether METRICS_KEY was presented. */
  get hasMetricsKey(): boolean {
    const { metricsKeyHash } = this.#check
    const hash = this.#hash
    return metricsKeyHash !== undefined && hash !== undefined && timingSafeEqual(hash, metricsKeyHash)
  }

  #lookUp(): Promise<Caller> {
    if (this.#found === undefined) this.#foundAt = performance.now()
    this.#found ??= findCaller(this.#check, this.#hash!)
    return this.#found
  }

  /**
   * Looks a known key up again: a body may arrive for hours. Resolves with whether it did.
   *
   * @param olderThanMs not where it was looked up within so many milliseconds
   * @throws SluiceError `key_invalid`, `key_expired` where the key was known and is not any more
   */
  async lookAgain(olderThanMs = 0): Promise<boolean> {
    const isOld = performance.now() - this.#foundAt >= olderThanMs
    const before = isOld ? await this.#found : undefined
    if (!before?.key) return false
    this.#found = undefined
    // An open flow would answer as for a caller without a key, and without the pins of this one.
    if (!(await this.#lookUp())) throw await this.refusal()
    return true
  }

  /**
   * A name that differs for each key: its id, `manager`, or `anybody` for all callers without a known key. Open flows
   * accept any key, so a wrong one is not counted as a guess.
   */
  async name(): Promise<string> {
    const caller = this.#hash ? await this.#lookUp() : this.session && { admin: true as const }
    return caller ? (caller.admin ? 'manager' : caller.key.id) : ANYBODY
  }

  /** The presented key, if it is known and has not expired. A wrong one is not counted as a guess. */
  async key(): Promise<ApiKeyRow | undefined> {
    return this.#hash && (await this.#lookUp())?.key
  }

  /**
   * The fence of the presented key; undefined for a key without pins and for a request without a key. Open flows accept any
   * key, so a wrong one is not counted as a guess.
   *
   * @throws SluiceError `key_expired` for a key with pins: an open flow would answer it as a caller without a key
   */
  async fence(): Promise<Fence | undefined> {
    if (this.#hash === undefined) return undefined
    const caller = await this.#lookUp()
    if (caller) return fenceOf(caller.key?.pins, caller.key?.quotas.chunks)
    const expired = await this.#check.keys.findByHash(this.#hash)
    if (fenceOf(expired?.pins)) throw keyRefusal(expired!)
    return undefined
  }

  /** The name and id of the key for the audit log, also where the key has expired. */
  async forAudit(): Promise<{ caller: string; keyId: string | null }> {
    if (this.#hash === undefined) return { caller: this.session ? 'studio session' : 'no key', keyId: null }
    const caller = await this.#lookUp()
    if (caller && !caller.key) return { caller: 'ADMIN_KEY', keyId: null }
    const key = caller?.key ?? (await this.#check.keys.findByHash(this.#hash))
    return key ? { caller: key.name, keyId: key.id } : { caller: 'an unknown key', keyId: null }
  }

  /** Why the caller is refused: no key, an expired one, or one that does not fit. */
  async refusal(): Promise<SluiceError> {
    if (this.#hash === undefined) return new SluiceError('unauthorized')
    const key = await this.#check.keys.findByHash(this.#hash)
    return key ? keyRefusal(key) : new SluiceError('key_invalid')
  }
}

async function findCaller({ adminKeyHash, keys }: KeyCheck, hash: Uint8Array): Promise<Caller> {
  // Both hashes have the same length: the comparison takes the same time for every key.
  if (adminKeyHash && timingSafeEqual(hash, adminKeyHash)) return { admin: true }
  const key = await keys.findByHash(hash)
  const now = Date.now()
  if (!key || isExpired(key, now)) return undefined
  keys.noteUse(key.id, now)
  return { admin: key.scopes.includes('manage'), key }
}

/** Why a known key is refused. */
const keyRefusal = (key: ApiKeyRow): SluiceError =>
  isExpired(key, Date.now())
    ? new SluiceError('key_expired', { at: new Date(key.expiresAt!).toISOString() })
    : new SluiceError('key_invalid')
