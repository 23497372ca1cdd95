import {
  type AuditEntry,
  type AuditRow,
  type AuditStore,
  auditKindOf,
  REFUSED,
} from '../contract/audit-store.ts'
import type { Connection, Row } from './connection.ts'
import type { Database } from './database.ts'
import type { Write } from './write.ts'

/** How many rows are kept of changes, and as many of all else, so that refusals do not crowd changes out. */
const MOST_ROWS = 10_000
/** How long rows are kept, in milliseconds: 180 days. */
const LONGEST_MS = 180 * 86_400_000
/** How long reads and refusals wait to be written together, in milliseconds. */
const TOGETHER_MS = 10_000
/** How many different ones are told apart in that time; all others become one row for each status. */
const MOST_APART = 100

const SQL_KIND = `CASE WHEN status IN (${REFUSED.join(', ')}) THEN 'refusal' WHEN method = 'GET' THEN 'read' ELSE 'change' END`

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

/** The bounds are looked at every hundred rows: the table is never much longer. */
function prune(connection: Connection, added: number): void {
  const newest = connection.get<{ id: number; at: number }>(
    'SELECT id, at FROM audit ORDER BY id DESC LIMIT 1',
  )
  if (!newest || Math.floor(newest.id / 100) === Math.floor((newest.id - added) / 100)) return
  connection.run('DELETE FROM audit WHERE at < ?', newest.at - LONGEST_MS)
  for (const others of ['=', '<>'])
    connection.run(
      `DELETE FROM audit WHERE id IN (
         SELECT id FROM audit WHERE ${SQL_KIND} ${others} 'change' ORDER BY id DESC LIMIT -1 OFFSET ?)`,
      MOST_ROWS,
    )
}

/** The log of calls of the management and of refusals, bounded in rows and age. */
export function auditStore(database: Database): AuditStore {
  const waiting = new Map<string, Counted>()
  let timer: NodeJS.Timeout | undefined

  const write = (entries: readonly Counted[]) => database.write(addAudit, entries).catch(() => {})

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const entries = [...waiting.values()]
    waiting.clear()
    // Also waits for changes that were sent before.
    await write(entries)
  }

  return {
    flush,
    note(entry) {
      if (auditKindOf(entry) === 'change') return void write([{ ...entry, times: 1 }])
      const { at: _, ...same } = entry
      const known = waiting.has(JSON.stringify(same))
      const told = known || waiting.size < MOST_APART ? entry : merged(entry)
      const { at, ...facts } = told
      const name = JSON.stringify(facts)
      waiting.set(name, { ...facts, at, times: (waiting.get(name)?.times ?? 0) + 1 })
      timer ??= setTimeout(() => void flush(), TOGETHER_MS).unref()
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

/** One of too many: only its status is told. */
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
