import type { ChunkStore, StoreRun } from '../contract/chunk-store.ts'
import type { Removal } from '../contract/ledger.ts'
import type { ChunkEditStore } from '../contract/chunk-edit-store.ts'
import type { JobProgress } from '../contract/job.ts'
import type { Log } from '../kit/log.ts'
import type { KeyLease, KeyedQueue } from '../kit/keyed-queue.ts'
import { reasonOf, SluiceError } from '../kit/errors.ts'
import { withPatience } from '../kit/patience.ts'
import { type ChunkEditWork, editChunk } from './edit-chunk.ts'
import type { UpsertResult } from './outcome.ts'
import { progressWithWaits } from './progress-of-waits.ts'
import { type RepairResult, type RepairWork, runRepair } from './repair.ts'
import { nothingToReindex, runReindex, type ReindexResult, type ReindexWork } from './reindex.ts'
import type { Originals } from './originals.ts'
import { runUpsert, type UpsertWork } from './run.ts'

export type UpsertEngine = {
  /**
   * Resolves when the run is published. The sweep after it keeps the lease of the namespace.
   *
   * @param lease the lease that the caller has; without it, or with that of another namespace, the upsert waits for its own
   * @throws SluiceError why the whole upsert failed; then nothing has changed
   */
  upsert(
    work: UpsertWork,
    signal: AbortSignal,
    onProgress?: (progress: JobProgress) => void,
    lease?: KeyLease,
  ): Promise<UpsertResult>
  /**
   * Embeds all chunks of a namespace again.
   *
   * @throws SluiceError why it failed; then readers still see the earlier vectors
   */
  reindex(
    work: ReindexWork,
    signal: AbortSignal,
    onProgress?: (progress: JobProgress) => void,
    lease?: KeyLease,
  ): Promise<ReindexResult>
  /**
   * Compares the points of a separate engine with the chunks of a namespace, and mends them. A dry run needs no lease.
   *
   * @throws SluiceError why it failed; what was mended stays mended
   */
  repair(
    work: RepairWork,
    signal: AbortSignal,
    onProgress?: (progress: JobProgress) => void,
    lease?: KeyLease,
  ): Promise<RepairResult>
  /** Removes chunks and their records together. Resolves with the number of chunks. @param signal gives up waiting for the lease */
  remove(store: ChunkStore, what: Removal, signal?: AbortSignal): Promise<number>
  /** Changes or deletes a chunk, under the lease of its namespace. @throws SluiceError as `editChunk` does */
  edit(work: ChunkEditWork, edits: Pick<ChunkEditStore, 'list'>, signal: AbortSignal): Promise<void>
  /** Restores removed sources, under the lease of the namespace. @param now in ms since 1970. @param signal gives up waiting for the lease */
  restore(
    store: ChunkStore,
    sources: readonly string[],
    now: number,
    signal?: AbortSignal,
  ): Promise<{ sources: string[]; chunks: number }>
  /**
   * Sweeps a namespace under its lease, without a run.
   *
   * @param goOn asked under the lease and between the steps; false leaves the rest for the next sweep
   * @param signal gives up waiting for the lease
   */
  sweep(store: ChunkStore, goOn: () => boolean, signal: AbortSignal): Promise<void>
  /** Removes a namespace, under its lease. */
  drop(store: ChunkStore): Promise<void>
  /** Resolves when no work and no sweep runs or waits. */
  idle(): Promise<void>
}

