import type { ApiKeyRow, ApiKeyStore } from '../../contract/api-key-store.ts'
import { SluiceError } from '../../kit/errors.ts'
import { apiKeyFromRow, dailyUseOf, KEY_USE_EVERY_MS } from '../rows/api-key.ts'
import { createUseNotes } from '../use-notes.ts'
import type { PostgresDatabase } from './database.ts'
import { recordFlowRevision } from './flow-revisions.ts'
import type { SqlSession } from './session.ts'

export function postgresApiKeys({ reader, writer, transaction }: PostgresDatabase): ApiKeyStore {
  const uses = createUseNotes(KEY_USE_EVERY_MS)
  const usedOn = async (id: string, day: number) =>
    dailyUseOf(
      await reader.all<{ quota: string; used: number }>(
        'SELECT quota, used FROM quota_use WHERE key_id = $1 AND day >= $2',
        id,
        day,
      ),
    )
  return {
    async list() {
      return (await reader.all('SELECT * FROM api_keys ORDER BY created_at, id')).map(apiKeyFromRow)
    },
    async findByHash(hash) {
      const row = await reader.get('SELECT * FROM api_keys WHERE hash = $1', hash)
      return row && apiKeyFromRow(row)
    },
    async find(id) {
      const row = await reader.get('SELECT * FROM api_keys WHERE id = $1', id)
      return row && apiKeyFromRow(row)
    },
    insert: (key, bind = []) =>
      transaction(async (session) => {
        await session.run(
          `INSERT INTO api_keys (id, name, hash, scopes, flows, pins, quotas, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
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
        await bindFlows(session, key, bind)
      }),
    async update(key) {
      await writer.run(
        'UPDATE api_keys SET name = $2, scopes = $3, flows = $4, quotas = $5, expires_at = $6 WHERE id = $1',
        key.id,
        key.name,
        JSON.stringify(key.scopes),
        JSON.stringify(key.flows),
        JSON.stringify(key.quotas),
        key.expiresAt,
      )
    },
    rotate: async (id, hash) =>
      (await writer.run('UPDATE api_keys SET hash = $2 WHERE id = $1', id, hash)) > 0,
    noteUse(id, now) {
      if (!uses.isDue(id, now)) return
      // Another node may have noted a use within this minute.
      const sql = `UPDATE api_keys SET last_used_at = $2 WHERE id = $1 AND coalesce(last_used_at, 0) <= $3`
      writer.run(sql, id, now, now - KEY_USE_EVERY_MS).catch(() => {})
    },
    async take({ id, quota, amount, max, day }) {
      // A later day of a clock that runs ahead goes on.
      const taken = await writer.get<{ used: number }>(
        `INSERT INTO quota_use AS stored (key_id, quota, day, used) SELECT $1::text, $2::text, $3::integer, $4::bigint WHERE $4::bigint <= $5::bigint
         ON CONFLICT (key_id, quota) DO UPDATE SET
           used = excluded.used + CASE WHEN stored.day >= excluded.day THEN stored.used ELSE 0 END,
           day = CASE WHEN stored.day >= excluded.day THEN stored.day ELSE excluded.day END
         WHERE excluded.used + CASE WHEN stored.day >= excluded.day THEN stored.used ELSE 0 END <= $5::bigint
         RETURNING used`,
        id,
        quota,
        day,
        amount,
        max,
      )
      if (taken) return { used: taken.used, isRefused: false }
      return { used: (await usedOn(id, day))[quota], isRefused: true }
    },
    used: usedOn,
    /** Flows keep the id of the removed key: removing a key must not open the flows that are bound to it. */
    async remove(id) {
      uses.forget(id)
      return transaction(async (session) => {
        await session.run('DELETE FROM quota_use WHERE key_id = $1', id)
        return (await session.run('DELETE FROM api_keys WHERE id = $1', id)) > 0
      })
    },
  }
}

/**
 * Binds flows to a key. Their rows are locked in the order of their ids, so that two such calls never wait for each other, and
 * by a statement of its own: one that waits for a lock would still not see the key of the call it waited for.
 */
async function bindFlows(session: SqlSession, key: ApiKeyRow, ids: readonly string[]): Promise<void> {
  await session.run('SELECT 1 FROM flows WHERE id = ANY($1) ORDER BY id FOR UPDATE', ids)
  const flows = await session.all<{ id: string; slug: string; bound: string | null }>(
    `SELECT flows.id, flows.slug, api_keys.name AS bound FROM flows LEFT JOIN api_keys ON api_keys.id = flows.api_key_id
     WHERE flows.id = ANY($1) AND deleted_at IS NULL`,
    ids,
  )
  for (const id of ids) {
    const flow = flows.find((one) => one.id === id)
    if (!flow) throw new SluiceError('flow_not_found', { flow: id })
    if (flow.bound !== null)
      throw new SluiceError('flow_bound', {
        flow: flow.slug,
        key: flow.bound,
        hint: 'a key that lists the flow (flows, or --flow) opens it as well; setting the key of the flow replaces it',
      })
  }
  await session.run(
    `UPDATE flows SET api_key_id = $2, updated_at = greatest(updated_at, $3), revision = revision + 1 WHERE id = ANY($1)`,
    ids,
    key.id,
    key.createdAt,
  )
  for (const id of ids)
    await recordFlowRevision(session, id, { by: `the new key ${key.name}`, changes: ['apikeyid'] })
}
