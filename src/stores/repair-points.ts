import type { SeparateEngine } from '../contract/vector-engine.ts'
import { IdSums } from './id-sums.ts'

/** Ids in batches; one may come again. `known`: those of some ids that are among them. */
export type IdList = {
  ids(): AsyncIterable<readonly string[]>
  known(ids: readonly string[]): Promise<ReadonlySet<string>>
}

/** How many ids are kept in memory before they are removed. */
const KEPT = 50_000

/**
 * Removes the points of a collection that are not expected, and finds the expected ones that are not there. Both lists are read once,
 * and once more where they differ; nothing is kept but their sums, so memory does not grow with them. What has ended half way is begun
 * again by reading: it has removed only what nobody expects.
 *
 * @param missing called with the ids that have no point, in batches; an id may come again
 * @returns how many points were removed
 */
export async function repairPoints(
  engine: Pick<SeparateEngine, 'ids' | 'checks' | 'delete'>,
  collection: string,
  expected: IdList,
  missing: (ids: string[]) => Promise<void>,
): Promise<number> {
  const sums = new IdSums()
  // First what is expected: where it cannot be read, nothing is removed.
  for await (const ids of expected.ids()) sums.add(ids)
  for await (const ids of engine.ids(collection)) sums.subtract(ids)
  if (sums.isEven()) return 0

  let removed = 0
  for (let last: string | undefined; ; ) {
    const surplus = await findSurplus(engine.ids(collection), sums, expected)
    // Points that do not go would be found for ever.
    if (surplus.length === 0 || surplus[0] === last) break
    await engine.delete(collection, surplus)
    removed += surplus.length
    if (surplus.length < KEPT) break
    last = surplus[0]
  }
  for await (const ids of expected.ids()) {
    const asked = sums.suspects(ids)
    if (asked.length === 0) continue
    const held = await engine.checks(collection, asked)
    const absent = asked.filter((id) => !held.has(id))
    if (absent.length > 0) await missing(absent)
  }
  return removed
}

/** Some points that are not expected. They are removed after the list was read: a removal would move what comes after it. */
async function findSurplus(
  pages: AsyncIterable<readonly string[]>,
  sums: IdSums,
  expected: IdList,
): Promise<string[]> {
  const surplus: string[] = []
  for await (const ids of pages) {
    const asked = sums.suspects(ids)
    const known = asked.length > 0 ? await expected.known(asked) : new Set()
    surplus.push(...asked.filter((id) => !known.has(id)))
    if (surplus.length >= KEPT) break
  }
  return surplus
}
