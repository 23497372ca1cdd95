import type { KeyAnswer } from '../../src/api/api-key.ts'
import { call } from './call.ts'

export type Key = KeyAnswer
export type NewKey = Key & { apiKey: string }

/** What a key may allow, with its meaning. */
export const KEY_SCOPES = [
  { name: 'upsert', about: 'load and delete documents, list them, follow jobs' },
  { name: 'query', about: 'find chunks' },
  { name: 'predict', about: 'ask questions' },
  { name: 'manage', about: 'everything, also this studio' },
] as const

export type KeyChange = {
  keyName: string
  scopes: string[]
  /** Ids of flows that the key opens, besides those that need it. */
  flows: string[]
  expiresAt: string | null
  /** Metadata that limit a new key to its own documents. */
  pins?: Record<string, string>
  /** The limits of the key; null removes one. */
  quotas?: Record<string, number | null>
}

const KEYS = '/api/v1/apikey'
const one = (id: string) => `${KEYS}/${encodeURIComponent(id)}`

export const listKeys = (): Promise<Key[]> => call(KEYS)
/** @param bind ids of flows that need the key from now on */
export const createKey = (key: KeyChange & { bind?: string[] }): Promise<NewKey> =>
  call(KEYS, { method: 'POST', body: key })
export const changeKey = (id: string, key: Partial<KeyChange>): Promise<Key> =>
  call(one(id), { method: 'PUT', body: key })
/** A new key for the same row; the old one is refused at once. */
export const rotateKey = (id: string): Promise<NewKey> => call(`${one(id)}/rotate`, { method: 'POST' })
export const deleteKey = (id: string): Promise<unknown> => call(one(id), { method: 'DELETE' })
