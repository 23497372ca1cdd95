import { SluiceError } from '../kit/errors.ts'
import type { Connection, Row } from './connection.ts'
import type { Database } from './database.ts'
import type { Write } from './write.ts'

export const SCOPES = ['upsert', 'query', 'predict', 'manage'] as const
export type Scope = (typeof SCOPES)[number]

/** An API key as it is kept: the key itself is nowhere, only a keyed hash of it. */
export type ApiKeyRow = {
  id: string
  name: string
  hash: Uint8Array
  scopes: Scope[]
  /** Ids of the flows it opens besides those bound to it. */
  flows: string[]
  createdAt: number
  /** From when on it opens nothing; null for a key without an end. Milliseconds, as all times here. */
  expiresAt: number | null
  /** When it was last used, to the minute. */
  lastUsedAt: number | null
}

export type ApiKeyStore = {
  list(): Promise<ApiKeyRow[]>
  findByHash(hash: Uint8Array): Promise<ApiKeyRow | undefined>
  find(id: string): Promise<ApiKeyRow | undefined>
  /**
   * @param bind ids of flows that are closed by this key from now on
   * @throws SluiceError `flow_not_found`, `flow_bound`; then no key is made
   */
  insert(key: ApiKeyRow, bind?: readonly string[]): Promise<void>
  update(key: ApiKeyRow): Promise<void>
  /** Notes that a key is used now; at most one write a minute for each key. A failure to write is ignored. */
  noteUse(id: string, now: number): void
  remove(id: string): Promise<boolean>
}

function fromRow(row: Row): ApiKeyRow {
  return {
    id: row.id as string,
    name: row.name as string,
    hash: row.hash as Uint8Array,
    scopes: JSON.parse(row.scopes as string) as Scope[],
    flows: JSON.parse(row.flows as string) as string[],
    createdAt: row.created_at as number,
    expiresAt: row.expires_at as number | null,
    lastUsedAt: row.last_used_at as number | null,
  }
}

/** Stores a key and binds it to flows in the same moment. A flow that is bound to a key which is there stays with it. */
export const insertApiKey: Write<{ key: ApiKeyRow; bind: readonly string[] }, void> = {
  name: 'insertApiKey',
  run(connection, { key, bind }) {
    connection.run(
      'INSERT INTO api_keys (id, name, hash, scopes, flows, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
      key.id,
      key.name,
      key.hash,
      JSON.stringify(key.scopes),
      JSON.stringify(key.flows),
      key.createdAt,
      key.expiresAt,
    )
    for (const id of bind) bindFlow(connection, id, key)
  },
}

function bindFlow(connection: Connection, id: string, key: ApiKeyRow): void {
  const flow = connection.get<{ slug: string; bound: string | null }>(
    `SELECT flows.slug, api_keys.name AS bound FROM flows LEFT JOIN api_keys ON api_keys.id = flows.api_key_id
     WHERE flows.id = ?`,
    id,
  )
  if (!flow) throw new SluiceError('flow_not_found', { flow: id })
  if (flow.bound !== null)
    throw new SluiceError('flow_bound', {
      flow: flow.slug,
      key: flow.bound,
      hint: 'a key that lists the flow (flows, or --flow) opens it as well; setting the key of the flow replaces it',
    })
  connection.run(
    'UPDATE flows SET api_key_id = ?, updated_at = max(updated_at, ?) WHERE id = ?',
    key.id,
    key.createdAt,
    id,
  )
}

export const updateApiKey: Write<ApiKeyRow, void> = {
  name: 'updateApiKey',
  run(connection, key) {
    connection.run(
      'UPDATE api_keys SET name = ?, scopes = ?, flows = ?, expires_at = ? WHERE id = ?',
      key.name,
      JSON.stringify(key.scopes),
      JSON.stringify(key.flows),
      key.expiresAt,
      key.id,
    )
  },
}

export const noteKeyUse: Write<{ id: string; now: number }, void> = {
  name: 'noteKeyUse',
  run(connection, { id, now }) {
    connection.run('UPDATE api_keys SET last_used_at = ? WHERE id = ?', now, id)
  },
}

/** How often the use of a key is written down, in milliseconds. */
const USE_EVERY_MS = 60_000

/** Whether a key opens nothing any more. */
export const isExpired = ({ expiresAt }: ApiKeyRow, now: number): boolean =>
  expiresAt !== null && expiresAt <= now

/** A flow that was bound to the key stays closed: it is never opened by taking a key away. */
export const removeApiKey: Write<string, boolean> = {
  name: 'removeApiKey',
  run: (connection, id) => connection.run('DELETE FROM api_keys WHERE id = ?', id) > 0,
}

export function apiKeyStore(database: Database): ApiKeyStore {
  const { reader } = database
  const noted = new Map<string, number>()
  return {
    async list() {
      return reader.all('SELECT * FROM api_keys ORDER BY created_at, id').map(fromRow)
    },
    async findByHash(hash) {
      const row = reader.get('SELECT * FROM api_keys WHERE hash = ?', hash)
      return row && fromRow(row)
    },
    async find(id) {
      const row = reader.get('SELECT * FROM api_keys WHERE id = ?', id)
      return row && fromRow(row)
    },
    insert: (key, bind = []) => database.write(insertApiKey, { key, bind }),
    update: (key) => database.write(updateApiKey, key),
    noteUse(id, now) {
      const last = noted.get(id)
      // A clock that was set back is no reason to wait for it.
      if (last !== undefined && Math.abs(now - last) < USE_EVERY_MS) return
      noted.set(id, now)
      database.write(noteKeyUse, { id, now }).catch(() => {})
    },
    remove(id) {
      noted.delete(id)
      return database.write(removeApiKey, id)
    },
  }
}
