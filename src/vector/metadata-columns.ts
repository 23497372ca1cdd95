import type { Comparison, Filter } from '../contract/filter.ts'
import { IdSet } from '../kit/id-set.ts'
import { canonicalJson, type Json } from '../kit/json.ts'
import { ChunkBlock, type BlockPlaces, type ChunkRows } from './chunk-block.ts'
import { meetsComparison } from './matches.ts'
import { RowLists } from './row-lists.ts'

/**
 * The values of the chunks at one path, each once. `places` has the place of a value by its JSON text; values of equal meaning
 * have one place and may have several texts.
 */
type Column = {
  path: readonly string[]
  /** Its number among the columns. */
  number: number
  values: (Json | undefined)[]
  places: Map<string, number>
  /** What the values take. */
  bytes: number
  /** Made by the second filter that needs it: the first compares all rows in less time. */
  lists?: RowLists
  wasCompared?: boolean
}

/** The values of chunks at a path: by row the place among `values`, undefined for an absent value; without places all have the first. */
export type RowValues = { values: (Json | undefined)[]; places: BlockPlaces['places'] }

/** Rows of removed chunks stay until there are this many, and more than others. */
const COMPACT_FROM = 64

/** What a value takes besides its text, with its places. */
const VALUE_BYTES = 150

/** What the objects of a block take. */
const BLOCK_BYTES = 500

/** The text of an absent value. No JSON text is empty. */
const ABSENT = ''

/** With fewer rows all are compared: that takes some 20 µs. */
const LISTED_FROM = 10_000
/** Rows are sorted again when more than one in so many is new. */
const MOST_UNLISTED = 8
/** Where a comparison holds for more than one row in so many, all rows are compared. */
const MOST_LISTED = 8

/** A filter with the places that its comparisons mark in their columns. */
type Marked =
  | { op: 'and' | 'or'; all: Marked[] }
  | { op: 'not'; not: Marked }
  | { op: 'marks'; column: number; marks: Uint8Array }

/**
 * Some paths of the metadata of many chunks, one column each. A filter compares each value once, not each chunk. Chunks are
 * added in ascending order of their ids; each belongs to an owner (a passage), and filters find owners.
 */
export class MetadataColumns {
  readonly #columns: Map<string, Column>
  /** By their first chunks. */
  #blocks: ChunkBlock[] = []
  /** The last block, where chunks are added to it one by one. */
  #open: ChunkBlock | undefined
  #blockBytes = 0
  #size = 0
  #gone = 0

  constructor(paths: Iterable<readonly string[]>) {
    this.#columns = new Map()
    for (const path of paths) {
      const number = this.#columns.get(keyOf(path))?.number ?? this.#columns.size
      this.#columns.set(keyOf(path), emptyColumn(path, number))
    }
  }

