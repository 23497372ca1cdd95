import type { PointContent } from '../contract/ledger-points.ts'
import type { ExpectedContents, HeldPoint } from '../contract/vector-engine.ts'

/**
 * A point as it was read from an engine, with all that the engine keeps of its text and metadata, as one text, and the check of its
 * vector.
 */
export type ReadPoint = { id: string; content: string; check: string | null }

/** A field that was read as the check of a vector: null where there is none. */
export const checkIn = (field: unknown): string | null => (typeof field === 'string' ? field : null)

/**
 * Compares points with what is expected of them.
 *
 * @param pages all points of a collection, in batches
 * @param contentOf the text that `content` of a sound point is: engines change texts and metadata in their own ways
 */
export async function* comparePoints(
  pages: AsyncIterable<readonly ReadPoint[]>,
  expected: ExpectedContents,
  contentOf: (content: PointContent) => string,
): AsyncGenerator<HeldPoint[]> {
  for await (const points of pages) {
    const contents = await expected(points.map(({ id }) => id))
    yield points.map(({ id, content, check }): HeldPoint => {
      const own = contents.get(id)
      if (!own) return { id, state: 'unknown', check }
      return { id, state: contentOf(own) === content ? 'same' : 'differs', check }
    })
  }
}
