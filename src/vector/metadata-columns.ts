import type { Comparison, Filter } from '../contract/filter.ts'
import { IdSet } from '../kit/id-set.ts'
import { canonicalJson, type Json } from '../kit/json.ts'
import { meetsComparison } from './matches.ts'
import { RowLists } from './row-lists.ts'

/**
 * The values of the chunks at one path: each value once, and by row its place among them. `places` has the place of a
 * value by its JSON text; values of equal meaning have one place and may have several texts.
 */
type Column = {
  path: readonly string[]
  values: (Json | undefined)[]
  places: Map<string, number>
  /** What the values take. */
  bytes: number
  rows: Uint32Array
  /** Made by the second filter that needs it: the first compares all rows in less time. */
  lists?: RowLists
  wasCompared?: boolean
}

/** Chunks in ascending order of their ids, and the owner of each. */
export type ChunkRows = { chunks: Float64Array; owners: Float64Array }

/** The values of chunks at a path: by row the place among `values`, undefined for an absent value; without places all have the first. */
export type RowValues = { values: (Json | undefined)[]; places: ArrayLike<number> | undefined }

/** Rows of removed chunks stay until there are this many, and more than others. */
const COMPACT_FROM = 64

/** What a value takes besides its text, with its places. */
const VALUE_BYTES = 150

/** The owner of a row of a removed chunk. */
const NO_OWNER = -1

/** The text of an absent value. No JSON text is empty. */
const ABSENT = ''

/** Rooms double: thousands of namespaces have a few chunks each. */
const FIRST_ROWS = 16

/** With fewer rows all are compared: that takes some 20 µs. */
const LISTED_FROM = 10_000
/** Rows are sorted again when more than one in so many is new. */
const MOST_UNLISTED = 8
/** Where a comparison holds for more than one row in so many, all rows are compared. */
const MOST_LISTED = 8

/**
 * Some paths of the metadata of many chunks, one column each. A filter compares each value once, not each chunk. Chunks are
 * added in ascending order of their ids; each belongs to an owner (a passage), and filters find owners.
 */
export class MetadataColumns {
  readonly #columns: Map<string, Column>
  #size = 0
  #chunks = new Float64Array(FIRST_ROWS)
  #owners = new Float64Array(FIRST_ROWS)
  #gone = 0

  constructor(paths: Iterable<readonly string[]>) {
    this.#columns = new Map(Array.from(paths, (path) => [keyOf(path), emptyColumn(path)]))
  }

