import type { ApiKeyRow, ApiKeyStore, KeyScope } from '../../contract/api-key-store.ts'
import type { Pins } from '../../contract/fence.ts'
import type { DailyUse, QuotaRequest, Quotas } from '../../contract/quota.ts'
import { SluiceError } from '../../kit/errors.ts'
import type { SqlDatabase, SqlRow, SqlSession, SqlWrite } from '../sql/session.ts'
import { insertRow, updateRow } from '../sql/statements.ts'
import { createUseNotes } from '../use-notes.ts'
import { recordRevision } from './flow-revisions.ts'

/** The least time between two stored uses of a key, in milliseconds. */
const USE_EVERY_MS = 60_000

/**
 * Stores a key and binds it to flows in one transaction.
 *
 * @throws SluiceError `flow_not_found`; `flow_bound` for a flow that is bound to another existing key
 */
export const insertApiKey: SqlWrite<{ key: ApiKeyRow; bind: readonly string[] }, void> = {
  name: 'insertApiKey',
  async run(session, { key, bind }) {
    const { id, hash, createdAt, pins } = key
    const row = { id, hash, pins: JSON.stringify(pins), created_at: createdAt, ...changeable(key) }
    await insertRow(session, 'api_keys', row)
    if (bind.length > 0) await bindFlows(session, key, bind)
  },
}

const changeable = ({ name, scopes, flows, quotas, expiresAt }: ApiKeyRow) => ({
  ...{ name, scopes: JSON.stringify(scopes), flows: JSON.stringify(flows) },
  ...{ quotas: JSON.stringify(quotas), expires_at: expiresAt },
})

/**
 * Binds flows to a key. Their rows are locked in the order of their ids, so that two such calls never wait for each other, and
 * by a statement of its own: one that waits for a lock would still not see the key of the call it waited for.
 */
async function bindFlows(session: SqlSession, key: ApiKeyRow, ids: readonly string[]): Promise<void> {
  const { forUpdate, greatest } = session.dialect
  await session.run(`SELECT 1 FROM flows WHERE id IN (?) ORDER BY id ${forUpdate}`, ids)
  const flows = await session.all<{ id: string; slug: string; bound: string | null }>(
    `SELECT flows.id, flows.slug, api_keys.name AS bound FROM flows LEFT JOIN api_keys ON api_keys.id = flows.api_key_id
     WHERE flows.id IN (?) AND deleted_at IS NULL`,
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
    `UPDATE flows SET api_key_id = ?, updated_at = ${greatest('updated_at', '?')}, revision = revision + 1
     WHERE id IN (?)`,
    key.id,
    key.createdAt,
    ids,
  )
  for (const id of ids)
    await recordRevision(session, id, { by: `the new key ${key.name}`, changes: ['apikeyid'] })
}

export const updateApiKey: SqlWrite<ApiKeyRow, void> = {
  name: 'updateApiKey',
  isOneStatement: true,
  async run(session, key) {
    await updateRow(session, 'api_keys', key.id, changeable(key))
  },
}

export const rotateApiKey: SqlWrite<{ id: string; hash: Uint8Array }, boolean> = {
  name: 'rotateApiKey',
  isOneStatement: true,
  run: async (session, { id, hash }) => (await updateRow(session, 'api_keys', id, { hash })) > 0,
}

/** Another member may have noted a use within this minute. */
export const noteKeyUse: SqlWrite<{ id: string; now: number }, void> = {
  name: 'noteKeyUse',
  isOneStatement: true,
  async run(session, { id, now }) {
    await session.run(
      'UPDATE api_keys SET last_used_at = ? WHERE id = ? AND coalesce(last_used_at, 0) <= ?',
      now,
      id,
      now - USE_EVERY_MS,
    )
  },
}

