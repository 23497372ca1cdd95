import type { Metadata } from '../../contract/document.ts'
import type { Connection } from '../../db/sqlite/connection.ts'
import { deadChunks, hiddenSpans } from '../../db/sqlite/index-changes.ts'
import { runsOfDeath } from '../../db/sqlite/hidden-passages.ts'
import { chunkRange } from '../../db/sqlite/chunk-range.ts'
import { nextValueBlock, type ValueBlock } from '../../db/sqlite/value-blocks.ts'
import { chunkBeforeRunsAfter } from '../../db/sqlite/vector-images.ts'
import { IdSet } from '../../kit/id-set.ts'
import type { Json } from '../../kit/json.ts'
import { metadataValueAt } from '../../vector/matches.ts'
import type { ChunkRows, CloseNumbers } from '../../vector/chunk-block.ts'
import type { RowValues } from '../../vector/metadata-columns.ts'
import { decodeColumn } from '../../vector/value-columns.ts'
import { inSteps } from './follower.ts'

/** Chunks of a block with their values at some paths, or a range of chunk ids whose values no block has. */
export type StoredValues =
  | { rows: ChunkRows; columns: RowValues[] }
  | { first: number; last: number; isDamaged: boolean }

/**
 * The metadata values of what readers see of an index after its last published run, in order of the chunks. What runs after it
 * have staged is not among them. Between two steps other work may run, and be written: deleted chunks are
 * known as dead before the blocks are read, or as gone in the block.
 */
export async function* storedValues(
  reader: Connection,
  { indexId, run, paths }: { indexId: number; run: number; paths: readonly (readonly string[])[] },
): AsyncGenerator<StoredValues> {
  const spans = hiddenSpans(reader, indexId, run)
  const upTo = chunkBeforeRunsAfter(reader, indexId, run)
  const dead = await deadIn(reader, indexId)
  const isHidden =
    dead.size + spans.length > 0
      ? (chunk: number) => dead.has(chunk) || spans.some(({ first, end }) => chunk >= first && chunk < end)
      : undefined
  const keys = [...new Set(paths.flatMap((path) => [path.join('.'), path[0]!]))]
  let after = chunkRange(reader, indexId).first
  while (after < upTo) {
    const block = nextValueBlock(reader, indexId, after, keys)
    if ('valuedTo' in block) {
      yield { first: Math.max(after, block.valuedTo), last: upTo, isDamaged: false }
      return
    }
    const last = Math.min(block.lastChunk, upTo)
    const columns = block.rows && columnsOf(block, block.rows.chunks.offsets.length, paths)
    // The ids of a damaged block may be wrong, too.
    if (!block.rows) yield { first: after, last, isDamaged: true }
    else if (!columns) yield { first: Math.max(after, block.firstChunk - 1), last, isDamaged: false }
    else {
      const { chunks, passages, isGone } = block.rows
      const rows = chunks.offsets.length
      const isWhole =
        !isGone && !isHidden && numberAt(chunks, 0) > after && numberAt(chunks, rows - 1) <= last
      const seen: number[] = []
      for (let row = 0; !isWhole && row < rows; row++) {
        const chunk = numberAt(chunks, row)
        if (chunk > after && chunk <= last && !isGone?.(row) && !isHidden?.(chunk)) seen.push(row)
      }
      yield isWhole
        ? { rows: { chunks, owners: passages }, columns }
        : {
            rows: { chunks: some(chunks, seen), owners: some(passages, seen) },
            columns: columns.map((one) => rowsOf(one, seen)),
          }
    }
    after = last
  }
}

async function deadIn(reader: Connection, indexId: number): Promise<IdSet> {
  const dead = new IdSet()
  for (const run of runsOfDeath(reader, indexId))
    await inSteps(
      0,
      (after, limit) => deadChunks(reader, run, after, limit),
      (chunk) => chunk,
      (chunk) => void dead.add(chunk),
    )
  return dead
}

const numberAt = ({ first, offsets }: CloseNumbers, row: number): number => first + offsets[row]!

const some = ({ first, offsets }: CloseNumbers, rows: readonly number[]): CloseNumbers => ({
  first,
  offsets: Float64Array.from(rows, (row) => offsets[row]!),
})

const rowsOf = ({ values, places }: RowValues, rows: readonly number[]): RowValues => ({
  values,
  places: places && Uint32Array.from(rows, (row) => places[row]!),
})

/** What the chunks of a block have at some paths; undefined where the block does not have it. */
function columnsOf(
  { columns }: ValueBlock,
  rows: number,
  paths: readonly (readonly string[])[],
): RowValues[] | undefined {
  const found: RowValues[] = []
  for (const path of paths) {
    const at = (key: string): RowValues | undefined => {
      const column = columns.get(key)
      if (column === null) return undefined
      if (column === undefined) return { values: [undefined], places: undefined }
      const { values, places } = decodeColumn(column, rows)
      return places ? { values: [undefined, ...values], places } : { values, places }
    }
    const whole = at(path.join('.'))
    const inner = path.length > 1 ? at(path[0]!) : undefined
    if (!whole || (path.length > 1 && !inner)) return undefined
    found.push(inner ? joined(whole, innerValues(inner, path), rows) : whole)
  }
  return found
}

const innerValues = ({ values, places }: RowValues, path: readonly string[]): RowValues => ({
  values: values.map((value) =>
    value === undefined ? undefined : metadataValueAt({ [path[0]!]: value } satisfies Metadata, path),
  ),
  places,
})

/** A key that contains the dots of a path itself takes precedence over the path. */
function joined(whole: RowValues, inner: RowValues, rows: number): RowValues {
  if (whole.values.every((value) => value === undefined)) return inner
  const values: (Json | undefined)[] = [...whole.values, ...inner.values]
  const places = Uint32Array.from({ length: rows }, (_, row) => {
    const place = whole.places?.[row] ?? 0
    return whole.values[place] === undefined ? whole.values.length + (inner.places?.[row] ?? 0) : place
  })
  return { values, places }
}
