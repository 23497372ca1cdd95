import type { StorePart } from '../contract/card.ts'
import {
  COMPARISON_STEPS,
  type EngineComparison,
  type EngineDifferences,
} from '../contract/engine-comparison.ts'
import type { JobProgress } from '../contract/job.ts'
import type { UpsertWarning } from './outcome.ts'

export type RepairWork = {
  part: Pick<StorePart, 'store' | 'embedder'>
  /** Only compares, and tells what a repair would do. */
  dryRun: boolean
  /** Warnings of the plan. */
  warnings: readonly UpsertWarning[]
  jobId?: string | undefined
}

/** Points by how they differ from their chunks. */
type ByDifference<Value> = Record<'missing' | 'surplus' | 'different' | 'damaged', Value>

/** The answer of a repair. Counts are of points, but those of texts. */
export type RepairResult = {
  dryRun: boolean
  /** How many chunks the ledger has that need a point, and how many points the engine had. */
  numChunks: number
  numPoints: number
  numMissing: number
  numSurplus: number
  numDifferent: number
  numDamaged: number
  /** Points whose vectors have no check. */
  numUnchecked: number
  /** Texts that a repair would embed; of a dry run alone. */
  numToEmbed?: number
  numWritten: number
  /** Texts. */
  numEmbedded: number
  numRemoved: number
  numLeft: number
  left: ByDifference<number>
  /** Why something is left, or would be. */
  why: string | null
  /** The ids of the first points of each kind that were found. */
  first: ByDifference<string[]>
  embedder: string
  warnings: UpsertWarning[]
}

/** How often a repair reads all points: to find what differs, to mend it, and to see that it is mended. */
const PASSES = COMPARISON_STEPS.length

const FOUND_LATER = 'they were found when the repair was over: another repair mends them'

/**
 * Compares the points of a store with its chunks, and mends what differs. What was mended stays mended, however it ends; begun anew it
 * compares anew, and costs no text twice.
 *
 * @throws SluiceError `engine_changed`, and those of the engine
 */
export async function runRepair(
  { part: { store, embedder }, dryRun, warnings }: RepairWork,
  signal: AbortSignal,
  onProgress: (progress: JobProgress) => void = () => {},
): Promise<RepairResult> {
  const chunks = { seen: 0, embedded: 0, written: 0, due: 0 }
  const points = { total: 0, found: 0, passes: 1 }
  const progress: JobProgress = {
    ...{ stage: 'compare', chunks, points },
    files: { total: 0, done: 0, failed: 0, known: true },
  }
  onProgress(progress)
  // Chunks in another engine are told, not taken for none.
  await store.embedder()
  const comparison = await store.compare!({
    ...{ repair: !dryRun, estimate: dryRun, embedder, signal },
    progress({ step, done, total, found, due, written, embedded }) {
      progress.stage = step
      // Points and chunks are read one after another: each point is compared once both were.
      points.total = Math.max(points.total, Math.ceil(total / 2))
      points.found = found
      points.passes = !dryRun && found > 0 ? PASSES : 1
      const before = COMPARISON_STEPS.indexOf(step) * points.total
      chunks.seen = Math.max(chunks.seen, before + Math.floor(done / 2))
      Object.assign(chunks, { embedded, written, due })
      onProgress(progress)
    },
  })
  return { ...resultOf(comparison ?? NOTHING, dryRun), embedder: embedder.id, warnings: [...warnings] }
}

function resultOf(compared: EngineComparison, dryRun: boolean): Omit<RepairResult, 'embedder' | 'warnings'> {
  const { expected, held, unchecked, toEmbed = 0, why, repair } = compared
  const found = countsOf(compared)
  const left = countsOf(repair?.left ?? compared)
  const numLeft = left.missing + left.surplus + left.different + left.damaged
  return {
    dryRun,
    ...{ numChunks: expected, numPoints: held, numUnchecked: unchecked },
    ...{ numMissing: found.missing, numSurplus: found.surplus },
    ...{ numDifferent: found.different, numDamaged: found.damaged },
    ...(dryRun ? { numToEmbed: toEmbed } : {}),
    numWritten: repair?.written ?? 0,
    numEmbedded: repair?.embedded ?? 0,
    numRemoved: repair?.removed ?? 0,
    ...{ numLeft, left },
    why: numLeft === 0 ? null : (why ?? (dryRun ? null : FOUND_LATER)),
    first: byDifference(compared, ({ first }) => [...first]),
  }
}

const byDifference = <Value>(
  { missing, surplus, differing, damaged }: EngineDifferences,
  of: (list: EngineDifferences['missing']) => Value,
): ByDifference<Value> => ({
  ...{ missing: of(missing), surplus: of(surplus), different: of(differing), damaged: of(damaged) },
})

const countsOf = (differences: EngineDifferences) => byDifference(differences, ({ count }) => count)

/** The comparison of a namespace that holds nothing. */
const NOTHING: EngineComparison = {
  ...{ expected: 0, held: 0, unchecked: 0 },
  missing: { count: 0, first: [] },
  surplus: { count: 0, first: [] },
  differing: { count: 0, first: [] },
  damaged: { count: 0, first: [] },
}
