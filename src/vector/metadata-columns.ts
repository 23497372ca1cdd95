import type { Metadata } from '../contract/document.ts'
import type { Comparison, Filter } from '../contract/filter.ts'
import { IdSet } from '../kit/id-set.ts'
import { canonicalJson, type Json } from '../kit/json.ts'
import { meetsComparison, metadataValueAt } from './matches.ts'

/** The values of the chunks at one path: each value once, and by row its place among them. */
type Column = {
  path: readonly string[]
  values: (Json | undefined)[]
  places: Map<string, number>
  rows: number[]
}

/** Rows of removed chunks stay until there are this many, and more than others. */
const COMPACT_FROM = 1000

/** The owner of a row of a removed chunk. */
const NO_OWNER = -1

/**
 * Some paths of the metadata of many chunks, one column each. A filter compares each value once, not each chunk. Chunks are
 * added in ascending order of their ids; each belongs to an owner (a passage), and filters find owners.
 */
export class MetadataColumns {
  readonly #columns: Map<string, Column>
  #chunks: number[] = []
  #owners: number[] = []
  #gone = 0

  constructor(paths: Iterable<readonly string[]>) {
    this.#columns = new Map(Array.from(paths, (path) => [keyOf(path), emptyColumn(path)]))
  }

  get paths(): (readonly string[])[] {
    return [...this.#columns.values()].map(({ path }) => path)
  }

  covers(filter: Filter): boolean {
    return pathsOf(filter).every((path) => this.#columns.has(keyOf(path)))
  }

  add(chunk: number, owner: number, metadata: Metadata): void {
    this.#chunks.push(chunk)
    this.#owners.push(owner)
    for (const column of this.#columns.values())
      column.rows.push(placeOf(column, metadataValueAt(metadata, column.path)))
  }

  /** Removes a chunk; an unknown one is no error. */
  remove(chunk: number): void {
    const row = rowOf(this.#chunks, chunk)
    if (this.#chunks[row] !== chunk || this.#owners[row] === NO_OWNER) return
    this.#owners[row] = NO_OWNER
    if (++this.#gone >= COMPACT_FROM && this.#gone * 2 > this.#chunks.length) this.#compact()
  }

  /** The owners of chunks that meet a filter. The paths of the filter must be covered. */
  owners(filter: Filter): IdSet {
    const met = this.#rowsOf(filter)
    const owners = new IdSet()
    for (let row = 0; row < met.length; row++)
      if (met[row] === 1 && this.#owners[row] !== NO_OWNER) owners.add(this.#owners[row]!)
    return owners
  }

  /** The dotted paths of a filter, each once, at which no chunk has a value; they must be covered. */
  absent(filter: Filter): string[] {
    const paths = new Map(pathsOf(filter).map((path) => [path.join('.'), path]))
    return [...paths].flatMap(([name, path]) => {
      const { values, rows } = this.#columns.get(keyOf(path))!
      const isThere = (place: number, row: number) =>
        values[place] !== undefined && this.#owners[row] !== NO_OWNER
      return rows.some(isThere) ? [] : [name]
    })
  }

  /** By row: 1 where the filter is met, else 0. */
  #rowsOf(filter: Filter): Uint8Array {
    switch (filter.op) {
      case 'and':
      case 'or': {
        const rows = new Uint8Array(this.#chunks.length).fill(filter.op === 'and' ? 1 : 0)
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
    const result = new Uint8Array(rows.length)
    for (let row = 0; row < rows.length; row++) result[row] = met[rows[row]!]!
    return result
  }

  #compact(): void {
    const stays = this.#owners.map((owner) => owner !== NO_OWNER)
    const left = (rows: number[]) => rows.filter((_, row) => stays[row])
    this.#chunks = left(this.#chunks)
    this.#owners = left(this.#owners)
    this.#gone = 0
    for (const [key, { path, values, rows }] of this.#columns) {
      const column = emptyColumn(path)
      column.rows = left(rows).map((place) => placeOf(column, values[place]))
      this.#columns.set(key, column)
    }
  }
}

/** The paths that a filter compares. */
export function pathsOf(filter: Filter): (readonly string[])[] {
  if ('all' in filter) return filter.all.flatMap(pathsOf)
  return 'not' in filter ? pathsOf(filter.not) : [filter.path]
}

const keyOf = (path: readonly string[]): string => canonicalJson([...path])

const emptyColumn = (path: readonly string[]): Column => ({ path, values: [], places: new Map(), rows: [] })

function placeOf({ values, places }: Column, value: Json | undefined): number {
  const key = value === undefined ? '' : canonicalJson(value)
  const known = places.get(key)
  if (known !== undefined) return known
  places.set(key, values.length)
  return values.push(value) - 1
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
function rowOf(chunks: readonly number[], chunk: number): number {
  let from = 0
  let to = chunks.length
  while (from < to) {
    const middle = (from + to) >> 1
    if (chunks[middle]! < chunk) from = middle + 1
    else to = middle
  }
  return from
}
