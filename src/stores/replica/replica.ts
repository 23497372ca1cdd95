import type { Receipt } from '../../contract/job.ts'
import type { LedgerChunk, LedgerRun } from '../../contract/ledger.ts'
import type { JoinedEngine } from '../../contract/vector-engine.ts'
import type {
  FollowedChunk,
  FollowedIndexes,
  IndexState,
  PublishedRun,
  RunChanges,
} from '../../db/postgres/index-changes.ts'
import type { RunWatch } from '../../db/postgres/run-watch.ts'
import type { Database } from '../../db/sqlite/database.ts'
import { sqliteLedger } from '../../db/sqlite/ledger.ts'
import { chunkIdsOfPoints, lastJobOf, replicaNamespaces } from '../../db/sqlite/replica-reads.ts'
import { keepValues } from '../../db/sqlite/value-blocks.ts'
import { BUILT_IN, builtInEngine } from '../built-in/engine.ts'
import type { ImagesOptions } from '../built-in/images.ts'
import { runKeeper } from './run-keeper.ts'

/** How often the indexes are deleted that no reader sees any more: their flows may have been removed on other members. */
const SWEEP_MS = 600_000

/** How many chunks one read brings, and how many runs. */
const CHUNKS_A_READ = 1000
const RUNS_A_READ = 100

/**
 * The replica of a node: the indexes that it searches, in an SQLite database of its own. An index is copied at its first
 * search, and then follows the publications in PostgreSQL, run by run, each in one transaction. So a search here scores, filters
 * and ranks exactly as one in the embedded database. Everything in it can be copied again: it may be deleted at any time.
 */
export type Replica = {
  /** The engine over the replica; its collections are those of the replica. */
  readonly engine: JoinedEngine
  /** The collection of the replica that is an index at its newest publication. Undefined where readers do not see the index. */
  collection(indexId: number): Promise<string | undefined>
  /** Takes over what runs of this member write, where it has the run before. Nothing of it fails. */
  readonly watch: RunWatch
  /** Deletes what runs that ended without a publication have left of an index. Returns whether all runs of it are published. */
  settle(indexId: number): Promise<boolean>
  /** How many publications of its indexes it has not taken over yet: the next search of each does. */
  lag(): Promise<number>
  /** Deletes an index here. */
  drop(indexId: number): Promise<void>
  /** Deletes the indexes that no reader sees any more. */
  sweep(): Promise<void>
  close(): Promise<void>
}

export type ReplicaOptions = ImagesOptions & {
  /** An index was copied, or caught up with many runs. */
  noteCopied?: (facts: { index: number; chunks: number; ms: number }) => void
  /** Brings an index that is not here into another replica, in less time than a copy takes. Returns whether it did. */
  fetch?: (indexId: number, state: IndexState) => Promise<boolean>
  /** An index has changed here. */
  noteChanged?: (indexId: number) => void
  /** Whether it looks for indexes that no reader sees any more by itself. */
  sweeps?: boolean
}

/** The runs of a replica are no jobs: only the key is read. */
const receiptOf = (key: string): Receipt => ({
  job: key,
  result: {},
  progress: {
    stage: 'publish',
    files: { total: 0, done: 0, failed: 0, known: true },
    chunks: { seen: 0, embedded: 0, written: 0, due: 0 },
  },
})

const keyOf = ({ seq, token }: PublishedRun): string => `${seq}:${token}`

/** The followed run of a run of a replica. @param key its job */
export function followedRun(key: string): PublishedRun {
  const [seq, token] = key.split(':') as [string, string]
  return { seq: Number(seq), token }
}

