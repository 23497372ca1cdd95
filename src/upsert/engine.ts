import type { ChunkStore, Removal, StoreRun } from '../contract/chunk-store.ts'
import type { JobProgress } from '../contract/job.ts'
import type { Log } from '../kit/log.ts'
import type { KeyedMutex } from '../kit/mutex.ts'
import { reasonOf, SluiceError } from '../kit/errors.ts'
import { checkForm } from './gather.ts'
import type { UpsertResult } from './outcome.ts'
import { nothingToReindex, reindex, type ReindexResult, type ReindexWork } from './reindex.ts'
import { type UpsertProgress, UpsertRun, type UpsertWork } from './run.ts'

export type UpsertEngine = {
  /** @throws SluiceError what made the whole upsert fail; then nothing has changed */
  upsert(
    work: UpsertWork,
    signal: AbortSignal,
    onProgress?: (progress: UpsertProgress) => void,
  ): Promise<UpsertResult>
  /** Embeds all that a namespace holds anew. @throws SluiceError why it could not; then readers see what they saw */
  reindex(
    work: ReindexWork,
    signal: AbortSignal,
    onProgress?: (progress: JobProgress) => void,
  ): Promise<ReindexResult>
  /** Removes chunks and their records together. */
  remove(store: ChunkStore, what: Removal): Promise<number>
  /** Takes a namespace away when no upsert of it is under way. */
  drop(namespace: string, work: () => Promise<void>): Promise<void>
  /** Resolves when nothing is under way any more, clearing up included. */
  idle(): Promise<void>
}

/** How a caller hears of its work before the turn is over: the first call counts. */
type Answering<T> = { answer(value: T): void; refuse(error: unknown): void }

/** One writer at a time per namespace, the others wait their turn; queries never wait. */
export function createUpsertEngine({
  turns,
  log,
  metadataBytes,
}: {
  turns: KeyedMutex
  log: Log
  metadataBytes?: number
}): UpsertEngine {
  const underWay = new Set<Promise<unknown>>()

  function track<T>(work: Promise<T>): Promise<T> {
    const settled = work.catch(() => {}).finally(() => underWay.delete(settled))
    underWay.add(settled)
    return work
  }

  async function dryRun(
    work: UpsertWork,
    signal: AbortSignal,
    onProgress?: (progress: UpsertProgress) => void,
  ) {
    const view = await work.part.store.view(work.part.embedder.id)
    try {
      return await new UpsertRun({ ...work, metadataBytes }, { view }, signal, onProgress).execute()
    } catch (error) {
      throw cancelledOr(error, signal)
    }
  }

  /** Works in the turn of a namespace; whoever called has the answer before the turn is over. */
  function inTurn<T>(
    namespace: string,
    signal: AbortSignal,
    work: (answering: Answering<T>) => Promise<void>,
  ): Promise<T> {
    const answer = Promise.withResolvers<T>()
    const turn = turns.run(namespace, () => work({ answer: answer.resolve, refuse: answer.reject }), signal)
    track(turn).catch((error: unknown) => answer.reject(cancelledOr(error, signal)))
    return answer.promise
  }

  /** Sees a run to its publication, gives the answer, then clears away what was replaced; the turn is kept until then. */
  async function conduct<T>(
    run: Pick<StoreRun, 'abandon' | 'sweep'>,
    work: () => Promise<T>,
    { answer, refuse }: Answering<T>,
  ): Promise<void> {
    try {
      answer(await work())
    } catch (error) {
      await run.abandon().catch((reason) => log.error('abandon-failed', { reason: reasonOf(reason) }))
      if (error instanceof SluiceError && error.code === 'storage_full') {
        // The caller hears of it at once; what was staged goes now, and not with the next run.
        refuse(error)
        await run.sweep().catch((reason) => log.error('sweep-failed', { reason: reasonOf(reason) }))
      }
      throw error
    }
    await run.sweep().catch((error: unknown) => log.error('sweep-failed', { reason: reasonOf(error) }))
  }

  return {
    async upsert(work, signal, onProgress) {
      checkForm(work.part.loaders, work.uploads)
      if (work.options.dryRun) return track(dryRun(work, signal, onProgress))
      const { store, embedder } = work.part
      return inTurn<UpsertResult>(store.namespace, signal, async (answering) => {
        const run = await store.open(embedder.id)
        const upsert = new UpsertRun({ ...work, metadataBytes }, { view: run, run }, signal, onProgress)
        await conduct(run, () => upsert.execute(), answering)
      })
    },

    reindex: (work, signal, onProgress) =>
      inTurn<ReindexResult>(work.part.store.namespace, signal, async (answering) => {
        const rebuild = await work.part.store.rebuild(work.part.embedder.id)
        if (!rebuild) return answering.answer(nothingToReindex(work))
        await conduct(rebuild, () => reindex(work, rebuild, signal, onProgress), answering)
      }),

    remove: (store, what) => track(turns.run(store.namespace, () => store.remove(what))),

    drop: (namespace, work) => track(turns.run(namespace, work)),

    async idle() {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}

/** What a signal makes people throw is as various as its reasons; outside it is one error. */
const cancelledOr = (error: unknown, signal: AbortSignal): unknown =>
  signal.aborted && !(error instanceof SluiceError)
    ? new SluiceError('cancelled', {}, { cause: error })
    : error