  /** Makes room for so many chunks. */
  reserve(chunks: number): void {
    if (chunks > this.#chunks.length) this.#grow(Math.max(chunks, 2 * this.#chunks.length))
  }

  get paths(): (readonly string[])[] {
    return [...this.#columns.values()].map(({ path }) => path)
  }

  covers(filter: Filter): boolean {
    return pathsOf(filter).every((path) => this.#columns.has(keyOf(path)))
  }

  /** Adds a chunk. `texts` are the JSON texts of its values at {@link paths}, in their order; null for an absent value. */
  add(chunk: number, owner: number, texts: readonly (string | null)[]): void {
    if (this.#size === this.#chunks.length) this.#grow(2 * this.#size)
    this.#chunks[this.#size] = chunk
    this.#owners[this.#size] = owner
    let at = 0
    for (const column of this.#columns.values())
      column.rows[this.#size] = placeOf(column, texts[at++] ?? ABSENT)
    this.#size++
  }

  /**
   * Adds chunks in ascending order of their ids. `columns` has their values at {@link paths}, in their order: by row the place
   * of the value among some values.
   */
  addRows({ chunks, owners }: ChunkRows, columns: readonly RowValues[]): void {
    this.reserve(this.#size + chunks.length)
    this.#chunks.set(chunks, this.#size)
    this.#owners.set(owners, this.#size)
    let at = 0
    for (const column of this.#columns.values()) {
      const { values, places } = columns[at++]!
      const own = values.map((value) => placeOf(column, value === undefined ? ABSENT : JSON.stringify(value)))
      if (places === undefined) column.rows.fill(own[0]!, this.#size, this.#size + chunks.length)
      else for (let row = 0; row < chunks.length; row++) column.rows[this.#size + row] = own[places[row]!]!
    }
    this.#size += chunks.length
  }

  /** How many chunks there are. */
  get size(): number {
    return this.#size - this.#gone
  }

  /** The bytes that all takes in memory. */
  get heldBytes(): number {
    let bytes = this.#chunks.byteLength + this.#owners.byteLength
    for (const column of this.#columns.values()) bytes += column.rows.byteLength + column.bytes
    return bytes
  }

  /** Removes a chunk; an unknown one is no error. */
  remove(chunk: number): void {
    const row = rowOf(this.#chunks.subarray(0, this.#size), chunk)
    if (row === this.#size || this.#chunks[row] !== chunk || this.#owners[row] === NO_OWNER) return
    this.#owners[row] = NO_OWNER
    if (++this.#gone >= COMPACT_FROM && this.#gone * 2 > this.#size) this.#compact()
  }

  /** The owners of chunks that meet a filter. The paths of the filter must be covered. */
  owners(filter: Filter): IdSet {
    const owners = new IdSet()
    const take = (row: number) => {
      if (this.#owners[row] !== NO_OWNER) owners.add(this.#owners[row]!)
    }
    if ('path' in filter) {
      const column = this.#columns.get(keyOf(filter.path))!
      const met = placesMet(column, filter)
      const few = this.#fewRows(column, met)
      if (few) few.forEach(take)
      else for (let row = 0; row < this.#size; row++) if (met[column.rows[row]!] === 1) take(row)
    } else {
      const met = this.#rowsOf(filter)
      for (let row = 0; row < met.length; row++) if (met[row] === 1) take(row)
    }
    return owners
  }

  /** The rows with a value at one of the marked places, where these are few; undefined where they are many. */
  #fewRows(column: Column, met: Uint8Array): number[] | undefined {
    if (this.#size < LISTED_FROM) return undefined
    const { rows, values } = column
    if (!column.wasCompared) {
      column.wasCompared = true
      return undefined
    }
    if (!column.lists || (this.#size - column.lists.size) * MOST_UNLISTED > this.#size)
      column.lists = new RowLists(rows.subarray(0, this.#size), values.length)
    const found: number[] = []
    for (let place = 0; place < met.length; place++) {
      if (met[place] === 0) continue
      const listed = column.lists.rowsAt(place)
      if ((found.length + listed.length) * MOST_LISTED > this.#size) return undefined
      for (const row of listed) found.push(row)
    }
    for (let row = column.lists.size; row < this.#size; row++) if (met[rows[row]!] === 1) found.push(row)
    return found
  }

  /** The dotted paths of a filter, each once, at which no chunk has a value; they must be covered. */
  absent(filter: Filter): string[] {
    const paths = new Map(pathsOf(filter).map((path) => [path.join('.'), path]))
    return [...paths].flatMap(([name, path]) => {
      const { values, rows } = this.#columns.get(keyOf(path))!
      if (values.every((value) => value === undefined)) return [name]
      const isThere = (place: number, row: number) =>
        values[place] !== undefined && this.#owners[row] !== NO_OWNER
      return rows.subarray(0, this.#size).some(isThere) ? [] : [name]
    })
  }

  /** By row: 1 where the filter is met, else 0. */
  #rowsOf(filter: Filter): Uint8Array {
    switch (filter.op) {
      case 'and':
      case 'or': {
        const rows = new Uint8Array(this.#size).fill(filter.op === 'and' ? 1 : 0)
        for (const one of filter.all) {
          const part = this.#rowsOf(one)
          if (filter.op === 'and') for (let row = 0; row < rows.length; row++) rows[row]! &= part[row]!
          else for (let row = 0; row < rows.length; row++) rows[row]! |= part[row]!
        }
        return rows
      }
      case 'not': {
        const rows = this.#rowsOf(filter.not)
        for (let row = 0; row < rows.length; row++) rows[row]! ^= 1
        return rows
      }
      default:
        return this.#compare(filter)
    }
  }

  #compare(comparison: Comparison): Uint8Array {
    const column = this.#columns.get(keyOf(comparison.path))!
    const met = placesMet(column, comparison)
    const { rows } = column
    const result = new Uint8Array(this.#size)
    for (let row = 0; row < result.length; row++) result[row] = met[rows[row]!]!
    return result
  }

  #grow(rows: number): void {
    this.#chunks = grown(this.#chunks, rows)
    this.#owners = grown(this.#owners, rows)
    for (const column of this.#columns.values()) column.rows = grown(column.rows, rows)
  }

  #compact(): void {
    const columns = [...this.#columns.values()]
    const before = columns.map(({ path, values, rows }) => {
      this.#columns.set(keyOf(path), emptyColumn(path))
      return { texts: values.map((value) => (value === undefined ? null : canonicalJson(value))), rows }
    })
    const [chunks, owners, size] = [this.#chunks, this.#owners, this.#size]
    this.#chunks = new Float64Array(FIRST_ROWS)
    this.#owners = new Float64Array(FIRST_ROWS)
    this.#size = 0
    this.#gone = 0
    for (let row = 0; row < size; row++)
      if (owners[row] !== NO_OWNER)
        this.add(
          chunks[row]!,
          owners[row]!,
          before.map(({ texts, rows }) => texts[rows[row]!]!),
        )
  }
}

/** The paths that a filter compares. */
export function pathsOf(filter: Filter): (readonly string[])[] {
  if ('all' in filter) return filter.all.flatMap(pathsOf)
  return 'not' in filter ? pathsOf(filter.not) : [filter.path]
}

const keyOf = (path: readonly string[]): string => canonicalJson([...path])

const emptyColumn = (path: readonly string[]): Column => ({
  path,
  values: [],
  places: new Map(),
  bytes: 0,
  rows: new Uint32Array(FIRST_ROWS),
})

/** A copy with more room. */
function grown<Numbers extends Float64Array | Uint32Array>(numbers: Numbers, length: number): Numbers {
  const copy = new (numbers.constructor as new (length: number) => Numbers)(length)
  copy.set(numbers)
  return copy
}

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

/** The place of a chunk among ascending ones, or where it belongs. */
function rowOf(chunks: Float64Array, chunk: number): number {
  let from = 0
  let to = chunks.length
  while (from < to) {
    const middle = (from + to) >> 1
    if (chunks[middle]! < chunk) from = middle + 1
    else to = middle
  }
  return from
}
