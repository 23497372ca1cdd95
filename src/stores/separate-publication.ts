import type { StoreRun } from '../contract/chunk-store.ts'
import type { Ledger, LedgerIndex, LedgerRun } from '../contract/ledger.ts'
import type { SeparateEngine, VectorEngine } from '../contract/vector-engine.ts'
import { SluiceError } from '../kit/errors.ts'
import { deleteDead } from './removed-points.ts'
import { explained } from './require-collection.ts'

type Parts = { ledger: Ledger; engine: VectorEngine }

const isSeparate = (engine: VectorEngine): engine is SeparateEngine => 'upsert' in engine

/** Lets searches of a separate engine find what was staged. */
export async function letFind({ engine }: Pick<Parts, 'engine'>, index: LedgerIndex): Promise<void> {
  if (!isSeparate(engine)) return
  await explained(engine, index, { writes: true }, async () => engine.refresh?.(index.collection))
}

/** Publishes what the engine finds, and deletes what a separate one still has of replaced chunks: it would hide others. */
export async function publishWithEngine(
  { ledger, engine }: Parts,
  run: LedgerRun,
  publication: Parameters<StoreRun['publish']>[0],
): Promise<void> {
  if (publication.stagedCount > 0) await letFind({ engine }, run.index)
  await run.publish(publication)
  const { removedChunkIds, restorableUntil } = publication
  if (!isSeparate(engine) || restorableUntil !== undefined) return
  try {
    await deleteDead({ ledger, engine }, run.index.collection, removedChunkIds)
  } catch (error) {
    // The run is published, and its sweep deletes them.
    if (!(error instanceof SluiceError)) throw error
  }
}
