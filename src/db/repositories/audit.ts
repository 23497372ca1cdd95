import type { AuditStore } from '../../contract/audit-store.ts'
import { createAuditQueue } from '../audit-queue.ts'
import { AUDIT_KIND, AUDIT_MS, AUDIT_ROWS, auditFromRow, type CountedEntry } from '../rows/audit.ts'
import type { SqlDatabase, SqlSession, SqlWrite } from '../sql/session.ts'
import { countRows, insertEach, NO_LIMIT } from '../sql/statements.ts'

export const addAudit: SqlWrite<readonly CountedEntry[], void> = {
  name: 'addAudit',
  async run(session, entries) {
    const rows = entries.map(
      ({ keyId, at, caller, method, route, object, status, code, address, times }) => ({
        ...{ at, caller, key_id: keyId, method, route, object, status, code, address, times },
      }),
    )
    const ids = await insertEach<{ id: number }>(session, 'audit', rows, 'RETURNING id')
    // The limits are applied after each hundred new rows, so the table may exceed them by a few hundred.
    if (ids.some(({ id }) => id % 100 === 0)) await sweepAudit(session)
  },
}

async function sweepAudit(session: SqlSession): Promise<void> {
  await session.run(
    'DELETE FROM audit WHERE at < (SELECT at FROM audit ORDER BY id DESC LIMIT 1) - CAST(? AS bigint)',
    AUDIT_MS,
  )
  for (const operator of ['=', '<>'])
    await session.run(
      `DELETE FROM audit WHERE id IN (
         SELECT id FROM audit WHERE ${AUDIT_KIND} ${operator} 'change' ORDER BY id DESC LIMIT ? OFFSET ?)`,
      NO_LIMIT,
      AUDIT_ROWS,
    )
}

/** The log of calls of the management and of refusals, of all members, bounded in rows and age. */
export function auditStore({ reader, write }: SqlDatabase): AuditStore {
  return {
    ...createAuditQueue((entries) => write(addAudit, entries)),
    async list({ kind, offset, limit }) {
      const where = kind === undefined ? '1 = 1' : `${AUDIT_KIND} = '${kind}'`
      const rows = await reader.all(
        `SELECT * FROM audit WHERE ${where} ORDER BY id DESC LIMIT ? OFFSET ?`,
        limit,
        offset,
      )
      return { rows: rows.map(auditFromRow), total: await countRows(reader, 'audit', where) }
    },
  }
}
