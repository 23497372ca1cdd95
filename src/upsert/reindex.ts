import type { StorePart } from '../contract/card.ts'
import type { StoreRebuild } from '../contract/chunk-store.ts'
import type { JobProgress } from '../contract/job.ts'
import type { UpsertWarning } from './outcome.ts'
import { Stager } from './stager.ts'

export type ReindexWork = {
  part: Pick<StorePart, 'store' | 'embedder'>
  /** Warnings of the plan. */
  warnings: readonly UpsertWarning[]
  /** The job of the reindex: its result is stored together with the publication. */
  jobId?: string | undefined
}

/** The answer of a reindex. */
export type ReindexResult = {
  /** How many chunks the namespace has, all with new vectors. */
  numChunks: number
  /** How many texts this run has embedded: fewer if chunks share a text, or an earlier attempt has embedded some. */
  numEmbedded: number
  embedder: string
  dimensions: number | null
  warnings: UpsertWarning[]
}

export const nothingToReindex = ({ part, warnings }: ReindexWork): ReindexResult => ({
  numChunks: 0,
  numEmbedded: 0,
  embedder: part.embedder.id,
  dimensions: part.embedder.dimensions ?? null,
  warnings: [...warnings],
})

/**
 * Embeds the stored texts of a namespace again and replaces all vectors at once. After a failure or a cancellation the
 * namespace is as before, and the next attempt uses the vectors that were made.
 */
export async function runReindex(
  { part, warnings, jobId }: ReindexWork,
  rebuild: StoreRebuild,
  signal: AbortSignal,
  onProgress: (progress: JobProgress) => void = () => {},
): Promise<ReindexResult> {
  const { store, embedder } = part
  const progress: JobProgress = {
    stage: 'embed',
    files: { total: 0, done: 0, failed: 0, known: true },
    chunks: { seen: 0, embedded: 0, written: 0, due: rebuild.total },
  }
  const report = () => onProgress(progress)
  const notes = new Set<string>()
  const stager = new Stager({
    place: rebuild,
    namespace: store.namespace,
    embedder,
    signal,
    note: (reason) => notes.add(reason),
    progress(counts) {
      Object.assign(progress.chunks, counts)
      report()
    },
  })

  try {
    report()
    for await (const batch of rebuild.chunks())
      for (const chunk of batch) {
        await stager.room()
        const text = await rebuild.text(chunk)
        stager.add({ ...chunk, text: text ?? '' }, text === undefined)
        progress.chunks.seen++
      }
    await stager.flush()
    progress.stage = 'publish'
    report()
    signal.throwIfAborted()
    const { embedded, written } = progress.chunks
    const result = {
      numChunks: written,
      numEmbedded: embedded,
      embedder: embedder.id,
      dimensions: rebuild.dimensions ?? null,
      warnings: [...warnings, ...[...notes].map((reason) => ({ key: 'embeddings', reason }))],
    }
    await rebuild.publish(written, jobId === undefined ? undefined : { job: jobId, result, progress })
    return result
  } catch (error) {
    // Finished vectors are written before the run is abandoned: the next attempt uses them.
    await stager.stop()
    throw error
  }
}
