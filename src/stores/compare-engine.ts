import type {
  ComparisonOptions,
  ComparisonProgress,
  EngineComparison,
  EngineDifferences,
  PointList,
} from '../contract/engine-comparison.ts'
import type { Ledger, LedgerIndex } from '../contract/ledger.ts'
import type { SeparateEngine } from '../contract/vector-engine.ts'
import { findDifferences, type Visitor } from './find-differences.ts'
import { pointMender } from './mend-points.ts'

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
 * @param estimate counts the texts that a repair would embed, though nothing is repaired
 * @param embedder makes the vectors that the engine does not have; the ledger has the texts
 * @param signal ends it between two batches of points
 */
export async function compareEngine(
  { ledger, engine }: { ledger: Ledger; engine: SeparateEngine },
  index: LedgerIndex,
  { repair, estimate = false, embedder, progress = () => {}, signal }: ComparisonOptions,
): Promise<EngineComparison> {
  const { collection } = index
  const mender = pointMender({ ledger, engine }, index, { embedder, signal })
  const seen = { found: 0, due: 0, written: 0, embedded: 0, removed: 0 }
  const tell = (step: ComparisonProgress['step']) => (done: number, total: number) => {
    signal?.throwIfAborted()
    progress({ step, done, total, ...seen })
  }
  async function look(step: 'compare' | 'check'): Promise<Omit<EngineComparison, 'repair'>> {
    const isFirst = step === 'compare'
    let toEmbed = 0
    const lists = differenceLists(async (kind, ids) => {
      if (!isFirst) return
      seen.found += ids.length
      if (kind === 'surplus') return
      seen.due += ids.length
      if (estimate && !repair) toEmbed += await mender.countTexts(ids)
    })
    const { held, unchecked } = await findDifferences({ ledger, engine }, index, lists.visitor, tell(step))
    const { missing, surplus } = lists.found
    const expected = held - surplus.count + missing.count
    return { expected, held, unchecked, ...lists.found, ...(estimate && !repair ? { toEmbed } : {}) }
  }
  /** Where nothing lacks a vector, nobody asks why. */
  const reason = () => (mender.why === undefined ? {} : { why: mender.why })

  const comparison = await look('compare')
  if (!repair) return comparison.toEmbed ? { ...comparison, ...reason() } : comparison
  const before = differencesOf(comparison)
  const lists = Object.values(before)
  if (lists.every(({ count }) => count === 0))
    return { ...comparison, repair: { written: 0, removed: 0, embedded: 0, left: before } }

  const told = tell('repair')
  let read = { done: 0, total: 0 }
  /** Texts may take long to embed, while nothing is read. */
  const write = (ids: readonly string[]) =>
    mender.mend(ids, ({ written, embedded }) => {
      seen.written += written
      seen.embedded += embedded
      told(read.done, read.total)
    })
  await findDifferences(
    { ledger, engine },
    index,
    {
      missing: write,
      differing: write,
      damaged: write,
      async surplus(ids) {
        // The right to the namespace may be lost.
        signal?.throwIfAborted()
        await engine.delete(collection, ids)
        seen.removed += ids.length
      },
    },
    (done, total) => {
      read = { done, total }
      told(done, total)
    },
  )
  const left = differencesOf(await look('check'))
  const { written, embedded, removed } = seen
  const isLacking = left.missing.count + left.damaged.count > 0
  return {
    ...comparison,
    ...(isLacking ? reason() : {}),
    repair: { written, removed, embedded, left },
  }
}

const differencesOf = ({ missing, surplus, differing, damaged }: EngineDifferences): EngineDifferences => ({
  ...{ missing, surplus, differing, damaged },
})

/** Counts what is found, and keeps the first ids of each kind. @param noted called with what was found */
function differenceLists(noted: (kind: keyof Visitor, ids: readonly string[]) => Promise<void>): {
  found: EngineDifferences
  visitor: Visitor
} {
  const empty = (): PointList => ({ count: 0, first: [] })
  const found = { missing: empty(), surplus: empty(), differing: empty(), damaged: empty() }
  const into = (kind: keyof Visitor) => async (ids: readonly string[]) => {
    const list = found[kind]
    list.count += ids.length
    list.first = [...list.first, ...ids].sort().slice(0, NAMED)
    await noted(kind, ids)
  }
  const visitor = {
    ...{ missing: into('missing'), surplus: into('surplus') },
    ...{ differing: into('differing'), damaged: into('damaged') },
  }
  return { found, visitor }
}
