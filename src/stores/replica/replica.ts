import type { Receipt } from '../../contract/job.ts'
import type { LedgerChunk } from '../../contract/ledger.ts'
import type { JoinedEngine } from '../../contract/vector-engine.ts'
import type { PostgresDatabase } from '../../db/postgres/database.ts'
import {
  changesOfRun,
  type FollowedChunk,
  followedChunks,
  type IndexState,
  indexState,
  liveAmong,
  type PublishedRun,
  publishedAfter,
  publishedFrom,
} from '../../db/postgres/index-changes.ts'
import type { Database } from '../../db/sqlite/database.ts'
import { sqliteLedger } from '../../db/sqlite/ledger.ts'
import { keepValues } from '../../db/sqlite/value-blocks.ts'
import { chunkIdsOfPoints, lastJobOf, replicaNamespaces } from '../../db/sqlite/replica-reads.ts'
import { BUILT_IN, builtInEngine } from '../built-in/engine.ts'
import type { ImagesOptions } from '../built-in/images.ts'

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

export function createReplica(
  origin: PostgresDatabase,
  local: Database,
  { noteCopied = () => {}, ...images }: ReplicaOptions = {},
): Replica {
  const { reader } = origin
  const ledger = sqliteLedger(local)
  const engine = builtInEngine(local, images)
  const following = new Map<number, Promise<void>>()
  let closed = false
  let sweeping = Promise.resolve()
  // What fails is tried again the next time.
  const sweeper = setInterval(() => void sweep().catch(() => {}), SWEEP_MS).unref()

  async function drop(indexId: number): Promise<void> {
    await following.get(indexId)?.catch(() => {})
    await ledger.remove(`${indexId}`)
    await ledger.sweepRemoved(BUILT_IN, (collection) => engine.drop(collection))
  }

  /** One call after the other. */
  function sweep(): Promise<void> {
    const work = sweeping.then(async () => {
      const ids = replicaNamespaces(local.reader).map(Number)
      const live = await liveAmong(reader, ids)
      for (const id of ids) if (!closed && !live.has(id)) await drop(id)
    })
    sweeping = work.catch(() => {})
    return work
  }

  /** The last run that the replica of an index includes. */
  async function held(indexId: number): Promise<PublishedRun | undefined> {
    const index = await ledger.find(`${indexId}`)
    const key = index && lastJobOf(local.reader, Number(index.collection))
    if (key === undefined) return undefined
    const [seq, token] = key.split(':') as [string, string]
    return { seq: Number(seq), token }
  }

  /** Calls at the same time share one update, which may have begun before: the caller looks again. */
  function follow(indexId: number, state: IndexState): Promise<void> {
    const running = following.get(indexId)
    if (running) return running
    const update = advance(indexId, state).finally(() => following.delete(indexId))
    following.set(indexId, update)
    return update
  }

  async function advance(indexId: number, state: IndexState): Promise<void> {
    const from = await held(indexId)
    const runs =
      from && from.seq >= state.followedFrom
        ? await publishedFrom(reader, indexId, from.seq, RUNS_A_READ)
        : []
    // Another history: the database was restored, or has swept the changes since then.
    if (!from || runs[0]?.token !== from.token) return copy(indexId, state)
    for (const run of runs.slice(1)) await take(indexId, state.embedder, run, { run: run.seq })
  }

  async function copy(indexId: number, { embedder, run, chunks }: IndexState): Promise<void> {
    const begun = performance.now()
    await ledger.remove(`${indexId}`)
    await ledger.sweepRemoved(BUILT_IN, (collection) => engine.drop(collection))
    await take(indexId, embedder, run!, { upTo: run!.seq })
    const copied = Number((await ledger.find(`${indexId}`))!.collection)
    while (!closed && (await local.write(keepValues, { indexId: copied })));
    noteCopied({ index: indexId, chunks, ms: Math.round(performance.now() - begun) })
  }

  /** Takes chunks and changes over as one run of the replica, with the key of the followed run. */
  async function take(
    indexId: number,
    embedder: string,
    run: PublishedRun,
    which: { upTo: number } | { run: number },
  ): Promise<void> {
    const writing = await ledger.open({ namespace: `${indexId}`, embedder, engine: BUILT_IN })
    const localId = Number(writing.index.collection)
    let removes = false
    try {
      let stagedCount = 0
      const read = (after: { born: number; id: number }) =>
        followedChunks(reader, { indexId, after, limit: CHUNKS_A_READ, ...which })
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
      const removedChunkIds: number[] = []
      const movedChunks: { id: number; range: { start: number; end: number } }[] = []
      for (const part of 'run' in which ? await changesOfRun(reader, run.seq) : []) {
        removedChunkIds.push(...localIds(localId, part.removed).values())
        const ids = localIds(localId, part.moved)
        for (const [at, moved] of part.moved.entries()) {
          const id = ids.get(`${moved}`)
          if (id !== undefined)
            movedChunks.push({ id, range: { start: part.starts[at]!, end: part.ends[at]! } })
        }
      }
      removes = removedChunkIds.length > 0
      await writing.publish({
        ...{ stagedCount, removedChunkIds, movedChunks, files: [], updatedSources: [], invalidatedFiles: [] },
        receipt: receiptOf(keyOf(run)),
      })
    } catch (error) {
      await writing.abandon()
      throw error
    }
    if (!removes) return
    // A search leaves removed chunks out as they are (`built-in/hidden-passages.ts`): swept, they fill neither the file nor that list.
    await engine.follow(writing.index.collection)
    await writing.sweep(async () => {})
  }

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
        const state = await indexState(reader, indexId)
        if (!state?.isLive || !state.run) return undefined
        const from = await held(indexId)
        if (from?.token === state.run.token) return (await ledger.find(`${indexId}`))!.collection
        await follow(indexId, state)
      }
    },

    async lag() {
      const indexes = replicaNamespaces(local.reader).map(Number)
      const runs = await Promise.all(
        indexes.map(async (indexId) => ({ indexId, run: (await held(indexId))?.seq ?? 0 })),
      )
      return publishedAfter(reader, runs)
    },

    drop,

    async sweep() {
      await sweep()
      engine.sweep()
    },

    async close() {
      closed = true
      clearInterval(sweeper)
      await Promise.allSettled([sweeping, ...following.values()])
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
