import { setBit } from '../../keyword/bits.ts'
import { LENGTHS } from '../../keyword/length-class.ts'
import type { Connection, Row } from './connection.ts'
import { NOTHING_HIDDEN, type HiddenIds } from './hidden-passages.ts'
import { readSegmentBody, type SegmentBody } from './text-segments.ts'

/** The most bytes of bodies that a connection caches: some 30 million passages. */
const MOST_BYTES = 64 * 2 ** 20

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

type Cached = SegmentBody & { bytes: number; removed: Uint8Array | null; goneCount: number; left?: LeftOut }

/** Bodies by the id of their segment, the one used longest ago first. No id is used twice, so none is out of date. */
class SegmentCache {
  readonly #segments = new Map<number, Cached>()
  #bytes = 0

  /** Undefined for a segment that was deleted. */
  get(connection: Connection, id: number, goneCount: number): Cached | undefined {
    const cached = this.#segments.get(id) ?? this.#load(connection, id)
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

  /** Forgets segments, the ones used longest ago first, until the rest is within the bound. */
  shrink(): void {
    for (const [id, { bytes }] of this.#segments) {
      if (this.#bytes <= MOST_BYTES) return
      this.#segments.delete(id)
      this.#bytes -= bytes
    }
  }

  #load(connection: Connection, id: number): Cached | undefined {
    const body = readSegmentBody(connection, id)
    if (!body) return undefined
    const bytes = body.classes.length + body.filter.length
    this.#bytes += bytes
    return { ...body, bytes, removed: null, goneCount: 0 }
  }
}

const caches = new WeakMap<Connection, SegmentCache>()

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
  const cache = caches.get(connection) ?? new SegmentCache()
  caches.set(connection, cache)
  const before = connection.get<{ id: number | null }>(
    `SELECT min(first_passage) AS id FROM runs WHERE index_id = ?1 AND state <> 'published' AND seq >
       coalesce((SELECT max(seq) FROM runs WHERE index_id = ?1 AND state = 'published'), 0)`,
    indexId,
  )!.id
  const segments: SearchedSegment[] = []
  for (const { id, goneCount } of connection.all<ListedRow>(
    `SELECT id, gone_count AS goneCount FROM text_segments WHERE index_id = ? AND first_passage < ?
     ORDER BY first_passage`,
    indexId,
    before ?? Number.MAX_SAFE_INTEGER,
  )) {
    const cached = cache.get(connection, id, goneCount)
    if (!cached) continue
    const { ids, classes, filter } = cached
    const { key: _, ...left } = leftOutOf(cached, hidden, before ?? Infinity)
    if (left.leftOut.length < ids.size) segments.push({ id, ids, classes, filter, ...left })
  }
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
