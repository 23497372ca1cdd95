import {
  type AuditEntry,
  type AuditRow,
  type AuditStore,
  auditKindOf,
  REFUSED,
} from '../../contract/audit-store.ts'
import type { Connection, Row } from './connection.ts'
import type { Database } from './database.ts'
import type { Write } from './write.ts'

/** How many changes are kept, and how many reads and refusals: refusals never push changes out. */
const MOST_ROWS = 10_000
/** How long rows are kept, in milliseconds: 180 days. */
const LONGEST_MS = 180 * 86_400_000
/** How long changes wait to be written together, in milliseconds: a transaction for each would cost more than the call. */
const CHANGES_WAIT_MS = 100
/** How long reads and refusals wait, in milliseconds. */
const OTHERS_WAIT_MS = 10_000
/** How many different reads and refusals are kept in that time; all further ones become one row for each status. */
const MOST_DIFFERENT = 100

const SQL_KIND = `CASE WHEN status IN (${REFUSED.join(', ')}) THEN 'refusal' WHEN method IN ('GET', 'HEAD') THEN 'read' ELSE 'change' END`

type Counted = AuditEntry & { times: number }

export const addAudit: Write<readonly Counted[], void> = {
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
  connection.run('DELETE FROM audit WHERE at < ?', newest.at - LONGEST_MS)
  for (const operator of ['=', '<>'])
    connection.run(
      `DELETE FROM audit WHERE id IN (
         SELECT id FROM audit WHERE ${SQL_KIND} ${operator} 'change' ORDER BY id DESC LIMIT -1 OFFSET ?)`,
      MOST_ROWS,
    )
}

/** The log of calls of the management and of refusals, bounded in rows and age. */
export function auditStore(database: Database): AuditStore {
  let changes: Counted[] = []
  const others = new Map<string, Counted>()
  let timer: NodeJS.Timeout | undefined
  let due = Number.POSITIVE_INFINITY

  async function flush(): Promise<void> {
    clearTimeout(timer)
    due = Number.POSITIVE_INFINITY
    const entries = [...changes, ...others.values()].sort((a, b) => a.at - b.at)
    changes = []
    others.clear()
    // Writes run in order, so an empty one also waits for the writes that were sent before.
    await database.write(addAudit, entries).catch(() => {})
  }

  function flushWithin(milliseconds: number): void {
    const at = performance.now() + milliseconds
    if (due <= at) return
    clearTimeout(timer)
    due = at
    timer = setTimeout(() => void flush(), milliseconds).unref()
  }

  function count(entry: AuditEntry, name = nameOf(entry)): void {
    const counted = others.get(name)
    if (!counted) others.set(name, { ...entry, times: 1 })
    else {
      counted.times++
      counted.at = entry.at
    }
  }

  function noteOther(entry: AuditEntry): void {
    const name = nameOf(entry)
    const isNew = !others.has(name)
    if (isNew && others.size >= MOST_DIFFERENT) count(merged(entry))
    else count(entry, name)
  }

  return {
    flush,
    note(entry) {
      const isChange = auditKindOf(entry) === 'change'
      if (isChange) changes.push({ ...entry, times: 1 })
      else noteOther(entry)
      flushWithin(isChange ? CHANGES_WAIT_MS : OTHERS_WAIT_MS)
    },
    async list({ kind, offset, limit }) {
      const where = kind === undefined ? '1' : `${SQL_KIND} = '${kind}'`
      const { reader } = database
      const total = reader.get<{ count: number }>(`SELECT count(*) AS count FROM audit WHERE ${where}`)!.count
      const rows = reader.all(
        `SELECT * FROM audit WHERE ${where} ORDER BY id DESC LIMIT ? OFFSET ?`,
        limit,
        offset,
      )
      return { rows: rows.map(fromRow), total }
    },
  }
}

/** Equal for reads and refusals that become one row. */
const nameOf = ({ caller, keyId, method, route, object, status, code, address }: AuditEntry): string =>
  [caller, keyId, method, route, object, status, code, address].join('\0')

/** The row for reads and refusals beyond the limit: only the status is kept. */
const merged = ({ at, status }: AuditEntry): AuditEntry => ({
  at,
  caller: 'several',
  keyId: null,
  method: 'several',
  route: 'several',
  object: null,
  status,
  code: null,
  address: 'several',
})

const fromRow = (row: Row): AuditRow => ({
  id: row.id as number,
  at: row.at as number,
  caller: row.caller as string,
  keyId: row.key_id as string | null,
  method: row.method as string,
  route: row.route as string,
  object: row.object as string | null,
  status: row.status as number,
  code: row.code as string | null,
  address: row.address as string,
  times: row.times as number,
})
