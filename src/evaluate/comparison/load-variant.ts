import type { ChunkStore } from '../../contract/chunk-store.ts'
import type { Embedder } from '../../contract/embedder.ts'
import { reasonOf, SluiceError } from '../../kit/errors.ts'
import type { UpsertEngine } from '../../upsert/engine.ts'
import type { LoadedIndex } from './kept-state.ts'
import type { PlannedVariant } from './planned-variant.ts'

/** An index that only one comparison uses, with the engine that loads into it. */
export type TemporaryIndex = {
  store: ChunkStore
  engine: Pick<UpsertEngine, 'upsert' | 'idle'>
  close(): Promise<void>
}

export type LoadProgress = { documents: number; chunks: number; embedded: number }

/**
 * Loads the documents of a variant into its index. What an earlier process has embedded is used again.
 *
 * @throws SluiceError `comparison_over_limit`, `cancelled`, and what the upsert throws, with the name of the variant
 */
export async function loadVariant({
  variant,
  index,
  embedder,
  signal,
  onProgress,
}: {
  variant: PlannedVariant
  index: TemporaryIndex
  embedder: Embedder
  signal: AbortSignal
  onProgress(progress: LoadProgress): Promise<void>
}): Promise<Omit<LoadedIndex, 'tokens'>> {
  const work = variant.loading(index.store)
  const stop = new AbortController()
  let failure: unknown
  const fail = (error: unknown) => {
    failure ??= error
    stop.abort(error)
  }
  try {
    const result = await index.engine.upsert(
      { ...work, part: { ...work.part, embedder }, options: { ...work.options, strict: false } },
      AbortSignal.any([signal, stop.signal]),
      ({ files, chunks: { seen, embedded } }) => {
        onProgress({ documents: files.done, chunks: seen, embedded }).catch(fail)
      },
    )
    await index.engine.idle()
    if (failure !== undefined) throw failure
    return {
      documents: result.files.length - result.numFailed,
      failed: result.numFailed,
      chunks: result.totalKeys,
    }
  } catch (error) {
    if (failure !== undefined) throw failure
    signal.throwIfAborted()
    if (error instanceof SluiceError && OF_ALL.has(error.code)) throw error
    throw new SluiceError(
      'variant_failed',
      { variant: variant.name, reason: reasonOf(error) },
      { cause: error },
    )
  }
}

/** Failures that say all themselves. */
const OF_ALL: ReadonlySet<string> = new Set([
  'comparison_over_limit',
  'cancelled',
  'stopping',
  'storage_full',
])
