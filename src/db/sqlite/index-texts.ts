import type { Connection } from './connection.ts'
import { HashFilter } from './hash-filter.ts'

/** So many hashes are read when a run begins, in half a millisecond. */
const READ_AT_ONCE = 1000

/** How many hashes are read for each query that found nothing: such a query takes several times as long. */
const READ_PER_MISS = 8

/** So many indexes are remembered after their runs. */
const REMEMBERED = 8

/**
 * Which texts an index lacks: of most new texts it tells so without a query. In an index of millions such a query reads several
 * pages of the database that are in no cache.
 *
 * It is complete when the hashes that the index had at first are read. All texts that are staged later are noted, also those of
 * runs that end without a publication.
 */
export class IndexTexts {
  readonly #reader: Connection
  readonly #indexId: number
  readonly #filter = new HashFilter()
  /**
   * The last hash that was read; undefined when all are. They are read by their level: a hash only moves to a higher level, so
   * that none is missed.
   */
  #last: { level: number; hash: string } | undefined = { level: 0, hash: '' }

  constructor(reader: Connection, indexId: number) {
    this.#reader = reader
    this.#indexId = indexId
    this.#read(READ_AT_ONCE)
  }

  /** Whether the index certainly has no text with this hash, staged ones included. */
  lacks(hash: string): boolean {
    return this.#last === undefined && !this.#filter.mayHave(hash)
  }

  /** Notes a text that is going to be staged. Returns whether the index certainly lacked it. */
  note(hash: string): boolean {
    return this.#filter.add(hash) && this.#last === undefined
  }

  /** Reads more of the index, because so many queries found nothing. */
  readAfter(misses: number): void {
    if (misses > 0) this.#read(misses * READ_PER_MISS)
  }

  #read(count: number): void {
    if (this.#last === undefined) return
    const rows = this.#reader.all<{ level: number; hash: string }>(
      `SELECT level, hash FROM passage_hashes WHERE index_id = ? AND (level, hash) > (?, ?) ORDER BY level, hash LIMIT ?`,
      this.#indexId,
      this.#last.level,
      this.#last.hash,
      count,
    )
    for (const { hash } of rows) this.#filter.add(hash)
    this.#last = rows.length < count ? undefined : rows.at(-1)
  }
}

/** Those in use, and the last ones. The one of an index must not be made twice: each would lack what the other notes. */
type Known = { byIndex: Map<number, WeakRef<IndexTexts>>; latest: IndexTexts[] }

const known = new WeakMap<Connection, Known>()

/** The texts of an index of the database of a reader. Runs hold it until their last write has ended. */
export function indexTexts(reader: Connection, indexId: number): IndexTexts {
  const here: Known = known.get(reader) ?? { byIndex: new Map(), latest: [] }
  known.set(reader, here)
  const { byIndex, latest } = here
  const texts = byIndex.get(indexId)?.deref() ?? new IndexTexts(reader, indexId)
  byIndex.set(indexId, new WeakRef(texts))
  const place = latest.indexOf(texts)
  if (place >= 0) latest.splice(place, 1)
  latest.push(texts)
  if (latest.length > REMEMBERED) latest.shift()
  for (const [id, one] of byIndex) if (one.deref() === undefined) byIndex.delete(id)
  return texts
}
