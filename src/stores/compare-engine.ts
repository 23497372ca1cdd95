import type {
  ComparisonOptions,
  EngineComparison,
  EngineDifferences,
  PointList,
} from '../contract/engine-comparison.ts'
import type { Ledger, LedgerIndex } from '../contract/ledger.ts'
import type { SeparateEngine } from '../contract/vector-engine.ts'
import { findDifferences, type Visitor } from './find-differences.ts'
import { mender } from './mend-points.ts'

/** How many ids a list shows. */
const NAMED = 5

/**
 * Compares the points of an index with its chunks: by ids, texts and metadata, and each vector with its check. What changes meanwhile
 * is looked at twice, so that an upsert that runs is not taken for damage; the last batch that it writes may be.
 *
 * Memory does not grow with the points. A repair that ends half way is begun again by comparing: what was mended is sound then.
 *
 * @param repair removes points without a chunk, and writes those that are missing, differ or have a damaged vector, with a vector that
 *   the engine has of their texts. No upsert of the namespace may run
 * @param embedder makes the vectors that the engine does not have; the ledger has the texts
 */
export async function compareEngine(
  { ledger, engine }: { ledger: Ledger; engine: SeparateEngine },
  index: LedgerIndex,
  { repair, embedder, progress = () => {} }: ComparisonOptions,
): Promise<EngineComparison> {
  const { collection } = index
  async function look(step: 'compare' | 'check'): Promise<Omit<EngineComparison, 'repair'>> {
    const lists = differenceLists()
    const { held, unchecked } = await findDifferences(
      { ledger, engine },
      index,
      lists.visitor,
      (done, total) => progress({ step, done, total }),
    )
    const { missing, surplus } = lists.found
    return { expected: held - surplus.count + missing.count, held, unchecked, ...lists.found }
  }

  const comparison = await look('compare')
  if (!repair) return comparison
  const before = differencesOf(comparison)
  const lists = Object.values(before)
  if (lists.every(({ count }) => count === 0))
    return { ...comparison, repair: { written: 0, removed: 0, embedded: 0, left: before } }

  const mend = mender({ ledger, engine }, index, embedder)
  const done = { written: 0, embedded: 0, removed: 0 }
  const write = async (ids: readonly string[]) => {
    const mended = await mend(ids)
    done.written += mended.written
    done.embedded += mended.embedded
  }
  await findDifferences(
    { ledger, engine },
    index,
    {
      missing: write,
      differing: write,
      damaged: write,
      async surplus(ids) {
        await engine.delete(collection, ids)
        done.removed += ids.length
      },
    },
    (read, total) => progress({ step: 'repair', done: read, total }),
  )
  return { ...comparison, repair: { ...done, left: differencesOf(await look('check')) } }
}

const differencesOf = ({ missing, surplus, differing, damaged }: EngineDifferences): EngineDifferences => ({
  ...{ missing, surplus, differing, damaged },
})

/** Counts what is found, and keeps the first ids of each kind. */
function differenceLists(): { found: EngineDifferences; visitor: Visitor } {
  const empty = (): PointList => ({ count: 0, first: [] })
  const found = { missing: empty(), surplus: empty(), differing: empty(), damaged: empty() }
  const into = (list: PointList) => async (ids: readonly string[]) => {
    list.count += ids.length
    list.first = [...list.first, ...ids].sort().slice(0, NAMED)
  }
  const { missing, surplus, differing, damaged } = found
  const visitor = {
    ...{ missing: into(missing), surplus: into(surplus) },
    ...{ differing: into(differing), damaged: into(damaged) },
  }
  return { found, visitor }
}
