import type { LedgerChunk, LedgerRebuild, Publication } from '../../contract/ledger.ts'
import { indexIdOf, type IndexRow } from '../index-row.ts'

/** A run of this member, in an index. */
export type WatchedRun = { index: Pick<IndexRow, 'id' | 'embedder' | 'engine'>; run: number }

/** What a publication changes beside what was staged. */
export type WatchedPublication = Pick<Publication, 'stagedCount' | 'removedChunkIds' | 'movedChunks'>

/**
 * Is told what the runs of this member write, when the database has it: its replica need not read it back. Nothing of it fails.
 */
export type RunWatch = {
  /** @param ids of the chunks. The vectors are not used by anybody else afterwards */
  staged(
    run: WatchedRun,
    batch: {
      chunks: readonly LedgerChunk[]
      ids: readonly number[]
      dimensions: number
      vectors?: Float32Array | undefined
    },
  ): Promise<void>
  published(run: WatchedRun, publication: WatchedPublication): Promise<void>
  /** It is not published, or that is not known. */
  ended(run: WatchedRun): Promise<void>
}

/** Tells a watch how a publication has ended. */
export async function watched(
  watch: RunWatch | undefined,
  run: WatchedRun,
  publication: WatchedPublication,
  publish: () => Promise<void>,
): Promise<void> {
  try {
    await publish()
  } catch (error) {
    await watch?.ended(run)
    throw error
  }
  await watch?.published(run, publication)
}

/** A rebuild that is watched: everything in its index is staged. */
export function watchedRebuild(watch: RunWatch | undefined, rebuild: LedgerRebuild): LedgerRebuild {
  const { collection, embedder, engine } = rebuild.index
  const key = { index: { id: indexIdOf(collection), embedder, engine }, run: rebuild.run }
  return {
    ...rebuild,
    get dimensions() {
      return rebuild.dimensions
    },
    publish: (stagedCount, receipt) =>
      watched(watch, key, { stagedCount, removedChunkIds: [] }, () => rebuild.publish(stagedCount, receipt)),
  }
}
