import type { AuditStore } from '../../contract/audit-store.ts'
import { createAuditQueue } from '../audit-queue.ts'
import { AUDIT_KIND, AUDIT_MS, AUDIT_ROWS, auditFromRow, type CountedEntry } from '../rows/audit.ts'
import type { Connection } from './connection.ts'
import type { Database } from './database.ts'
import type { Write } from './write.ts'

export const addAudit: Write<readonly CountedEntry[], void> = {
  name: 'addAudit',
  run(connection, entries) {
    for (const { at, caller, keyId, method, route, object, status, code, address, times } of entries)
      connection.run(
        `INSERT INTO audit (at, caller, key_id, method, route, object, status, code, address, times)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        at,
        caller,
        keyId,
        method,
        route,
        object,
        status,
        code,
        address,
        times,
      )
    prune(connection, entries.length)
  },
}

/** Applies the limits after each hundred new rows, so the table may exceed them by a few hundred. */
function prune(connection: Connection, added: number): void {
  const newest = connection.get<{ id: number; at: number }>(
    'SELECT id, at FROM audit ORDER BY id DESC LIMIT 1',
  )
  if (!newest || Math.floor(newest.id / 100) === Math.floor((newest.id - added) / 100)) return
  connection.run('DELETE FROM audit WHERE at < ?', newest.at - AUDIT_MS)
  for (const operator of ['=', '<>'])
    connection.run(
      `DELETE FROM audit WHERE id IN (
         SELECT id FROM audit WHERE ${AUDIT_KIND} ${operator} 'change' ORDER BY id DESC LIMIT -1 OFFSET ?)`,
      AUDIT_ROWS,
    )
}

/** The log of calls of the management and of refusals, bounded in rows and age. */
export function auditStore(database: Database): AuditStore {
  return {
    ...createAuditQueue((entries) => database.write(addAudit, entries)),
    async list({ kind, offset, limit }) {
      const where = kind === undefined ? '1' : `${AUDIT_KIND} = '${kind}'`
      const { reader } = database
      const total = reader.get<{ count: number }>(`SELECT count(*) AS count FROM audit WHERE ${where}`)!.count
      const rows = reader.all(
        `SELECT * FROM audit WHERE ${where} ORDER BY id DESC LIMIT ? OFFSET ?`,
        limit,
        offset,
      )
      return { rows: rows.map(auditFromRow), total }
    },
  }
}
