import type { ApiKeyRow, ApiKeyStore } from '../../contract/api-key-store.ts'
import type { QuotaRequest } from '../../contract/quota.ts'
import { SluiceError } from '../../kit/errors.ts'
import { apiKeyFromRow, dailyUseOf, KEY_USE_EVERY_MS } from '../rows/api-key.ts'
import { createUseNotes } from '../use-notes.ts'
import type { Connection } from './connection.ts'
import { recordRevision } from './flow-revisions.ts'
import type { Database } from './database.ts'
import type { Write } from './write.ts'

/**
 * Stores a key and binds it to flows in one transaction.
 *
 * @throws SluiceError `flow_not_found`; `flow_bound` for a flow that is bound to another existing key
 */
export const insertApiKey: Write<{ key: ApiKeyRow; bind: readonly string[] }, void> = {
  name: 'insertApiKey',
  run(connection, { key, bind }) {
    connection.run(
      'INSERT INTO api_keys (id, name, hash, scopes, flows, pins, quotas, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
      key.id,
      key.name,
      key.hash,
      JSON.stringify(key.scopes),
      JSON.stringify(key.flows),
      JSON.stringify(key.pins),
      JSON.stringify(key.quotas),
      key.createdAt,
      key.expiresAt,
    )
    for (const id of bind) bindFlow(connection, id, key)
  },
}

function bindFlow(connection: Connection, id: string, key: ApiKeyRow): void {
  const flow = connection.get<{ slug: string; bound: string | null }>(
    `SELECT flows.slug, api_keys.name AS bound FROM flows LEFT JOIN api_keys ON api_keys.id = flows.api_key_id
     WHERE flows.id = ? AND deleted_at IS NULL`,
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
    'UPDATE flows SET api_key_id = ?, updated_at = max(updated_at, ?), revision = revision + 1 WHERE id = ?',
    key.id,
    key.createdAt,
    id,
  )
  recordRevision(connection, id, { by: `the new key ${key.name}`, changes: ['apikeyid'] })
}

export const updateApiKey: Write<ApiKeyRow, void> = {
  name: 'updateApiKey',
  run(connection, key) {
    connection.run(
      'UPDATE api_keys SET name = ?, scopes = ?, flows = ?, quotas = ?, expires_at = ? WHERE id = ?',
      key.name,
      JSON.stringify(key.scopes),
      JSON.stringify(key.flows),
      JSON.stringify(key.quotas),
      key.expiresAt,
      key.id,
    )
  },
}

export const rotateApiKey: Write<{ id: string; hash: Uint8Array }, boolean> = {
  name: 'rotateApiKey',
  run: (connection, { id, hash }) =>
    connection.run('UPDATE api_keys SET hash = ? WHERE id = ?', hash, id) > 0,
}

export const noteKeyUse: Write<{ id: string; now: number }, void> = {
  name: 'noteKeyUse',
  run(connection, { id, now }) {
    connection.run('UPDATE api_keys SET last_used_at = ? WHERE id = ?', now, id)
  },
}

/** Flows keep the id of the removed key: removing a key must not open the flows that are bound to it. */
export const removeApiKey: Write<string, boolean> = {
  name: 'removeApiKey',
  run(connection, id) {
    connection.run('DELETE FROM quota_use WHERE key_id = ?', id)
    return connection.run('DELETE FROM api_keys WHERE id = ?', id) > 0
  },
}

/** Counts an amount; undefined where less is left. A later day of a clock that runs ahead goes on. */
export const takeQuota: Write<QuotaRequest, number | undefined> = {
  name: 'takeQuota',
  // The last counts before a power cut may be lost; syncing each would take longer than a query.
  staged: true,
  run: (connection, { id, quota, amount, max, day }) =>
    connection.get<{ used: number }>(
      `INSERT INTO quota_use AS stored (key_id, quota, day, used) SELECT ?1, ?2, ?3, ?4 WHERE ?4 <= ?5
         ON CONFLICT (key_id, quota) DO UPDATE SET
           used = excluded.used + CASE WHEN stored.day >= excluded.day THEN stored.used ELSE 0 END,
           day = CASE WHEN stored.day >= excluded.day THEN stored.day ELSE excluded.day END
         WHERE excluded.used + CASE WHEN stored.day >= excluded.day THEN stored.used ELSE 0 END <= ?5
         RETURNING used`,
      id,
      quota,
      day,
      amount,
      max,
    )?.used,
}

export function apiKeyStore(database: Database): ApiKeyStore {
  const { reader } = database
  const uses = createUseNotes(KEY_USE_EVERY_MS)
  const usedOn = (id: string, day: number) =>
    dailyUseOf(
      reader.all<{ quota: string; used: number }>(
        'SELECT quota, used FROM quota_use WHERE key_id = ? AND day >= ?',
        id,
        day,
      ),
    )
  return {
    async list() {
      return reader.all('SELECT * FROM api_keys ORDER BY created_at, id').map(apiKeyFromRow)
    },
    async findByHash(hash) {
      const row = reader.get('SELECT * FROM api_keys WHERE hash = ?', hash)
      return row && apiKeyFromRow(row)
    },
    async find(id) {
      const row = reader.get('SELECT * FROM api_keys WHERE id = ?', id)
      return row && apiKeyFromRow(row)
    },
    insert: (key, bind = []) => database.write(insertApiKey, { key, bind }),
    update: (key) => database.write(updateApiKey, key),
    rotate: (id, hash) => database.write(rotateApiKey, { id, hash }),
    noteUse(id, now) {
      if (!uses.isDue(id, now)) return
      database.write(noteKeyUse, { id, now }).catch(() => {})
    },
    async take(request) {
      const used = await database.write(takeQuota, request)
      if (used !== undefined) return { used, isRefused: false }
      return { used: usedOn(request.id, request.day)[request.quota], isRefused: true }
    },
    used: async (id, day) => usedOn(id, day),
    remove(id) {
      uses.forget(id)
      return database.write(removeApiKey, id)
    },
  }
}