/** Everything that writes to a namespace runs under its lease. Queries and dry runs do not need it. */
export function createUpsertEngine({
  namespaceQueue,
  log,
  metadataBytes,
  originals,
}: {
  namespaceQueue: KeyedQueue
  log: Log
  metadataBytes?: number
  /** Its files are swept after each run. */
  originals?: Pick<Originals, 'sweep'>
}): UpsertEngine {
  const dryRuns = new Set<Promise<unknown>>()

  async function dryRun(work: UpsertWork, signal: AbortSignal, onProgress?: (progress: JobProgress) => void) {
    const view = await work.part.store.view(work.part.embedder.id)
    return runUpsert({ ...work, metadataBytes }, { view }, signal, onProgress)
  }

  /** Work without a lease, which `idle` waits for. */
  function beside<T>(work: Promise<T>): Promise<T> {
    const ended = work.then(
      () => {},
      () => {},
    )
    dryRuns.add(ended)
    void ended.then(() => dryRuns.delete(ended))
    return work
  }

  const underLease = <T>(
    namespace: string,
    given: KeyLease | undefined,
    signal: AbortSignal,
    work: (lease: KeyLease) => Promise<T>,
  ): Promise<T> =>
    orCancelled(
      given?.key === namespace ? work(given) : namespaceQueue.run(namespace, work, { signal }),
      signal,
    )

  async function sweepAll(run: Pick<StoreRun, 'sweep'>): Promise<void> {
    await run.sweep()
    await originals?.sweep()
  }

  /** Runs `work` until it is published or abandoned. The sweep keeps the lease, the result does not wait for it. */
  async function conduct<T>(
    run: Pick<StoreRun, 'abandon' | 'sweep'>,
    lease: KeyLease,
    work: () => Promise<T>,
  ): Promise<T> {
    const sweep = () =>
      lease.keepUntil(
        sweepAll(run).catch((error: unknown) => log.error('sweep-failed', { reason: reasonOf(error) })),
      )
    try {
      const result = await work()
      sweep()
      return result
    } catch (error) {
      await run.abandon().catch((reason) => log.error('abandon-failed', { reason: reasonOf(reason) }))
      // The disk is full, so the staged chunks are swept now, not after the next run.
      if (error instanceof SluiceError && error.code === 'storage_full') sweep()
      throw error
    }
  }

  return {
    async upsert(work, signal, onProgress, given) {
      if (work.options.dryRun) return beside(orCancelled(dryRun(work, signal, onProgress), signal))
      const { store, embedder } = work.part
      return underLease(store.namespace, given, signal, async (lease) => {
        const waiting = waitsOf(work, signal, onProgress)
        const run = await waiting.patiently(() => store.open(embedder.id))
        return conduct(run, lease, () =>
          waiting.patiently(() =>
            runUpsert({ ...work, metadataBytes }, { view: run, run }, signal, waiting.onProgress),
          ),
        )
      })
    },

    reindex: (work, signal, onProgress, given) =>
      underLease(work.part.store.namespace, given, signal, async (lease) => {
        const waiting = waitsOf(work, signal, onProgress)
        const rebuild = await waiting.patiently(() => work.part.store.rebuild(work.part.embedder.id))
        if (!rebuild) return nothingToReindex(work)
        return conduct(rebuild, lease, () =>
          waiting.patiently(() => runReindex(work, rebuild, signal, waiting.onProgress)),
        )
      }),

    repair(work, signal, onProgress, given) {
      const waiting = waitsOf(work, signal, onProgress)
      const repair = () => waiting.patiently(() => runRepair(work, signal, waiting.onProgress))
      if (work.dryRun) return beside(orCancelled(repair(), signal))
      return underLease(work.part.store.namespace, given, signal, repair)
    },

    remove: (store, what, signal) =>
      namespaceQueue.run(
        store.namespace,
        async () => {
          const count = await store.remove(what)
          await originals?.sweep()
          return count
        },
        signal ? { signal } : {},
      ),

    edit: (work, edits, signal) =>
      underLease(work.store.namespace, undefined, signal, async (lease) => {
        const run = await work.store.open(work.embedder.id)
        await conduct(run, lease, () => editChunk(work, { run, edits, now: Date.now(), signal }))
      }),

    restore: (store, sources, now, signal) =>
      namespaceQueue.run(store.namespace, () => store.restore(sources, now), signal ? { signal } : {}),

    sweep: (store, goOn, signal) =>
      namespaceQueue.run(
        store.namespace,
        async () => {
          if (!goOn()) return
          await store.sweep(goOn)
          await originals?.sweep()
        },
        { signal },
      ),

    drop: (store) =>
      namespaceQueue.run(store.namespace, async () => {
        await store.drop()
        await originals?.sweep()
      }),

    async idle() {
      while (dryRuns.size > 0) await Promise.all(dryRuns)
      await namespaceQueue.idle()
    },
  }
}

/** A job waits for a separate engine that takes no calls, and says so. The sweep after it does not: nobody sees it. */
function waitsOf(
  { jobId }: Pick<UpsertWork, 'jobId'>,
  signal: AbortSignal,
  onProgress: ((progress: JobProgress) => void) | undefined,
) {
  if (jobId === undefined || !onProgress)
    return { onProgress, patiently: <T>(work: () => Promise<T>): Promise<T> => work() }
  const { patience, onProgress: tell } = progressWithWaits(signal, onProgress)
  return {
    onProgress: tell,
    patiently: <T>(work: () => Promise<T>): Promise<T> => withPatience(patience, work),
  }
}

/** The same result. After an abort every failure that is not a SluiceError becomes `cancelled`. */
const orCancelled = <T>(result: Promise<T>, signal: AbortSignal): Promise<T> =>
  result.catch((error: unknown) => {
    throw signal.aborted && !(error instanceof SluiceError)
      ? new SluiceError('cancelled', {}, { cause: error })
      : error
  })
