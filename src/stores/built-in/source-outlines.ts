import type { SourceOutline } from '../../contract/search.ts'
import type { Connection } from '../../db/sqlite/connection.ts'
import { lastPublished } from '../../db/sqlite/index-changes.ts'
import { readSourceOutline } from '../../db/sqlite/source-outline.ts'

/** The beginning of a source's text that is compared with questions, in UTF-16 code units; it ends before a white space. */
const HEAD = 80

/** How many outlines are kept, over all indexes: some 5 MB with vectors of 256 numbers. */
const KEPT = 4096

/** The outlines of sources that searches found, each read at its first use. Those of an index hold until its next publication. */
export class SourceOutlines {
  readonly #reader: Connection
  /** By the ids of index and source, in the order of use. */
  readonly #kept = new Map<string, { run: number; outline: SourceOutline | undefined }>()

  constructor(reader: Connection) {
    this.#reader = reader
  }

  /** The outlines of some sources, by id; without a visible chunk there is none. Call it in the snapshot of the search. */
  of(indexId: number, sourceIds: Iterable<number>): Map<number, SourceOutline> {
    const run = lastPublished(this.#reader, indexId)
    const found = new Map<number, SourceOutline>()
    for (const id of new Set(sourceIds)) {
      const key = `${indexId} ${id}`
      let entry = this.#kept.get(key)
      this.#kept.delete(key)
      if (entry?.run !== run) entry = { run, outline: this.#read(id) }
      this.#kept.set(key, entry)
      if (entry.outline) found.set(id, entry.outline)
    }
    for (const key of this.#kept.keys()) {
      if (this.#kept.size <= KEPT) break
      this.#kept.delete(key)
    }
    return found
  }

  #read(sourceId: number): SourceOutline | undefined {
    const read = readSourceOutline(this.#reader, sourceId, HEAD + 1)
    if (!read) return undefined
    const [first, ...others] = read.vectors
    const direction = Float64Array.from(first ?? [])
    for (const vector of others) for (let at = 0; at < direction.length; at++) direction[at]! += vector[at]!
    const length = Math.hypot(...direction) || 1
    return {
      head: read.head.length > HEAD ? read.head.slice(0, HEAD).replace(/\s\S*$/u, '') : read.head,
      direction: Float32Array.from(direction, (number) => number / length),
    }
  }
}
