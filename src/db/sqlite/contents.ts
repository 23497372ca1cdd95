import { fingerprint } from '../../kit/hash.ts'
import { checksum } from '../checksum.ts'
import type { Connection } from './connection.ts'
import { countBits } from '../../keyword/bits.ts'

/** What one step of the check has looked at: some rows of one table. */
export type ContentStep = { table: string; rows: number; damaged: number }

/** How much one step reads at most. */
const STEP = { rows: 500, bytes: 2 ** 20 }

type Key = number | string
type StoredRow = { key: Key; bytes: number; sound: boolean }

/**
 * The tables with content that has a checksum. `sql` selects the rows that follow a key, in order; a row whose checksum
 * is null counts as sound.
 */
const TABLES: readonly { table: string; first: Key; sql: string; read: (row: never) => StoredRow }[] = [
  {
    table: 'passages',
    first: 0,
    sql: 'SELECT id, hash, content AS text FROM passages WHERE id > ? ORDER BY id',
    read: hashed,
  },
  {
    table: 'chunks',
    first: 0,
    sql: 'SELECT id, metadata_hash AS hash, metadata AS text FROM chunks WHERE id > ? ORDER BY id',
    read: hashed,
  },
  {
    table: 'vectors',
    first: 0,
    sql: 'SELECT passage_id AS id, checksum, vector AS first FROM vectors WHERE passage_id > ? ORDER BY passage_id',
    read: summed,
  },
  {
    table: 'text_pages',
    first: 0,
    sql: 'SELECT id, checksum, page AS first, CAST(ifnull(count, 0) AS BLOB) AS second FROM text_pages WHERE id > ? ORDER BY id',
    read: summed,
  },
  {
    table: 'text_segments',
    first: 0,
    sql: 'SELECT id, gone, gone_count FROM text_segments WHERE id > ? ORDER BY id',
    read: segment,
  },
  {
    table: 'text_segment_bodies',
    first: 0,
    sql: 'SELECT segment_id AS id, checksum, runs AS first, classes AS second, filter AS third FROM text_segment_bodies WHERE segment_id > ? ORDER BY segment_id',
    read: summed,
  },
  {
    table: 'value_blocks',
    first: 0,
    sql: `SELECT id, checksum, gone, gone_count,
      CAST(concat_ws(' ', first_chunk, last_chunk, first_passage, ifnull(names, 'null')) AS BLOB) AS first, chunks AS second
      FROM value_blocks WHERE id > ? ORDER BY id`,
    read: (row: SegmentRow & SummedRow) => ({
      ...summed(row),
      sound: summed(row).sound && segment(row).sound,
    }),
  },
  {
    table: 'value_columns',
    first: 0,
    sql: `SELECT id, checksum, ifnull(content, x'') AS first FROM value_columns WHERE id > ? ORDER BY id`,
    read: summed,
  },
  {
    table: 'gone_passages',
    first: 0,
    sql: 'SELECT id, checksum, passages AS first FROM gone_passages WHERE id > ? ORDER BY id',
    read: summed,
  },
  {
    table: 'flows',
    first: '',
    sql: 'SELECT id, checksum, CAST(flow_data AS BLOB) AS first, CAST(config AS BLOB) AS second FROM flows WHERE id > ? ORDER BY id',
    read: summed,
  },
  {
    table: 'flow_revisions',
    first: 0,
    sql: 'SELECT id, checksum, CAST(flow_data AS BLOB) AS first, CAST(config AS BLOB) AS second FROM flow_revisions WHERE id > ? ORDER BY id',
    read: summed,
  },
  {
    table: 'flow_drafts',
    first: '',
    sql: 'SELECT flow_id AS id, checksum, CAST(flow_data AS BLOB) AS first FROM flow_drafts WHERE flow_id > ? ORDER BY flow_id',
    read: summed,
  },
  {
    table: 'chat_messages',
    first: 0,
    sql: 'SELECT seq AS id, checksum, CAST(content AS BLOB) AS first FROM chat_messages WHERE seq > ? ORDER BY seq',
    read: summed,
  },
  {
    table: 'chat_files',
    first: 0,
    sql: 'SELECT rowid AS id, checksum, content AS first FROM chat_files WHERE rowid > ? ORDER BY rowid',
    read: summed,
  },
]

// On a damaged page a value may have another type than its column, or be null.

function hashed({ id, hash, text }: { id: Key; hash: unknown; text: unknown }): StoredRow {
  if (typeof text !== 'string') return { key: id, bytes: 0, sound: false }
  return { key: id, bytes: text.length, sound: fingerprint(text) === hash }
}

type SummedRow = { id: Key; checksum: unknown; first: unknown; second?: unknown; third?: unknown }

function summed({ id, checksum: stored, first, second, third }: SummedRow): StoredRow {
  const more = [second, third].filter((part) => part !== undefined)
  if (!isBytes(first) || !more.every(isBytes)) return { key: id, bytes: 0, sound: false }
  return {
    key: id,
    bytes: more.reduce((sum, part) => sum + part.length, first.length),
    sound: stored === null || checksum(first, ...more) === stored,
  }
}

const isBytes = (value: unknown): value is Uint8Array => value instanceof Uint8Array

type SegmentRow = { id: Key; gone: unknown; gone_count: unknown }

/** The bits of removed passages change often and have no checksum, so only their number is checked. */
function segment({ id, gone, gone_count }: SegmentRow): StoredRow {
  const bits = isBytes(gone) ? gone : new Uint8Array()
  return { key: id, bytes: bits.length, sound: countBits(bits) === gone_count }
}

/**
 * Compares contents with their checksums, some rows a step; between two steps no statement is open. SQLite's own check
 * reads the structure of pages and does not detect a changed byte inside a text or a vector.
 *
 * @throws what SQLite throws where a page cannot be read
 */
export function* contentSteps(connection: Connection): Generator<ContentStep> {
  for (const { table, first, sql, read } of TABLES)
    for (let after: Key | undefined = first; after !== undefined; ) {
      const step: ContentStep = { table, rows: 0, damaged: 0 }
      after = takeRows(connection.prepare(sql).iterate(after), read, step)
      if (step.rows > 0) yield step
    }
}

/** Counts rows in a step until it is full. Returns the key to go on from, or undefined after the last row. */
function takeRows(
  rows: Iterable<unknown>,
  read: (row: never) => StoredRow,
  step: ContentStep,
): Key | undefined {
  let bytes = 0
  for (const row of rows) {
    const found = read(row as never)
    bytes += found.bytes
    step.rows++
    if (!found.sound) step.damaged++
    if (step.rows >= STEP.rows || bytes >= STEP.bytes) return found.key
  }
  return undefined
}
