import { setImmediate } from 'node:timers/promises'
import type { Metadata } from '../../contract/document.ts'
import type { SourceTrace } from '../../contract/source-trace.ts'
import { textOfPassage } from '../../documents/passage.ts'
import { isObject } from '../../kit/json.ts'
import { SourceTracer } from '../../text/trace/source-tracer.ts'
import { gapsOf } from '../rows/dropped.ts'
import type { SqlSession } from '../sql/session.ts'
import { allOf } from '../sql/statements.ts'
import { rowsWhereIndexIs } from './rows-of-index.ts'
import { eachVisible } from './visible-chunks.ts'

export type TracedSource = { namespace: string; indexId: number; source: string }

/** How many chunks are read between two turns of other work: a few milliseconds. */
const STEP = 200

/** How often a source is read that is changed meanwhile. */
const MOST_READS = 3

type Head = { updatedAt: number; chunks: number; characters: number | null; gaps: string | null }

/** Where the words of the newest version of a source went; undefined where readers see none of its chunks. Reads its texts in steps. */
export async function traceSource(sql: SqlSession, traced: TracedSource): Promise<SourceTrace | undefined> {
  for (let reads = 1; ; reads++) {
    const head = await headOf(sql, traced)
    if (!head) return undefined
    const trace = await readTrace(sql, traced, head)
    const after = await headOf(sql, traced)
    const isSame = after?.updatedAt === head.updatedAt && after.chunks === head.chunks
    if (isSame || reads === MOST_READS) return trace
  }
}

const headOf = (sql: SqlSession, { indexId, source }: TracedSource): Promise<Head | undefined> =>
  sql.get<Head>(
    `SELECT updated_at AS "updatedAt", chunks, characters, gaps FROM sources WHERE index_id = ? AND name = ? AND chunks > 0`,
    indexId,
    source,
  )

async function readTrace(sql: SqlSession, traced: TracedSource, head: Head): Promise<SourceTrace> {
  const places = await placesOf(sql, traced)
  const edits = await editsOf(sql, traced)
  const known = gapsOf(head.gaps)
  const placed = places.ranges > 0 && known?.unplaced !== true
  const tracer = new SourceTracer(placed ? known : undefined, head.characters ?? 0)
  let edited = places.unplacedHashes.filter((hash) => edits.has(hash)).length
  for (let from = 0; from < places.order.length; from += STEP) {
    const step = places.order.slice(from, from + STEP)
    const rows = await sql.all<{ id: number; hash: string; content: string }>(
      `SELECT id, hash, content FROM ${rowsWhereIndexIs(sql, 'passages', traced.indexId)} WHERE id IN (?)`,
      [...new Set(step.map((at) => places.passages[at]!))],
    )
    const passages = new Map(rows.map((row) => [row.id, row]))
    for (const at of step) {
      const passage = passages.get(places.passages[at]!)
      // It was swept since: the source is read again.
      if (!passage) continue
      const original = edits.get(passage.hash)
      if (original !== undefined) edited++
      const text = textOfPassage(original ?? passage.content)
      const lines = { from: places.froms[at]!, to: places.tos[at]! }
      tracer.add({
        start: places.starts[at]!,
        end: places.ends[at]!,
        text,
        lines: lines.to > 0 ? lines : undefined,
      })
    }
    await setImmediate()
  }
  const { order, unplacedHashes } = places
  const chunks = order.length + unplacedHashes.length
  return { known: placed && known !== undefined, placed, chunks, edited, ...tracer.end() }
}

/** The chunks of the newest version: columns of numbers, and their order in the text. A chunk takes 50 bytes. */
async function placesOf(sql: SqlSession, { indexId, source }: TracedSource) {
  const [ids, passages, starts, ends]: [number[], number[], number[], number[]] = [[], [], [], []]
  const [froms, tos]: [number[], number[]] = [[], []]
  const unplacedHashes: string[] = []
  const read = {
    columns: 'passage_id AS passage, text_start AS "from", text_end AS "to", hash, metadata',
    which: allOf({ sql: 'outdated_at IS NULL', values: [] }),
  }
  type Row = { passage: number; from: number | null; to: number | null; hash: string; metadata: string }
  for await (const chunks of eachVisible<Row>(sql, indexId, { sources: [source] }, read))
    for (const { id, passage, from, to, hash, metadata } of chunks) {
      if (from === null || to === null) {
        unplacedHashes.push(hash)
        continue
      }
      ids.push(id)
      passages.push(passage)
      starts.push(from)
      ends.push(to)
      const lines = linesOf(metadata)
      froms.push(lines.from)
      tos.push(lines.to)
    }
  const order = Uint32Array.from(ids.keys()).sort(
    (one, other) => starts[one]! - starts[other]! || ids[one]! - ids[other]!,
  )
  return { passages, starts, ends, froms, tos, order: [...order], ranges: order.length, unplacedHashes }
}

/** The lines of a chunk as its splitter has told them; 0 where it has not. @param metadata as JSON */
function linesOf(metadata: string): { from: number; to: number } {
  const { loc } = JSON.parse(metadata) as Metadata
  const lines = isObject(loc) ? (loc as Metadata).lines : undefined
  const { from, to } = isObject(lines) ? (lines as Metadata) : {}
  return typeof from === 'number' && typeof to === 'number' ? { from, to } : { from: 0, to: 0 }
}

/** The passages that a source had where a person has changed them, by the hashes of those that it has now. */
async function editsOf(sql: SqlSession, { namespace, source }: TracedSource): Promise<Map<string, string>> {
  const rows = await sql.all<{ hash: string; original: string }>(
    `SELECT result_hash AS hash, original FROM chunk_edits
     WHERE namespace = ? AND source = ? AND aside_at IS NULL AND result_hash IS NOT NULL`,
    namespace,
    source,
  )
  return new Map(rows.map(({ hash, original }) => [hash, original]))
}
