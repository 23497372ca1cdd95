/** Where a chunk is in a column, in pixels from its top. */
export type Anchor = { chunk: number; top: number; bottom: number }

/** A place in a column: a chunk, and how far down in it, from 0 to 1. */
export type ScrolledPlace = { chunk: number; share: number }

/** The place at a height; undefined in a column without chunks. Anchors come from the top down. */
export function placeAt(anchors: readonly Anchor[], y: number): ScrolledPlace | undefined {
  const at = anchors.findLast(({ top }) => top <= y) ?? anchors[0]
  if (!at) return undefined
  const height = Math.max(1, at.bottom - at.top)
  return { chunk: at.chunk, share: Math.min(1, Math.max(0, (y - at.top) / height)) }
}

/** The height of a place; undefined where the column has not its chunk. */
export function heightOf(anchors: readonly Anchor[], { chunk, share }: ScrolledPlace): number | undefined {
  const at = anchors.find((one) => one.chunk === chunk)
  return at && at.top + (at.bottom - at.top) * share
}
