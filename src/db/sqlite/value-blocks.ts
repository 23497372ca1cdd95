import type { Metadata } from '../../contract/document.ts'
import { countBits, hasBit, setBit } from '../../keyword/bits.ts'
import type { CloseNumbers } from '../../vector/chunk-block.ts'
import { encodeColumns } from '../../vector/value-columns.ts'
import { checksum } from '../checksum.ts'
import type { Connection, Row } from './connection.ts'
import { chunkRange } from './chunk-range.ts'
import type { Write } from './write.ts'

/*
 * The metadata of the chunks of an index once more, by key, so that a filter on a field does not read every chunk. A block has up
 * to some thousand chunks whose ids follow one another, but for those of other indexes between them; `indexes.valued_to` is the id
 * up to which all chunks are in blocks. Metadata of a chunk never change, so a block is written once; only the bits of
 * chunks that a sweep has deleted change. A block that is damaged or lost costs time alone: its chunks are read instead.
 */

/** The longest span of the ids of a block: they are stored in two bytes. */
const LONGEST_SPAN = 2 ** 16 - 1

export type BlockRule = {
  /** How many chunks a block has at most. */
  chunks: number
  /** The span of their ids at most, up to 65,535. */
  span: number
  /** With fewer chunks, or fewer new ones, they are read as quickly. */
  least: number
  leastNew: number
}

const BLOCK_RULE: BlockRule = { chunks: 4096, span: LONGEST_SPAN, least: 4096, leastNew: 1024 }

type MadeRow = { id: number; passageId: number; metadata: string }

/**
 * Makes the next block of an index where there are enough chunks for one, in some 20 ms. Returns whether there may be more.
 * Chunks of an open run may be among them: readers of blocks leave out what is not published.
 */
export const keepValues: Write<{ indexId: number; rule?: BlockRule }, boolean> = {
  name: 'keepValues',
  staged: true,
  run(connection, { indexId, rule = BLOCK_RULE }) {
    const index = connection.get<{ valuedTo: number }>(
      `SELECT valued_to AS valuedTo FROM indexes
       WHERE id = ? AND state = 'live' AND engine = 'built-in' AND chunks >= ?`,
      indexId,
      rule.least,
    )
    if (!index) return false
    const { first, last } = chunkRange(connection, indexId)
    const after = Math.max(first, index.valuedTo)
    if (last - after < rule.leastNew) return false
    const upTo = Math.min(last, after + rule.span)
    const rows = connection
      .lists(
        `SELECT chunks.id, passage_id, metadata FROM chunks CROSS JOIN sources ON sources.id = source_id
       WHERE chunks.id > ? AND chunks.id <= ? AND index_id = ? AND died IS NULL ORDER BY chunks.id LIMIT ?`,
        ...[after, upTo, indexId, rule.chunks],
      )
      .map(([id, passageId, metadata]) => ({ id, passageId, metadata }) as MadeRow)
    if (rows.length > 0) insertBlock(connection, indexId, rows)
    const valuedTo = rows.length === rule.chunks ? rows.at(-1)!.id : upTo
    connection.run('UPDATE indexes SET valued_to = ? WHERE id = ?', valuedTo, indexId)
    return true
  },
}

/** Deletes the blocks of an index of which one is damaged or lost; they are made again. */
export const dropValues: Write<number, void> = {
  name: 'dropValues',
  staged: true,
  run(connection, indexId) {
    while (dropValueBlock(connection, indexId));
    connection.run('UPDATE indexes SET valued_to = 0 WHERE id = ?', indexId)
  },
}

function insertBlock(connection: Connection, indexId: number, rows: readonly MadeRow[]): void {
  const firstChunk = rows[0]!.id
  const firstPassage = Math.min(...rows.map(({ passageId }) => passageId))
  const chunks = Uint16Array.from(rows, ({ id }) => id - firstChunk)
  const passages = Uint32Array.from(rows, ({ passageId }) => passageId - firstPassage)
  const bytes = Buffer.concat([new Uint8Array(passages.buffer), new Uint8Array(chunks.buffer)])
  const { columns, complete } = columnsOf(rows)
  const names = complete ? JSON.stringify([...columns.keys()]) : null
  const head = { firstChunk, lastChunk: rows.at(-1)!.id, firstPassage, names }
  const { id } = connection.get<{ id: number }>(
    `INSERT INTO value_blocks (index_id, first_chunk, last_chunk, first_passage, names, chunks, checksum)
     VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id`,
    ...[indexId, head.firstChunk, head.lastChunk, firstPassage, names, bytes],
    checksum(headText(head), bytes),
  )!
  const insert = connection.prepare(
    'INSERT INTO value_columns (block_id, name, content, checksum) VALUES (?, ?, ?, ?)',
  )
  for (const [name, content] of columns) insert.run(id, name, content, content && checksum(content))
}

/** No columns where metadata cannot be read: then the chunks are read, which reports it. */
function columnsOf(rows: readonly MadeRow[]): ReturnType<typeof encodeColumns> {
  try {
    return encodeColumns(rows.map(({ metadata }) => JSON.parse(metadata) as Metadata))
  } catch {
    return { columns: new Map(), complete: false }
  }
}

/** `names`: all keys that its chunks have, as JSON; null where not all are known. */
type Head = { firstChunk: number; lastChunk: number; firstPassage: number; names: string | null }

const headText = ({ firstChunk, lastChunk, firstPassage, names }: Head): string =>
  `${firstChunk} ${lastChunk} ${firstPassage} ${names}`

