import type { LedgerChunk } from '../../contract/ledger.ts'
import { SluiceError } from '../../kit/errors.ts'
import { passagesByHash } from './chunks.ts'
import { CopyRows } from './copy-rows.ts'
import type { SqlSession, SqlTransaction } from './session.ts'

export type StageRequest = {
  indexId: number
  run: number
  chunks: readonly LedgerChunk[]
  dimensions: number
  /** The vectors of the chunks that bring a text, one after another; absent where a separate engine has them. */
  vectors?: Float32Array | undefined
  now: number
}

/** What a run knows from the batches before, so that it does not read it again. */
export class StageMemory {
  /** The ids of sources by name. Only of committed batches. */
  readonly sources = new Map<string, number>()
  /** Whether the index had tables of its own at the last batch. */
  hasTables = false
  #free = 0
  #end = 0

  /** So many ids for passages. They are taken in blocks; ids of batches that fail are never used. */
  async passageIds(sql: SqlSession, count: number): Promise<number[]> {
    const ids: number[] = []
    while (ids.length < count) {
      if (this.#free === this.#end) {
        const { block } = (await sql.get<{ block: number }>(`SELECT nextval('passage_blocks') AS block`))!
        this.#free = block * PASSAGES_A_BLOCK
        this.#end = this.#free + PASSAGES_A_BLOCK
      }
      ids.push(this.#free++)
    }
    return ids
  }
}

/** Part of the schema: another number gives ids twice. */
const PASSAGES_A_BLOCK = 1024

const CHUNK_COLUMNS =
  'id, own, index_id, source_id, passage_id, hash, metadata, metadata_hash, born, point, text_start, text_end'
const CHUNK_TYPES = [
  ...([
    'bigint',
    'bigint',
    'bigint',
    'bigint',
    'bigint',
    'text',
    'text',
    'text',
    'bigint',
    'text',
    'integer',
    'integer',
  ] as const),
]

/**
 * Writes chunks and passages, with vectors where they are kept here; readers see them after the publication. The share lock
 * on the run makes a takeover of the namespace wait for this transaction: so only the open run adds passages to an index, and
 * a look-up before the insert is enough.
 *
 * @returns the ids of the chunks; and those of sources that `memory` does not have, to be added when the transaction is committed
 * @throws SluiceError `run_not_open` where another process has taken the lease of the namespace
 */
export async function stageChunks(
  transaction: SqlTransaction,
  { indexId, run, chunks, dimensions, vectors, now }: StageRequest,
  memory: StageMemory,
): Promise<{ chunkIds: number[]; sources: ReadonlyMap<string, number> }> {
  const { passages, own } = await openPassages(transaction, { indexId, run, chunks })
  memory.hasTables = own !== 0
  const unknown = [...new Set(chunks.map(({ source }) => source))].filter((name) => !memory.sources.has(name))
  const added =
    unknown.length > 0 ? await sourceIds(transaction, indexId, unknown, now) : new Map<string, number>()
  const fresh = new Map<string, string>()
  const numbers: Float32Array[] = []
  let at = 0
  for (const { hash, text } of chunks) {
    if (text === undefined) continue
    if (!passages.has(hash) && !fresh.has(hash)) {
      fresh.set(hash, text)
      if (vectors) numbers.push(vectors.subarray(at, at + dimensions))
    }
    at += dimensions
  }
  const ids = await memory.passageIds(transaction, fresh.size)
  await insertPassages(transaction, { indexId, own, ids, fresh, numbers, passages })
  const chunkIds = await newChunkIds(transaction, chunks.length)
  const rows = new CopyRows(CHUNK_TYPES)
  for (const [place, chunk] of chunks.entries()) {
    const { source, hash, metadata, metadataHash, range, pointId = null } = chunk
    const passage = passages.get(hash)
    // Its passage was found when the chunk was planned; no sweep runs while this run is open.
    if (passage === undefined) throw new Error('a chunk without a text has no passage')
    rows.add(
      chunkIds[place]!,
      own,
      indexId,
      (memory.sources.get(source) ?? added.get(source))!,
      passage,
      hash,
      metadata,
      metadataHash,
      run,
      pointId,
      range?.start ?? null,
      range?.end ?? null,
    )
  }
  await transaction.copyIn(`chunks (${CHUNK_COLUMNS})`, rows)
  return { chunkIds, sources: added }
}

/** So many ids for chunks. Those of transactions that fail are never used. */
async function newChunkIds(sql: SqlSession, count: number): Promise<number[]> {
  const rows = await sql.all<{ id: number }>(
    `SELECT nextval(name) AS id
     FROM (SELECT pg_get_serial_sequence('chunks', 'id')::regclass AS name) AS ids, generate_series(1, $1)`,
    count,
  )
  return rows.map(({ id }) => id)
}

/** Locks the row of an open run until the transaction ends. @throws SluiceError `run_not_open` */
export async function refuseClosedRun(sql: SqlSession, run: number): Promise<void> {
  const open = await sql.get(`SELECT 1 FROM runs WHERE seq = $1 AND state = 'open' FOR SHARE`, run)
  if (!open) throw new SluiceError('run_not_open')
}

/** The ids of some sources by name; the ones that are not there are made. */
async function sourceIds(
  sql: SqlSession,
  indexId: number,
  names: readonly string[],
  now: number,
): Promise<Map<string, number>> {
  const find = () =>
    sql.all<{ id: number; name: string }>(
      `SELECT id, found.name FROM unnest($2::text[]) AS asked (name) CROSS JOIN LATERAL (
         SELECT id, name FROM sources WHERE index_id = $1 AND sources.name = asked.name LIMIT 1) AS found`,
      indexId,
      names,
    )
  const known = await find()
  const ids = new Map(known.map(({ id, name }) => [name, id]))
  if (ids.size === names.length) return ids
  await sql.run(
    `INSERT INTO sources (index_id, name, updated_at) SELECT $1, name, $3 FROM unnest($2::text[]) AS name
     ON CONFLICT DO NOTHING`,
    indexId,
    names.filter((name) => !ids.has(name)),
    now,
  )
  return new Map((await find()).map(({ id, name }) => [name, id]))
}

/**
 * Locks the open run, and finds the passages that the index has of some chunks, by the hashes of their texts, and where its new rows
 * belong: `own` is 0, or the index where it has tables of its own.
 *
 * @throws SluiceError `run_not_open`
 */
async function openPassages(
  sql: SqlSession,
  { indexId, run, chunks }: Pick<StageRequest, 'indexId' | 'run' | 'chunks'>,
): Promise<{ passages: Map<string, number>; own: number }> {
  const rows = await sql.all<{ id: number | null; hash: string; hasTables: boolean }>(
    `WITH open AS (SELECT 1 FROM runs WHERE seq = $1 AND state = 'open' FOR SHARE)
     SELECT id, hash, (SELECT has_tables FROM indexes WHERE id = $2) AS "hasTables" FROM open LEFT JOIN (${passagesByHash('$2', '$3')}) ON true`,
    run,
    indexId,
    [...new Set(chunks.map(({ hash }) => hash))],
  )
  if (rows.length === 0) throw new SluiceError('run_not_open')
  return {
    passages: new Map(rows.flatMap(({ id, hash }) => (id === null ? [] : [[hash, id] as const]))),
    own: rows[0]!.hasTables ? indexId : 0,
  }
}

type NewPassages = {
  indexId: number
  own: number
  ids: readonly number[]
  /** Texts by hash. */
  fresh: ReadonlyMap<string, string>
  numbers: readonly Float32Array[]
  /** The ids by hash are added to it. */
  passages: Map<string, number>
}

/** Inserts new passages with their vectors. */
async function insertPassages(
  transaction: SqlTransaction,
  { indexId, own, ids, fresh, numbers, passages }: NewPassages,
): Promise<void> {
  if (fresh.size === 0) return
  const texts = new CopyRows(['bigint', 'bigint', 'bigint', 'text', 'text'])
  const vectors = new CopyRows(['bigint', 'bigint', 'bytea'])
  let at = 0
  for (const [hash, text] of fresh) {
    const id = ids[at]!
    const vector = numbers[at++]
    passages.set(hash, id)
    texts.add(own, id, indexId, hash, text)
    if (vector) vectors.add(own, id, new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength))
  }
  await transaction.copyIn('passages (own, id, index_id, hash, content)', texts)
  if (vectors.rows > 0) await transaction.copyIn('vectors (own, passage_id, vector)', vectors)
}