/** Flows keep the id of the removed key: removing a key must not open the flows that are bound to it. */
export const removeApiKey: SqlWrite<string, boolean> = {
  name: 'removeApiKey',
  async run(session, id) {
    await session.run('DELETE FROM quota_use WHERE key_id = ?', id)
    return (await session.run('DELETE FROM api_keys WHERE id = ?', id)) > 0
  },
}

/** Counts an amount; undefined where less is left. A later day of a clock that runs ahead goes on. */
export const takeQuota: SqlWrite<QuotaRequest, number | undefined> = {
  name: 'takeQuota',
  // The last counts before a power cut may be lost; syncing each would take longer than a query.
  staged: true,
  isOneStatement: true,
  async run(session, { id, quota, amount, max, day }) {
    const taken = await session.get<{ used: number }>(
      `INSERT INTO quota_use AS stored (key_id, quota, day, used)
         SELECT CAST(?1 AS text), CAST(?2 AS text), CAST(?3 AS integer), CAST(?4 AS bigint)
         WHERE CAST(?4 AS bigint) <= CAST(?5 AS bigint)
         ON CONFLICT (key_id, quota) DO UPDATE SET
           used = excluded.used + CASE WHEN stored.day >= excluded.day THEN stored.used ELSE 0 END,
           day = CASE WHEN stored.day >= excluded.day THEN stored.day ELSE excluded.day END
         WHERE excluded.used + CASE WHEN stored.day >= excluded.day THEN stored.used ELSE 0 END <= CAST(?5 AS bigint)
         RETURNING used`,
      id,
      quota,
      day,
      amount,
      max,
    )
    return taken?.used
  },
}

export function apiKeyStore({ reader, write }: SqlDatabase): ApiKeyStore {
  const uses = createUseNotes(USE_EVERY_MS)
  const usedOn = async (id: string, day: number) =>
    dailyUseOf(
      await reader.all<{ quota: string; used: number }>(
        'SELECT quota, used FROM quota_use WHERE key_id = ? AND day >= ?',
        id,
        day,
      ),
    )
  return {
    async list() {
      return (await reader.all('SELECT * FROM api_keys ORDER BY created_at, id')).map(apiKeyFromRow)
    },
    async findByHash(hash) {
      const row = await reader.get('SELECT * FROM api_keys WHERE hash = ?', hash)
      return row && apiKeyFromRow(row)
    },
    async find(id) {
      const row = await reader.get('SELECT * FROM api_keys WHERE id = ?', id)
      return row && apiKeyFromRow(row)
    },
    insert: (key, bind = []) => write(insertApiKey, { key, bind }),
    update: (key) => write(updateApiKey, key),
    rotate: (id, hash) => write(rotateApiKey, { id, hash }),
    noteUse(id, now) {
      if (uses.isDue(id, now)) write(noteKeyUse, { id, now }).catch(() => {})
    },
    async take(request) {
      const used = await write(takeQuota, request)
      if (used !== undefined) return { used, isRefused: false }
      return { used: (await usedOn(request.id, request.day))[request.quota], isRefused: true }
    },
    used: usedOn,
    remove(id) {
      uses.drop(id)
      return write(removeApiKey, id)
    },
  }
}

const apiKeyFromRow = (row: SqlRow): ApiKeyRow => ({
  id: row.id as string,
  name: row.name as string,
  hash: row.hash as Uint8Array,
  scopes: JSON.parse(row.scopes as string) as KeyScope[],
  flows: JSON.parse(row.flows as string) as string[],
  pins: JSON.parse(row.pins as string) as Pins,
  quotas: JSON.parse(row.quotas as string) as Quotas,
  createdAt: row.created_at as number,
  expiresAt: row.expires_at as number | null,
  lastUsedAt: row.last_used_at as number | null,
})

/** The amounts of a day by the rows of the quotas of a key. */
const dailyUseOf = (rows: readonly { quota: string; used: number }[]): DailyUse => ({
  bytes: 0,
  questions: 0,
  ...Object.fromEntries(rows.map(({ quota, used }) => [quota, used])),
})
