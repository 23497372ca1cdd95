import { setImmediate } from 'node:timers/promises'
import type { InvisibleChunks, Unswept } from '../../contract/invisible.ts'
import { REBUILD_KEPT_MS } from '../index-row.ts'
import { type InvisibleOfIndex, namespaceAndBytes, sumByNamespace } from '../ledger/invisible.ts'
import type { Connection } from './connection.ts'
import { sessionOf } from './sql.ts'

/** How many ids of chunks, or passages, one read looks at: a few milliseconds. */
const IDS_PER_READ = 10_000

/** The runs in which chunks died that are still stored, whatever their index. */
const DEATHS = `WITH RECURSIVE deaths (run) AS (
  SELECT min(died) FROM chunks WHERE died IS NOT NULL
  UNION ALL SELECT (SELECT min(died) FROM chunks WHERE died > run) FROM deaths WHERE run IS NOT NULL)`
const CAN_RESTORE = 'EXISTS (SELECT 1 FROM sources WHERE removed_run = run)'
/** Run 0 has removals of several indexes that can be restored no more: the first is enough, the next sweep finds another. */
const INDEX_OF_DEATH =
  '(SELECT index_id FROM chunks JOIN sources ON sources.id = source_id WHERE died = run LIMIT 1)'

/** What is to be swept, by now. */
export function findUnswept(reader: Connection, now: number): Unswept {
  return reader.snapshot(() => ({
    namespaces: reader
      .all<{ namespace: string }>(
        `${DEATHS} SELECT namespace FROM indexes WHERE state = 'live' AND id IN (
           SELECT index_id FROM runs WHERE state = 'abandoned'
           UNION SELECT ${INDEX_OF_DEATH} FROM deaths WHERE run IS NOT NULL AND NOT ${CAN_RESTORE}
           UNION SELECT index_id FROM sources WHERE removed_run IS NOT NULL AND removed_until <= ?
           UNION SELECT replaces FROM indexes WHERE replaces IS NOT NULL AND created_at < ?)`,
        now,
        now - REBUILD_KEPT_MS,
      )
      .map(({ namespace }) => namespace),
    removed: reader.get(`SELECT 1 FROM indexes WHERE state = 'retired' LIMIT 1`) !== undefined,
  }))
}

type Counted = Pick<InvisibleChunks, 'unswept' | 'restorable'>

/** The chunks that readers do not see, counted in reads of a few milliseconds, without those of open runs. */
export async function countInvisible(reader: Connection): Promise<Map<string, InvisibleChunks>> {
  const found = new Map<number, Counted>()
  const add = (index: number | null, what: keyof Counted, count: number) => {
    if (index === null || count === 0) return
    const known = found.get(index) ?? { unswept: 0, restorable: 0 }
    found.set(index, { ...known, [what]: known[what] + count })
  }
  const hidden = reader.all<{ id: number; state: string; chunks: number }>(
    `SELECT id, state, chunks FROM indexes WHERE state IN ('retired', 'deleted')`,
  )
  const removed = new Set(hidden.filter(({ state }) => state === 'retired').map(({ id }) => id))
  const deaths = reader.all<{ run: number; restorable: number; index_id: number | null }>(
    `${DEATHS} SELECT run, ${CAN_RESTORE} AS restorable, ${INDEX_OF_DEATH} AS index_id FROM deaths WHERE run IS NOT NULL`,
  )
  for (const [at, { run, restorable, index_id }] of deaths.entries()) {
    const { n } = reader.get<{ n: number }>('SELECT count(*) AS n FROM chunks WHERE died = ?', run)!
    if (!removed.has(index_id ?? 0)) add(index_id, restorable ? 'restorable' : 'unswept', n)
    if (at % 100 === 99) await setImmediate()
  }
  for await (const { index, count } of chunksOfAbandoned(reader)) add(index, 'unswept', count)
  for (const { id, state, chunks } of hidden)
    if (state === 'deleted') add(id, 'restorable', chunks)
    else for await (const count of passagesOf(reader, id)) add(id, 'unswept', count)
  return sumByNamespace(withNamespaces(reader, found))
}

async function* chunksOfAbandoned(reader: Connection): AsyncIterable<{ index: number; count: number }> {
  const { first, last } = reader.get<{ first: number | null; last: number }>(
    `SELECT min(first_chunk) AS first, (SELECT coalesce(max(id), 0) FROM chunks) AS last FROM runs
     JOIN indexes ON indexes.id = index_id WHERE runs.state = 'abandoned' AND indexes.state IN ('live', 'building')`,
  )!
  if (first === null) return
  for (let from = first; from <= last; from += IDS_PER_READ) {
    yield* reader.all<{ index: number; count: number }>(
      `SELECT index_id AS "index", count(*) AS count FROM chunks JOIN runs ON seq = born
       WHERE chunks.id >= ? AND chunks.id < ? AND state = 'abandoned' GROUP BY index_id`,
      from,
      from + IDS_PER_READ,
    )
    await setImmediate()
  }
}

/** Of a removed namespace the passages: about as many as chunks, and deleted after them. */
async function* passagesOf(reader: Connection, indexId: number): AsyncIterable<number> {
  const after = 'FROM passage_hashes WHERE index_id = ? AND (level, hash) > (?, ?)'
  for (let [level, hash] = [-1, '']; ; ) {
    const last: { level: number; hash: string } | undefined = reader.get(
      `SELECT level, hash ${after} ORDER BY level, hash LIMIT 1 OFFSET ${IDS_PER_READ - 1}`,
      ...[indexId, level, hash],
    )
    if (!last) {
      yield reader.get<{ n: number }>(`SELECT count(*) AS n ${after}`, indexId, level, hash)!.n
      return
    }
    yield IDS_PER_READ
    ;({ level, hash } = last)
    await setImmediate()
  }
}

/** An index that is gone meanwhile is left out. */
function* withNamespaces(
  reader: Connection,
  found: ReadonlyMap<number, Counted>,
): Generator<InvisibleOfIndex> {
  for (const [id, counted] of found) {
    const row = reader.get<{ namespace: string; bytes: number }>(
      `SELECT ${namespaceAndBytes(sessionOf(reader))} FROM indexes WHERE id = ?`,
      id,
    )
    if (row) yield { ...row, ...counted }
  }
}
