import type { SeparateEngine } from '../../src/contract/vector-engine.ts'
import { repairPoints } from '../../src/stores/repair-points.ts'

/** Repairs a collection that should have the points with some ids, given in batches. @returns how many went, and which are missing */
export async function repaired(
  engine: Pick<SeparateEngine, 'ids' | 'checks' | 'delete'>,
  collection: string,
  ...expected: string[][]
): Promise<{ removed: number; missing: string[] }> {
  const wanted = new Set(expected.flat())
  const missing: string[] = []
  const removed = await repairPoints(
    engine,
    collection,
    {
      async *ids() {
        yield* expected
      },
      known: async (ids) => new Set(ids.filter((id) => wanted.has(id))),
    },
    async (ids) => void missing.push(...ids),
  )
  return { removed, missing }
}