type BlockRow = Row &
  Head & {
    id: number
    chunks: Uint8Array<ArrayBuffer>
    gone: Uint8Array | null
    goneCount: number
    checksum: number
  }

const BLOCK_COLUMNS = `id, first_chunk AS firstChunk, last_chunk AS lastChunk, first_passage AS firstPassage, names, chunks,
  gone, gone_count AS goneCount, checksum`

/** The chunks of a block, by row, and those of their columns that were asked for. */
export type ValueBlock = {
  firstChunk: number
  lastChunk: number
  /** Undefined where the block is damaged. */
  rows:
    | { chunks: CloseNumbers; passages: CloseNumbers; isGone: ((row: number) => boolean) | null }
    | undefined
  /** By key: undefined where no chunk has it, null where it is not known here. */
  columns: ReadonlyMap<string, Uint8Array | null | undefined>
}

/** The next block with a chunk after an id; or else, in the same snapshot, the id up to which all chunks are in blocks. */
export const nextValueBlock = (
  connection: Connection,
  indexId: number,
  after: number,
  keys: readonly string[],
): ValueBlock | { valuedTo: number } =>
  connection.snapshot(() => {
    const row = connection.get<BlockRow>(
      `SELECT ${BLOCK_COLUMNS} FROM value_blocks WHERE index_id = ? AND last_chunk > ? ORDER BY last_chunk LIMIT 1`,
      indexId,
      after,
    )
    if (!row)
      return connection.get<{ valuedTo: number }>(
        'SELECT coalesce(max(valued_to), 0) AS valuedTo FROM indexes WHERE id = ?',
        indexId,
      )!
    const { firstChunk, lastChunk } = row
    const columns = new Map<string, Uint8Array | null | undefined>()
    const damaged = { firstChunk, lastChunk, rows: undefined, columns }
    if (!isSound(row)) return damaged
    for (const key of keys) {
      const column = columnOf(connection, row, key)
      if (column === 'damaged') return damaged
      columns.set(key, column)
    }
    return { firstChunk, lastChunk, rows: rowsOf(row), columns }
  })

const isSound = (row: BlockRow): boolean =>
  checksum(headText(row), row.chunks) === row.checksum &&
  countBits(row.gone ?? new Uint8Array()) === row.goneCount

function rowsOf(row: BlockRow): NonNullable<ValueBlock['rows']> {
  const { chunks: bytes, gone, firstChunk, firstPassage } = row
  const { chunks, passages } = offsetsOf(bytes)
  return {
    chunks: { first: firstChunk, offsets: chunks },
    passages: { first: firstPassage, offsets: passages },
    isGone: gone && ((at) => hasBit(gone, at)),
  }
}

/** The ids of the chunks and passages of a block, less the first. */
function offsetsOf(bytes: Uint8Array<ArrayBuffer>): { chunks: Uint16Array; passages: Uint32Array } {
  const count = bytes.length / 6
  const own = bytes.slice().buffer
  return { passages: new Uint32Array(own, 0, count), chunks: new Uint16Array(own, 4 * count, count) }
}

function columnOf(
  connection: Connection,
  { id, names }: BlockRow,
  key: string,
): Uint8Array | null | undefined | 'damaged' {
  const column = connection.get<Row & { content: Uint8Array | null; checksum: number }>(
    'SELECT content, checksum FROM value_columns WHERE block_id = ? AND name = ?',
    id,
    key,
  )
  if (!column) {
    if (names === null) return null
    return (JSON.parse(names) as string[]).includes(key) ? 'damaged' : undefined
  }
  return column.content === null || checksum(column.content) === column.checksum ? column.content : 'damaged'
}

/** Notes chunks of an index that are deleted. */
export function noteGoneValues(connection: Connection, indexId: number, chunkIds: readonly number[]): void {
  const chunks = chunkIds.toSorted((one, other) => one - other)
  for (let at = 0; at < chunks.length; ) {
    const block = connection.get<BlockRow>(
      `SELECT ${BLOCK_COLUMNS} FROM value_blocks WHERE index_id = ? AND last_chunk >= ? ORDER BY last_chunk LIMIT 1`,
      indexId,
      chunks[at]!,
    )
    // No block has this chunk, nor any after it.
    if (!block) return
    if (!isSound(block)) {
      dropValues.run(connection, indexId)
      return
    }
    const { firstChunk, lastChunk } = block
    const { chunks: offsets } = offsetsOf(block.chunks)
    const gone = block.gone ?? new Uint8Array(Math.ceil(offsets.length / 8))
    for (; at < chunks.length && chunks[at]! <= lastChunk; at++) {
      const row = offsets.indexOf(chunks[at]! - firstChunk)
      if (row >= 0) setBit(gone, row)
    }
    const goneCount = countBits(gone)
    if (goneCount === offsets.length) removeBlock(connection, block.id)
    else
      connection.run(
        'UPDATE value_blocks SET gone = ?, gone_count = ? WHERE id = ?',
        gone,
        goneCount,
        block.id,
      )
  }
}

function removeBlock(connection: Connection, id: number): void {
  connection.run('DELETE FROM value_columns WHERE block_id = ?', id)
  connection.run('DELETE FROM value_blocks WHERE id = ?', id)
}

/** Deletes the next block of an index; returns whether there was one. */
export function dropValueBlock(connection: Connection, indexId: number): boolean {
  const block = connection.get<{ id: number }>(
    'SELECT id FROM value_blocks WHERE index_id = ? LIMIT 1',
    indexId,
  )
  if (block) removeBlock(connection, block.id)
  return block !== undefined
}
