import type { Repair } from '../../contract/vector-engine.ts'

/** The points of a collection as a repair reads and removes them. */
export type HeldPoints = {
  /** The ids of all points, in batches, each id once. Points may be removed between two batches. */
  pages(): AsyncIterable<string[]>
  remove(ids: readonly string[]): Promise<void>
}

/**
 * Removes the points that are not expected, and finds the expected ones that are not there.
 *
 * Keeps the expected ids in memory: about 100 bytes each.
 */
export async function repairPoints(
  { pages, remove }: HeldPoints,
  expected: AsyncIterable<string[]>,
): Promise<Repair> {
  const wanted = new Set<string>()
  for await (const ids of expected) for (const id of ids) wanted.add(id)
  const missing = new Set(wanted)
  let removed = 0
  for await (const ids of pages()) {
    for (const id of ids) missing.delete(id)
    const surplus = ids.filter((id) => !wanted.has(id))
    if (surplus.length > 0) await remove(surplus)
    removed += surplus.length
  }
  return { removed, missing: [...missing] }
}