export function createReplica(
  origin: FollowedIndexes,
  local: Database,
  { noteCopied = () => {}, noteChanged = () => {}, fetch, sweeps = true, ...images }: ReplicaOptions = {},
): Replica {
  const ledger = sqliteLedger(local)
  const engine = builtInEngine(local, images)
  const following = new Map<number, Promise<unknown>>()
  let closed = false
  let sweeping = Promise.resolve()
  // What fails is tried again the next time.
  const sweeper = sweeps ? setInterval(() => void sweep().catch(() => {}), SWEEP_MS).unref() : undefined

  async function drop(indexId: number): Promise<void> {
    await following.get(indexId)?.catch(() => {})
    await keeper.find(indexId)?.abandon()
    await ledger.remove(`${indexId}`)
    await ledger.sweepRemoved(BUILT_IN, (collection) => engine.drop(collection))
  }

  /** One call after the other. */
  function sweep(): Promise<void> {
    const work = sweeping.then(async () => {
      const ids = replicaNamespaces(local.reader).map(Number)
      const live = await origin.liveAmong(ids)
      for (const id of ids) if (!closed && !live.has(id) && !keeper.find(id)) await drop(id)
      await ledger.sweepRemoved(BUILT_IN, (collection) => engine.drop(collection))
    })
    sweeping = work.catch(() => {})
    return work
  }

  /** The last run that the replica of an index includes. */
  async function held(indexId: number): Promise<PublishedRun | undefined> {
    const index = await ledger.find(`${indexId}`)
    const key = index && lastJobOf(local.reader, Number(index.collection))
    return key === undefined ? undefined : followedRun(key)
  }

  /**
   * Calls at the same time share one update, which may have begun before: the caller looks again, unless the index is in another
   * replica now.
   */
  async function follow(indexId: number, state: IndexState): Promise<'here' | 'elsewhere'> {
    const running = following.get(indexId) as ReturnType<typeof follow> | undefined
    if (running) return running
    const update = advance(indexId, state).finally(() => following.delete(indexId))
    following.set(indexId, update)
    return update
  }

  /** The runs from the one on that is here, which is the first; none where it is of another history, or changes since it are swept. */
  async function runsFromHere(indexId: number, state: IndexState): Promise<PublishedRun[]> {
    const from = await held(indexId)
    if (!from || from.seq < state.followedFrom) return []
    const runs = await origin.publishedFrom(indexId, from.seq, RUNS_A_READ)
    return runs[0]?.token === from.token ? runs : []
  }

  async function advance(indexId: number, state: IndexState): Promise<'here' | 'elsewhere'> {
    const kept = keeper.find(indexId)
    if (kept) {
      // It has been published in the database, and soon is here.
      if (kept.seq === state.run!.seq) {
        await kept.ended
        return 'here'
      }
      await kept.abandon()
    }
    const runs = await runsFromHere(indexId, state)
    if (runs.length === 0) {
      if (await fetch?.(indexId, state)) {
        await ledger.remove(`${indexId}`)
        return 'elsewhere'
      }
      await copy(indexId, state)
    }
    for (const run of runs.slice(1)) await take(indexId, state.embedder, run, { run: run.seq })
    noteChanged(indexId)
    return 'here'
  }

  async function copy(indexId: number, { embedder, run, chunks }: IndexState): Promise<void> {
    const begun = performance.now()
    await ledger.remove(`${indexId}`)
    await ledger.sweepRemoved(BUILT_IN, (collection) => engine.drop(collection))
    await take(indexId, embedder, run!, { upTo: run!.seq })
    await keepFields((await ledger.find(`${indexId}`))!.collection)
    noteCopied({ index: indexId, chunks, ms: Math.round(performance.now() - begun) })
  }

  /** Takes chunks and changes over as one run of the replica. */
  async function take(
    indexId: number,
    embedder: string,
    run: PublishedRun,
    which: { upTo: number } | { run: number },
  ): Promise<void> {
    const writing = await openHere(indexId, embedder)
    try {
      let stagedCount = 0
      const read = (after: { born: number; id: number }) =>
        origin.chunks({ indexId, after, limit: CHUNKS_A_READ, ...which })
      for (let chunks = await read({ born: 0, id: 0 }); chunks.length > 0; ) {
        if (closed) throw new Error('the replica is closed')
        const { vectors, dimensions } = vectorsOf(chunks)
        stagedCount += chunks.length
        const last = chunks.length < CHUNKS_A_READ ? undefined : chunks.at(-1)!
        // The next chunks are read while these are written.
        const [next] = await Promise.all([
          last ? read(last) : [],
          writing.stage(chunks.map(asLedgerChunk), dimensions, vectors),
        ])
        chunks = next
      }
      await publishHere(writing, run, {
        stagedCount,
        changes: 'run' in which ? await origin.changes(run.seq) : [],
      })
    } catch (error) {
      await writing.abandon()
      throw error
    }
  }

  const openHere = (indexId: number, embedder: string): Promise<LedgerRun> =>
    ledger.open({ namespace: `${indexId}`, embedder, engine: BUILT_IN })

  /** Publishes a run of the replica, with the key of the followed run. */
  async function publishHere(
    writing: LedgerRun,
    run: PublishedRun,
    { stagedCount, changes }: { stagedCount: number; changes: readonly RunChanges[] },
  ): Promise<void> {
    const { collection } = writing.index
    const removedChunkIds: number[] = []
    const movedChunks: { id: number; range: { start: number; end: number } }[] = []
    for (const part of changes) {
      removedChunkIds.push(...localIds(Number(collection), part.removed).values())
      const ids = localIds(Number(collection), part.moved)
      for (const [at, moved] of part.moved.entries()) {
        const id = ids.get(`${moved}`)
        if (id !== undefined)
          movedChunks.push({ id, range: { start: part.starts[at]!, end: part.ends[at]! } })
      }
    }
    await writing.publish({
      ...{ stagedCount, removedChunkIds, movedChunks, files: [], updatedSources: [], invalidatedFiles: [] },
      receipt: receiptOf(keyOf(run)),
    })
    if (removedChunkIds.length === 0) return
    // A search leaves removed chunks out as they are (`built-in/passage-copies.ts`): swept, they fill neither the file nor that list.
    await engine.follow(collection)
    await writing.sweep(async () => {})
  }

  /** Keeps the fields of an index by field, for filters. */
  async function keepFields(collection: string): Promise<void> {
    while (!closed && (await local.write(keepValues, { indexId: Number(collection) })));
  }

  const keeper = runKeeper({
    /** Brings the index up to date. Returns the run that is here and is the last one; undefined where another one is. */
    async base(indexId) {
      await following.get(indexId)?.catch(() => {})
      const state = await origin.state(indexId)
      if (!state || closed) return undefined
      const base = state.run
      if (base) {
        if ((await runsFromHere(indexId, state)).length === 0) return undefined
        await follow(indexId, state)
      }
      const from = await held(indexId)
      return from?.token === base?.token && !following.has(indexId) ? { run: base } : undefined
    },

    async open(indexId, embedder, base) {
      // Nothing was published, so nothing is here but what an attempt before has left.
      if (!base) await ledger.remove(`${indexId}`)
      return openHere(indexId, embedder)
    },

    next: (indexId, base) => origin.publishedFrom(indexId, base?.seq ?? 0, 2),

    async publish(writing, run, { stagedCount, removed, moved }) {
      const [starts, ends] = [moved.map(({ range }) => range.start), moved.map(({ range }) => range.end)]
      const changes = [{ removed: [...removed], moved: moved.map(({ id }) => id), starts, ends }]
      await publishHere(writing, run, { stagedCount, changes })
      void keepFields(writing.index.collection).catch(() => {})
      await engine.prepare(writing.index.collection)
    },

    noteChanged,
  })

  const localIds = (localId: number, chunks: readonly number[]) =>
    chunkIdsOfPoints(
      local.reader,
      localId,
      chunks.map((id) => `${id}`),
    )

  return {
    engine,

    async collection(indexId) {
      for (;;) {
        const state = await origin.state(indexId)
        if (!state?.isLive || !state.run) return undefined
        const from = await held(indexId)
        if (from?.token === state.run.token) return (await ledger.find(`${indexId}`))!.collection
        if ((await follow(indexId, state)) === 'elsewhere') return undefined
      }
    },

    async settle(indexId) {
      await following.get(indexId)?.catch(() => {})
      if (closed || keeper.find(indexId)) return false
      const sweeper = await ledger.sweeper(`${indexId}`)
      const goOn = () => !closed && !keeper.find(indexId)
      return (await sweeper?.sweep(async () => {}, goOn)) ?? false
    },
    watch: keeper.watch,

    async lag() {
      const indexes = replicaNamespaces(local.reader).map(Number)
      const runs = await Promise.all(
        indexes.map(async (indexId) => ({ indexId, run: (await held(indexId))?.seq ?? 0 })),
      )
      return origin.publishedAfter(runs)
    },

    drop,

    async sweep() {
      await sweep()
      engine.sweep()
    },

    async close() {
      closed = true
      clearInterval(sweeper)
      await Promise.allSettled([sweeping, ...following.values(), keeper.close()])
      await engine.close()
    },
  }
}

const asLedgerChunk = (chunk: FollowedChunk): LedgerChunk => {
  const { id, source, hash, content, metadata, metadataHash, start, end } = chunk
  const range = start === null || end === null ? undefined : { start, end }
  return { source, hash, text: content, metadata, metadataHash, range, pointId: `${id}` }
}

/** The vectors of chunks, one after another. Chunks whose vectors a separate engine has are searched by keyword alone. */
function vectorsOf(chunks: readonly FollowedChunk[]): { vectors?: Float32Array; dimensions: number } {
  const bytes = chunks[0]!.vector?.length
  if (bytes === undefined) return { dimensions: 0 }
  const all = new Uint8Array(bytes * chunks.length)
  for (const [at, { vector }] of chunks.entries()) all.set(vector!, at * bytes)
  return { vectors: new Float32Array(all.buffer), dimensions: bytes / Float32Array.BYTES_PER_ELEMENT }
}
