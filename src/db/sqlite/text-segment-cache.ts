import { setBit } from '../../keyword/bits.ts'
import { LENGTHS } from '../../keyword/length-class.ts'
import type { Connection, Row } from './connection.ts'
import { NOTHING_HIDDEN, type HiddenIds } from './hidden-passages.ts'
import { postingsCacheOf } from './postings-cache.ts'
import { readSegmentBody, type SegmentBody } from './text-segments.ts'

/** The most bytes of segments that a connection caches: some 30 million passages, or 25,000 small segments. */
const MOST_BYTES = 64 * 2 ** 20

/** What the objects of a segment take besides its contents, the lists of its passages and of what is left out among them. */
const ENTRY_BYTES = 2500
/** What an entry of a list takes. */
const LISTED_BYTES = 16
const COUNTED_BYTES = 40

/** Passages of a segment that readers see no chunk of; they count for nothing. */
type LeftOut = {
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

/** A segment as it is searched. */
export type SearchedSegment = SegmentBody & Omit<LeftOut, 'key'> & { id: number }

type Cached = SegmentBody & {
  indexId: number
  /** As it was counted last. */
  bytes: number
  removed: Uint8Array | null
  goneCount: number
  left?: LeftOut
}

/** Bodies by the id of their segment, the one used longest ago first. No id is used twice, so none is out of date. */
export class SegmentCache {
  readonly #segments = new Map<number, Cached>()
  /** The segments of each index that are here. */
  readonly #byIndex = new Map<number, Set<number>>()
  readonly #most: number
  readonly #dropped: (id: number) => void
  #bytes = 0

  /** @param dropped is called with each segment that leaves the cache */
  constructor(most = MOST_BYTES, dropped: (id: number) => void = () => {}) {
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
  ): Cached | undefined {
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

  #load(connection: Connection, indexId: number, id: number): Cached | undefined {
    const body = readSegmentBody(connection, id)
    if (!body) return undefined
    const others = this.#byIndex.get(indexId) ?? new Set()
    this.#byIndex.set(indexId, others.add(id))
    return { ...body, indexId, bytes: 0, removed: null, goneCount: 0 }
  }
}

/** What an entry takes in memory. */
function bytesOf({ ids, classes, filter, removed, left }: Cached): number {
  const ofLeft = left
    ? (left.gone?.length ?? 0) + left.leftOut.byteLength + left.leftOutHolders.size * COUNTED_BYTES
    : 0
  const own = classes.length + filter.length + (removed?.length ?? 0) + ids.runs * LISTED_BYTES
  return ENTRY_BYTES + own + ofLeft
}

const caches = new WeakMap<Connection, SegmentCache>()

/** The segments that a connection caches. */
export function segmentCacheOf(connection: Connection): SegmentCache {
  const cache =
    caches.get(connection) ?? new SegmentCache(MOST_BYTES, (id) => postingsCacheOf(connection).drop(id))
  caches.set(connection, cache)
  return cache
}

/** The index was deleted, or is not searched here any more. */
export const dropSegments = (connection: Connection, indexId: number): void =>
  caches.get(connection)?.keepOf(indexId, new Set())

type ListedRow = Row & { id: number; goneCount: number }

/**
 * The segments of an index in the order of their passages, with what readers do not see left out: removed passages, hidden
 * ones, and those that runs after the last publication have staged. A segment of which nothing is left is not among them.
 * Their bodies are cached.
 */
export function segmentsToSearch(
  connection: Connection,
  indexId: number,
  hidden: HiddenIds = NOTHING_HIDDEN,
): SearchedSegment[] {
  const cache = segmentCacheOf(connection)
  const before = connection.get<{ id: number | null }>(
    `SELECT min(first_passage) AS id FROM runs WHERE index_id = ?1 AND state <> 'published' AND seq >
       coalesce((SELECT max(seq) FROM runs WHERE index_id = ?1 AND state = 'published'), 0)`,
    indexId,
  )!.id
  const segments: SearchedSegment[] = []
  const listed = connection.all<ListedRow>(
    `SELECT id, gone_count AS goneCount FROM text_segments WHERE index_id = ? AND first_passage < ?
     ORDER BY first_passage`,
    indexId,
    before ?? Number.MAX_SAFE_INTEGER,
  )
  for (const row of listed) {
    const { id } = row
    const cached = cache.get(connection, indexId, row)
    if (!cached) continue
    const { ids, classes, filter } = cached
    const { key: _, ...left } = leftOutOf(cached, hidden, before ?? Infinity)
    if (left.leftOut.length < ids.size) segments.push({ id, ids, classes, filter, ...left })
  }
  const known = new Set(listed.map(({ id }) => id))
  cache.weigh(known)
  cache.keepOf(indexId, known)
  cache.shrink()
  return segments
}

/** What is left out of a segment: the same object until it changes. */
function leftOutOf(cached: Cached, hidden: HiddenIds, before: number): LeftOut {
  const { ids, goneCount, removed } = cached
  const last = ids.idAt(ids.size - 1)
  const staged = last >= before ? before : ''
  const key = `${goneCount} ${hidden.version} ${staged}`
  if (cached.left?.key === key) return cached.left
  const own = hidden.between(ids.idAt(0), last)
  let gone = removed
  if (own.length > 0 || staged !== '') {
    gone = removed?.slice() ?? new Uint8Array(Math.ceil(ids.size / 8))
    for (const id of own) {
      const number = ids.numberOf(id)
      if (number !== undefined) setBit(gone, number)
    }
    for (let number = ids.size - 1; number >= 0 && ids.idAt(number) >= before; number--) setBit(gone, number)
  }
  const numbers: number[] = []
  for (const [at, byte] of (gone ?? []).entries())
    for (let bits = byte; bits > 0; bits &= bits - 1) numbers.push(8 * at + 31 - Math.clz32(bits & -bits))
  const left: LeftOut = {
    key,
    gone,
    leftOut: Uint32Array.from(numbers),
    leftOutHolders: new Map(),
    terms: lengthOf(cached.classes) - lengthOf(numbers.map((number) => cached.classes[number]!)),
  }
  cached.left = left
  return left
}

const lengthOf = (classes: Iterable<number>): number => {
  let sum = 0
  for (const lengthClass of classes) sum += LENGTHS[lengthClass]!
  return sum
}
