import type { AuditStore } from '../../contract/audit-store.ts'
import { createAuditQueue } from '../audit-queue.ts'
import { AUDIT_KIND, AUDIT_MS, AUDIT_ROWS, auditFromRow, type CountedEntry } from '../rows/audit.ts'
import type { PostgresDatabase } from './database.ts'
import type { SqlSession } from './session.ts'

/** The log of calls of the management and of refusals, of all nodes, bounded in rows and age. */
export function postgresAudit({ reader, transaction }: PostgresDatabase): AuditStore {
  return {
    ...createAuditQueue((entries) => transaction((session) => add(session, entries))),
    async list({ kind, offset, limit }) {
      const where = kind === undefined ? 'true' : `${AUDIT_KIND} = '${kind}'`
      const { count } = (await reader.get<{ count: number }>(
        `SELECT count(*) AS count FROM audit WHERE ${where}`,
      ))!
      const rows = await reader.all(
        `SELECT * FROM audit WHERE ${where} ORDER BY id DESC LIMIT $1 OFFSET $2`,
        limit,
        offset,
      )
      return { rows: rows.map(auditFromRow), total: count }
    },
  }
}

async function add(session: SqlSession, entries: readonly CountedEntry[]): Promise<void> {
  const column = <K extends keyof CountedEntry>(name: K) => entries.map((entry) => entry[name])
  const ids = await session.all<{ id: number }>(
    `INSERT INTO audit (at, caller, key_id, method, route, object, status, code, address, times)
     SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::int[],
       $8::text[], $9::text[], $10::int[]) RETURNING id`,
    column('at'),
    column('caller'),
    column('keyId'),
    column('method'),
    column('route'),
    column('object'),
    column('status'),
    column('code'),
    column('address'),
    column('times'),
  )
  // The limits are applied about every hundred rows, so the table may exceed them by a few hundred.
  if (!ids.some(({ id }) => id % 100 === 0)) return
  await session.run('DELETE FROM audit WHERE at < (SELECT max(at) FROM audit) - $1::bigint', AUDIT_MS)
  for (const operator of ['=', '<>'])
    await session.run(
      `DELETE FROM audit WHERE id IN (
         SELECT id FROM audit WHERE ${AUDIT_KIND} ${operator} 'change' ORDER BY id DESC OFFSET $1)`,
      AUDIT_ROWS,
    )
}
