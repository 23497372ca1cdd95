import { type Postings, postingsOf } from '../../keyword/page.ts'
import { mayHaveTerm } from '../../keyword/term-filter.ts'
import type { Connection, Row } from './connection.ts'
import type { TextSegment } from './text-segments.ts'

/** The most bytes of postings that a connection caches, twice: of the last questions, and of the ones before. */
const MOST_BYTES = 32 * 2 ** 20
/** What the objects of an entry take besides its postings, and those of a segment with entries. */
const ENTRY_BYTES = 320
const SEGMENT_BYTES = 300

/** How many passages of a segment have a term, and which, as soon as they are needed: a large list is read only then. */
export type TermEntry = { readonly count: number; postings(): Postings }

type Generation = Map<number, Map<number, Postings>>
type PageRow = Row & { firstTerm: number; count: number | null; bytes: Uint8Array<ArrayBuffer> | null }

/**
 * Reads the postings of terms, and caches those of the last questions. Pages are never changed and no segment id is used
 * twice, so none is out of date; those of a segment that was deleted are to be dropped.
 */
export class PostingsCache {
  readonly #connection: Connection
  #young: Generation = new Map()
  #old: Generation = new Map()
  #bytes = 0

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** What is cached of the last questions, in bytes. */
  get bytes(): number {
    return this.#bytes
  }

  /** Drops the postings of a segment. */
  drop(segmentId: number): void {
    this.#old.delete(segmentId)
    const segment = this.#young.get(segmentId)
    if (!segment) return
    this.#young.delete(segmentId)
    this.#bytes -= SEGMENT_BYTES
    for (const { bytes } of segment.values()) this.#bytes -= bytes.length + ENTRY_BYTES
  }

  /** Undefined where the segment does not have the term. */
  entryOf({ id, filter }: Pick<TextSegment, 'id' | 'filter'>, term: number): TermEntry | undefined {
    if (!mayHaveTerm(filter, term)) return undefined
    const cached = this.#young.get(id)?.get(term) ?? this.#old.get(id)?.get(term)
    if (cached) return { count: cached.count, postings: () => this.#keep(id, term, cached) }
    const page = this.#connection.get<PageRow>(
      `SELECT first_term AS firstTerm, count, iif(count IS NULL, page, NULL) AS bytes FROM text_pages
       WHERE segment_id = ? AND first_term <= ? ORDER BY first_term DESC LIMIT 1`,
      id,
      term,
    )
    if (!page) return undefined
    const { firstTerm, count, bytes } = page
    if (count !== null)
      return firstTerm === term ? { count, postings: () => this.#readList(id, term, count) } : undefined
    const postings = postingsOf({ firstTerm, count, bytes: bytes! }, term)
    // A copy, so that not the whole page stays in memory.
    const own = () => ({ count: postings!.count, bytes: postings!.bytes.slice() })
    return postings && { count: postings.count, postings: () => this.#keep(id, term, own()) }
  }

  #readList(id: number, term: number, count: number): Postings {
    const { bytes } = this.#connection.get<Row & { bytes: Uint8Array<ArrayBuffer> }>(
      'SELECT page AS bytes FROM text_pages WHERE segment_id = ? AND first_term = ?',
      id,
      term,
    )!
    return this.#keep(id, term, { count, bytes })
  }

  #keep(id: number, term: number, postings: Postings): Postings {
    if (this.#young.get(id)?.has(term)) return postings
    if (this.#bytes > MOST_BYTES) {
      this.#old = this.#young
      this.#young = new Map()
      this.#bytes = 0
    }
    let segment = this.#young.get(id)
    if (!segment) {
      segment = new Map()
      this.#young.set(id, segment)
      this.#bytes += SEGMENT_BYTES
    }
    segment.set(term, postings)
    this.#bytes += postings.bytes.length + ENTRY_BYTES
    return postings
  }
}

const caches = new WeakMap<Connection, PostingsCache>()

/** The postings that a connection caches. */
export function postingsCacheOf(connection: Connection): PostingsCache {
  const cache = caches.get(connection) ?? new PostingsCache(connection)
  caches.set(connection, cache)
  return cache
}
