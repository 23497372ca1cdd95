import type { Connection } from '../../db/sqlite/connection.ts'
import { lastPublished } from '../../db/sqlite/index-changes.ts'
import { readSourceHeads } from '../../db/sqlite/source-heads.ts'

/** The longest head, in characters; it ends before a white space. */
const LONGEST = 80

/** How many heads are kept, over all indexes: some 2 MB. */
const KEPT = 4096

/**
 * The beginnings of the texts of sources that searches found, each read at its first use. Those of an index hold until its
 * next publication.
 */
export class SourceHeads {
  readonly #reader: Connection
  /** By the ids of index and source, in the order of use. */
  readonly #kept = new Map<string, { run: number; head: string }>()

  constructor(reader: Connection) {
    this.#reader = reader
  }

  /** The heads of some sources, by id; a source without a visible chunk has none. Call it in the snapshot of the search. */
  of(indexId: number, sourceIds: Iterable<number>): Map<number, string> {
    const run = lastPublished(this.#reader, indexId)
    const found = new Map<number, string>()
    const unknown: number[] = []
    for (const id of new Set(sourceIds)) {
      const key = `${indexId} ${id}`
      const entry = this.#kept.get(key)
      this.#kept.delete(key)
      if (entry?.run !== run) unknown.push(id)
      else {
        this.#kept.set(key, entry)
        found.set(id, entry.head)
      }
    }
    if (unknown.length === 0) return found
    for (const { id, head: read } of readSourceHeads(this.#reader, unknown, LONGEST + 1)) {
      const head = read.length > LONGEST ? read.slice(0, LONGEST).replace(/\s\S*$/u, '') : read
      this.#kept.set(`${indexId} ${id}`, { run, head })
      found.set(id, head)
    }
    for (const key of this.#kept.keys()) {
      if (this.#kept.size <= KEPT) break
      this.#kept.delete(key)
    }
    return found
  }
}
