import type { Connection, Row } from './connection.ts'
import { readSegmentBody, type SegmentBody, type TextSegment } from './text-segments.ts'

/** The most bytes of bodies that a connection caches: some 30 million passages. */
const MOST_BYTES = 64 * 2 ** 20

type Cached = SegmentBody & { bytes: number; gone: Uint8Array | null; goneCount: number }

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
      cached.gone = row?.gone ?? null
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
    return { ...body, bytes, gone: null, goneCount: 0 }
  }
}

const caches = new WeakMap<Connection, SegmentCache>()

type ListedRow = Row & { id: number; goneCount: number; terms: number }

/**
 * The segments of an index in the order of their passages, without those that have only passages of an open run: readers
 * see none of them, and they can be many. Their bodies are cached.
 */
export function segmentsToSearch(connection: Connection, indexId: number): TextSegment[] {
  const cache = caches.get(connection) ?? new SegmentCache()
  caches.set(connection, cache)
  const segments: TextSegment[] = []
  for (const { id, goneCount, terms } of connection.all<ListedRow>(
    `SELECT id, gone_count AS goneCount, terms FROM text_segments WHERE index_id = ?1 AND first_passage <
       coalesce((SELECT min(first_passage) FROM runs WHERE index_id = ?1 AND state = 'open'), 9e18)
     ORDER BY first_passage`,
    indexId,
  )) {
    const cached = cache.get(connection, id, goneCount)
    if (cached) segments.push({ ...cached, id, terms })
  }
  cache.shrink()
  return segments
}