  get paths(): (readonly string[])[] {
    return [...this.#columns.values()].map(({ path }) => path)
  }

  covers(filter: Filter): boolean {
    return pathsOf(filter).every((path) => this.#columns.has(keyOf(path)))
  }

  /** Adds a chunk. `texts` are the JSON texts of its values at {@link paths}, in their order; null for an absent value. */
  add(chunk: number, owner: number, texts: readonly (string | null)[]): void {
    if (!this.#open) {
      this.#open = ChunkBlock.empty(this.#size, this.#columns.size)
      this.#blocks.push(this.#open)
    }
    const places: number[] = []
    for (const column of this.#columns.values()) places.push(placeOf(column, texts[places.length] ?? ABSENT))
    this.#open.add(chunk, owner, places)
    this.#size++
  }

  /**
   * Adds chunks in ascending order of their ids. `columns` has their values at {@link paths}, in their order: by row the place
   * of the value among some values. The arrays are kept.
   */
  addRows(rows: ChunkRows, columns: readonly RowValues[]): void {
    if (rows.chunks.offsets.length === 0) return
    const parts: BlockPlaces[] = []
    for (const column of this.#columns.values()) {
      const { values, places } = columns[parts.length]!
      const known = new Uint32Array(values.length)
      for (let at = 0; at < known.length; at++) known[at] = placeOfValue(column, values[at])
      parts.push({ places, known })
    }
    const block = new ChunkBlock(this.#size, rows, parts)
    if (this.#open) this.#blockBytes += this.#open.bytes
    this.#open = undefined
    this.#blocks.push(block)
    this.#blockBytes += block.bytes + BLOCK_BYTES
    this.#size += block.size
  }

  /** How many chunks there are. */
  get size(): number {
    return this.#size - this.#gone
  }

  /** The bytes that all takes in memory. */
  get heldBytes(): number {
    let bytes = this.#blockBytes + (this.#open?.bytes ?? 0)
    for (const column of this.#columns.values()) bytes += column.bytes
    return bytes
  }

  /** Removes a chunk; an unknown one is no error. */
  remove(chunk: number): void {
    const block = this.#lastBlock((one) => one.chunkAt(0) <= chunk)
    if (!block?.remove(chunk)) return
    if (++this.#gone >= COMPACT_FROM && this.#gone * 2 > this.#size) this.#compact()
  }

  /** The owners of chunks that meet a filter. The paths of the filter must be covered. */
  owners(filter: Filter): IdSet {
    const owners = new IdSet()
    const marked = this.#mark(filter)
    const few =
      'path' in filter && marked.op === 'marks' ? this.#fewRows(filter.path, marked.marks) : undefined
    if (few) {
      let block: ChunkBlock | undefined
      for (const row of few) {
        if (!block || row < block.start || row >= block.start + block.size)
          block = this.#lastBlock(({ start }) => start <= row)!
        if (!block.isGone(row - block.start)) owners.add(block.ownerAt(row - block.start))
      }
      return owners
    }
    for (const block of this.#blocks) {
      const take = (row: number) => {
        if (!block.isGone(row)) owners.add(block.ownerAt(row))
      }
      if (marked.op === 'marks') block.eachMet(marked.column, marked.marks, take)
      else {
        const met = rowsMet(block, marked)
        for (let row = 0; row < met.length; row++) if (met[row] === 1) take(row)
      }
    }
    return owners
  }

  /** The rows with a value at one of the marked places, where these are few; undefined where they are many. */
  #fewRows(path: readonly string[], marks: Uint8Array): number[] | undefined {
    if (this.#size < LISTED_FROM) return undefined
    const column = this.#columns.get(keyOf(path))!
    if (!column.wasCompared) {
      column.wasCompared = true
      return undefined
    }
    if (!column.lists || (this.#size - column.lists.size) * MOST_UNLISTED > this.#size)
      column.lists = this.#listRows(column)
    const { lists } = column
    const found: number[] = []
    for (let place = marks.indexOf(1); place >= 0; place = marks.indexOf(1, place + 1)) {
      const listed = lists.rowsAt(place)
      if ((found.length + listed.length) * MOST_LISTED > this.#size) return undefined
      for (const row of listed) found.push(row)
    }
    for (const block of this.#blocks)
      if (block.start + block.size > lists.size)
        block.eachMet(column.number, marks, (row) => {
          if (block.start + row >= lists.size) found.push(block.start + row)
        })
    return found
  }

  #listRows({ number, values }: Column): RowLists {
    const places = new Uint32Array(this.#size)
    for (const block of this.#blocks) block.copyPlaces(number, places)
    return new RowLists(places, values.length)
  }

  /** The dotted paths of a filter, each once, at which no chunk has a value; they must be covered. */
  absent(filter: Filter): string[] {
    const paths = new Map(pathsOf(filter).map((path) => [path.join('.'), path]))
    return [...paths].flatMap(([name, path]) => {
      const { number, values } = this.#columns.get(keyOf(path))!
      if (values.every((value) => value === undefined)) return [name]
      for (const block of this.#blocks)
        for (let row = 0; row < block.size; row++)
          if (values[block.placeAt(number, row)] !== undefined && !block.isGone(row)) return []
      return [name]
    })
  }

  #mark(filter: Filter): Marked {
    if ('all' in filter) return { op: filter.op, all: filter.all.map((one) => this.#mark(one)) }
    if ('not' in filter) return { op: 'not', not: this.#mark(filter.not) }
    const column = this.#columns.get(keyOf(filter.path))!
    return { op: 'marks', column: column.number, marks: placesMet(column, filter) }
  }

  /** The last block for which something holds that holds for none after one for which it does not. */
  #lastBlock(holds: (block: ChunkBlock) => boolean): ChunkBlock | undefined {
    let from = 0
    let to = this.#blocks.length
    while (from < to) {
      const middle = (from + to) >> 1
      if (holds(this.#blocks[middle]!)) from = middle + 1
      else to = middle
    }
    return this.#blocks[from - 1]
  }

  #compact(): void {
    const before = [...this.#columns.values()].map(({ path, number, values }) => {
      this.#columns.set(keyOf(path), emptyColumn(path, number))
      return values.map((value) => (value === undefined ? null : canonicalJson(value)))
    })
    const blocks = this.#blocks
    this.#blocks = []
    this.#open = undefined
    this.#blockBytes = 0
    this.#size = 0
    this.#gone = 0
    for (const block of blocks)
      for (let row = 0; row < block.size; row++)
        if (!block.isGone(row))
          this.add(
            block.chunkAt(row),
            block.ownerAt(row),
            before.map((texts, column) => texts[block.placeAt(column, row)]!),
          )
  }
}

/** By row of a block: 1 where the filter is met, else 0. */
function rowsMet(block: ChunkBlock, filter: Marked): Uint8Array {
  if (filter.op === 'marks') return block.rowsMet(filter.column, filter.marks)
  if (filter.op === 'not') {
    const rows = rowsMet(block, filter.not)
    for (let row = 0; row < rows.length; row++) rows[row]! ^= 1
    return rows
  }
  const rows = new Uint8Array(block.size).fill(filter.op === 'and' ? 1 : 0)
  for (const one of filter.all) {
    const part = rowsMet(block, one)
    if (filter.op === 'and') for (let row = 0; row < rows.length; row++) rows[row]! &= part[row]!
    else for (let row = 0; row < rows.length; row++) rows[row]! |= part[row]!
  }
  return rows
}

/** The paths that a filter compares. */
export function pathsOf(filter: Filter): (readonly string[])[] {
  if ('all' in filter) return filter.all.flatMap(pathsOf)
  return 'not' in filter ? pathsOf(filter.not) : [filter.path]
}

const keyOf = (path: readonly string[]): string => canonicalJson([...path])

const emptyColumn = (path: readonly string[], number: number): Column => ({
  path,
  number,
  values: [],
  places: new Map(),
  bytes: 0,
})

function placeOf(column: Column, text: string): number {
  const { values, places } = column
  const known = places.get(text)
  if (known !== undefined) return known
  const value = text === ABSENT ? undefined : (JSON.parse(text) as Json)
  const canonical = value === undefined ? ABSENT : canonicalJson(value)
  const place = places.get(canonical) ?? values.push(value) - 1
  places.set(canonical, place)
  places.set(text, place)
  column.bytes += VALUE_BYTES + 2 * text.length
  return place
}

/** The place of a value. The JSON text of one that is no object or list is its canonical text. */
function placeOfValue(column: Column, value: Json | undefined): number {
  const text = value === undefined ? ABSENT : JSON.stringify(value)
  if (typeof value === 'object' && value !== null) return placeOf(column, text)
  const known = column.places.get(text)
  if (known !== undefined) return known
  const place = column.values.push(value) - 1
  column.places.set(text, place)
  column.bytes += VALUE_BYTES + 2 * text.length
  return place
}

/** By place: 1 where the value there meets a comparison, else 0. Equality is a look-up; other comparisons test each value. */
function placesMet({ values, places }: Column, comparison: Comparison): Uint8Array {
  const met = new Uint8Array(values.length)
  const mark = (wanted: readonly Json[], mark: 0 | 1) => {
    for (const value of wanted) {
      const place = places.get(canonicalJson(value))
      // The key of an infinite number is `null`, which is also the key of null: so the values are compared.
      if (place !== undefined && meetsComparison({ path: [], op: 'eq', value }, values[place]))
        met[place] = mark
    }
    return met
  }
  switch (comparison.op) {
    case 'eq':
      return mark([comparison.value], 1)
    case 'in':
      return mark(comparison.values, 1)
    case 'ne':
      met.fill(1)
      return mark([comparison.value], 0)
    case 'nin':
      met.fill(1)
      return mark(comparison.values, 0)
    default:
      for (let place = 0; place < met.length; place++)
        met[place] = meetsComparison(comparison, values[place]) ? 1 : 0
      return met
  }
}
