import { type Postings, postingsOf } from '../../keyword/page.ts'
import { mayHaveTerm } from '../../keyword/term-filter.ts'
import type { Connection, Row } from './connection.ts'
import { readSegmentBody, type SegmentBody, type TextSegment } from './text-segments.ts'

/** The most bytes of segments that a connection caches: some 30 million passages, or 25,000 small segments. */
const MOST_SEGMENT_BYTES = 64 * 2 ** 20

/** What the objects of a segment take besides its contents, the lists of its passages and of what is left out among them. */
const SEGMENT_BYTES = 2500
/** What an entry of a list takes. */
const LISTED_BYTES = 16
const COUNTED_BYTES = 40

/** Passages of a segment that readers see no chunk of; they count for nothing. */
export type SegmentLeftOut = {
  /** Changes with what is left out. */
  key: string
  /** Bits by number; null for none. */
  gone: Uint8Array | null
  /** Their numbers, in ascending order. */
  leftOut: Uint32Array
  /** How many of them have a term: what was counted so far. */
  leftOutHolders: Map<number, number>
  /** How many terms the other passages have. */
  terms: number
}

/** A segment as it is kept. */
export type CachedSegment = SegmentBody & {
  indexId: number
  /** As it was counted last. */
  bytes: number
  removed: Uint8Array | null
  goneCount: number
  left?: SegmentLeftOut
}

/** Bodies by the id of their segment, the one used longest ago first. No id is used twice, so none is out of date. */
export class SegmentCache {
  readonly #segments = new Map<number, CachedSegment>()
  /** The segments of each index that are here. */
  readonly #byIndex = new Map<number, Set<number>>()
  readonly #most: number
  readonly #dropped: (id: number) => void
  #bytes = 0

  /** @param dropped is called with each segment that leaves the cache */
  constructor(most = MOST_SEGMENT_BYTES, dropped: (id: number) => void = () => {}) {
    this.#most = most
    this.#dropped = dropped
  }

  get size(): number {
    return this.#segments.size
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Undefined for a segment that was deleted. */
  get(
    connection: Connection,
    indexId: number,
    { id, goneCount }: { id: number; goneCount: number },
  ): CachedSegment | undefined {
    const cached = this.#segments.get(id) ?? this.#load(connection, indexId, id)
    if (!cached) return undefined
    this.#segments.delete(id)
    this.#segments.set(id, cached)
    // Passages are only ever added to the removed ones, so their count tells which are meant.
    if (cached.goneCount !== goneCount) {
      const row = connection.get<Row & { gone: Uint8Array<ArrayBuffer> | null }>(
        'SELECT gone FROM text_segments WHERE id = ?',
        id,
      )
      cached.removed = row?.gone ?? null
      cached.goneCount = goneCount
    }
    return cached
  }

  /** Counts again what segments take: what is left out of them grows. */
  weigh(ids: Iterable<number>): void {
    for (const id of ids) {
      const cached = this.#segments.get(id)
      if (!cached) continue
      this.#bytes -= cached.bytes
      cached.bytes = bytesOf(cached)
      this.#bytes += cached.bytes
    }
  }

  /** Drops the segments of an index that are not among those that it has: merges have deleted them. */
  keepOf(indexId: number, ids: ReadonlySet<number>): void {
    const here = this.#byIndex.get(indexId)
    // With no more than those that are kept none was deleted.
    if (!here || here.size <= ids.size) return
    for (const id of here) if (!ids.has(id)) this.#drop(id)
  }

  /** Drops segments, the ones used longest ago first, until the rest is within the bound. */
  shrink(): void {
    for (const id of this.#segments.keys()) {
      if (this.#bytes <= this.#most) return
      this.#drop(id)
    }
  }

  #drop(id: number): void {
    const { indexId, bytes } = this.#segments.get(id)!
    this.#segments.delete(id)
    this.#bytes -= bytes
    const others = this.#byIndex.get(indexId)!
    others.delete(id)
    if (others.size === 0) this.#byIndex.delete(indexId)
    this.#dropped(id)
  }

  #load(connection: Connection, indexId: number, id: number): CachedSegment | undefined {
    const body = readSegmentBody(connection, id)
    if (!body) return undefined
    const others = this.#byIndex.get(indexId) ?? new Set()
    this.#byIndex.set(indexId, others.add(id))
    return { ...body, indexId, bytes: 0, removed: null, goneCount: 0 }
  }
}

/** What an entry takes in memory. */
function bytesOf({ ids, classes, filter, removed, left }: CachedSegment): number {
  const ofLeft = left
    ? (left.gone?.length ?? 0) + left.leftOut.byteLength + left.leftOutHolders.size * COUNTED_BYTES
    : 0
  const own = classes.length + filter.length + (removed?.length ?? 0) + ids.runs * LISTED_BYTES
  return SEGMENT_BYTES + own + ofLeft
}

const segmentCaches = new WeakMap<Connection, SegmentCache>()

/** The segments that a connection caches. */
export function segmentCacheOf(connection: Connection): SegmentCache {
  const cache =
    segmentCaches.get(connection) ??
    new SegmentCache(MOST_SEGMENT_BYTES, (id) => postingsCacheOf(connection).drop(id))
  segmentCaches.set(connection, cache)
  return cache
}

/** The index was deleted, or is not searched here any more. */
export const dropSegments = (connection: Connection, indexId: number): void =>
  segmentCaches.get(connection)?.keepOf(indexId, new Set())

/** The most bytes of postings that a connection caches, twice: of the last questions, and of the ones before. */
const MOST_POSTINGS_BYTES = 32 * 2 ** 20
/** What the objects of an entry take besides its postings, and those of a segment with entries. */
const ENTRY_BYTES = 320
const SEGMENT_ENTRIES_BYTES = 300

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
    this.#bytes -= SEGMENT_ENTRIES_BYTES
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
    if (this.#bytes > MOST_POSTINGS_BYTES) {
      this.#old = this.#young
      this.#young = new Map()
      this.#bytes = 0
    }
    let segment = this.#young.get(id)
    if (!segment) {
      segment = new Map()
      this.#young.set(id, segment)
      this.#bytes += SEGMENT_ENTRIES_BYTES
    }
    segment.set(term, postings)
    this.#bytes += postings.bytes.length + ENTRY_BYTES
    return postings
  }
}

const postingsCaches = new WeakMap<Connection, PostingsCache>()

/** The postings that a connection caches. */
export function postingsCacheOf(connection: Connection): PostingsCache {
  const cache = postingsCaches.get(connection) ?? new PostingsCache(connection)
  postingsCaches.set(connection, cache)
  return cache
}
