import { mkdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { EngineMemory, JoinedEngine } from '../../contract/vector-engine.ts'
import { DATA_FILES } from '../../contract/data-files.ts'
import type { FollowedIndexes, IndexState } from '../../db/postgres/index-changes.ts'
import type { RunWatch } from '../../db/postgres/run-watch.ts'
import type { SavedIndex, SavedIndexes } from '../../db/postgres/saved-indexes.ts'
import type { BlobShelf } from '../../contract/blob-shelf.ts'
import { type Database, openDatabase } from '../../db/sqlite/database.ts'
import { sharedMemory } from '../built-in/images.ts'
import { COPY_RULES, type CopyRules, CopySaver } from './copy-saver.ts'
import { exportCopy } from './export-copy.ts'
import { fetchedCopies, fetchedFolder, PARTIAL_COPY } from './fetched-folders.ts'
import { createReplica, type Replica, type ReplicaOptions } from './replica.ts'
import { DamagedCopy } from './packed-files.ts'
import { type MadeCopy, type SavedFiles, savedFiles } from './saved-files.ts'

/** Everything in a replica can be copied again. */
const NOT_KEPT = { backup: false }

/** The folder in which copies are made. */
const MAKING = 'making'

/** How often a copy is fetched: one may be replaced by a newer one meanwhile. */
const FETCHES = 2

/** How often indexes are looked for that no reader sees any more, in milliseconds. */
const SWEEP_MS = 600_000

/** So many fetched indexes are open: each has a thread and connections. */
const MOST_OPEN = 64

/** About the bytes of a copy for each chunk, besides its vector. */
const CHUNK_BYTES = 2500

/** A replica with its database. `saved`: the fetched copy that it began with; undefined for the one of all other indexes. */
type Home = {
  replica: Replica
  database: Database
  folder: string
  saved: number | undefined
  users: number
  /** When it was used last, as a number that grows. */
  used: number
  isLeft: boolean
}

export type HomesOptions = Omit<ReplicaOptions, 'fetch' | 'noteChanged' | 'sweeps' | 'shared'> & {
  rules?: CopyRules
  /** The most fetched indexes that are open at a time. */
  mostOpen?: number
  /** Whether so many bytes may be written. */
  hasRoom?: (bytes: number) => boolean
  /** A copy was fetched. */
  noteFetched?: (facts: { index: number; bytes: number; ms: number }) => void
  /** A copy was saved for other members. */
  noteSaved?: (facts: { index: number; bytes: number; ms: number }) => void
  /** A copy could not be fetched, or not be saved. */
  noteCopyFailure?: (what: 'fetched' | 'saved', error: unknown) => void
}

/** The replicas of a member: one for the indexes that it has copied, and one for each that it has fetched. */
export type ReplicaHomes = {
  readonly watch: RunWatch
  /** The engine that all of them are. */
  readonly engine: Pick<JoinedEngine, 'name' | 'capabilities'>
  /**
   * Works with the replica of an index at its newest publication, which is brought here first. Undefined where readers do not see the
   * index, or the work has found none.
   */
  use<Result>(
    indexId: number,
    work: (engine: JoinedEngine, collection: string) => Promise<Result | undefined>,
  ): Promise<Result | undefined>
  /** From now on copies are fetched and saved: in the bucket, or in the database where there is none. */
  share(bucket: BlobShelf | undefined): void
  lag(): Promise<number>
  memory(): EngineMemory
  drop(indexId: number): Promise<void>
  sweep(): Promise<void>
  close(): Promise<void>
}

/** @param local the database of the indexes that are copied; it is closed by the caller */
export function replicaHomes(
  origin: FollowedIndexes,
  saved: SavedIndexes,
  local: Database,
  {
    rules = COPY_RULES,
    mostOpen = MOST_OPEN,
    hasRoom = () => true,
    noteFetched = () => {},
    noteSaved = () => {},
    noteCopyFailure = () => {},
    ...options
  }: HomesOptions = {},
): ReplicaHomes {
  const folder = path.dirname(local.file)
  const fetched = path.join(folder, DATA_FILES.fetched)
  const shared = sharedMemory()
  /** The fetched indexes, opened at their first use. */
  const own = new Map<number, Home>()
  const waiting = fetchedCopies(fetched)
  /** Homes that are left, until nobody uses them. */
  const leaving = new Set<Promise<void>>()
  /** Homes that are closed until they are used again. */
  const closing = new Map<number, Promise<void>>()
  let uses = 0
  /** Indexes that were looked at by the saver since the start. */
  const considered = new Set<number>()
  let files: SavedFiles | undefined
  let saver: CopySaver | undefined
  const ending = new AbortController()
  const isClosed = () => ending.signal.aborted

  const consider = (indexId: number) => saver?.consider(indexId)
  const common: Home = makeHome(local, folder, undefined)
  const sweeper = setInterval(() => void sweep().catch(() => {}), SWEEP_MS).unref()

  function makeHome(database: Database, at: string, savedId: number | undefined): Home {
    const replica = createReplica(origin, database, {
      ...options,
      shared,
      sweeps: savedId === undefined,
      fetch: (indexId, state) => fetchIndex(indexId, state, savedId),
      noteChanged: consider,
    })
    return { replica, database, folder: at, saved: savedId, users: 0, used: 0, isLeft: false }
  }

  function homeOf(indexId: number): Home {
    const kept = waiting.get(indexId)
    if (kept !== undefined) {
      waiting.delete(indexId)
      openOwn(indexId, kept, fetchedFolder(fetched, indexId, kept))
    }
    return own.get(indexId) ?? common
  }

  /** The home that an index is in, for use. */
  async function homeFor(indexId: number): Promise<Home> {
    await closing.get(indexId)
    const home = homeOf(indexId)
    home.used = ++uses
    return home
  }

  /** Closes the fetched indexes that were not used for the longest time, where too many are open. */
  function trim(): void {
    if (own.size <= mostOpen) return
    const idle = [...own].filter(([, { users }]) => users === 0).sort(([, a], [, b]) => a.used - b.used)
    for (const [indexId, home] of idle.slice(0, own.size - mostOpen)) {
      own.delete(indexId)
      waiting.set(indexId, home.saved!)
      const closed = closeHome(home)
        .catch(() => {})
        .finally(() => closing.delete(indexId))
      closing.set(indexId, closed)
    }
  }

  /** Opens a fetched index. One that cannot be used is deleted. Returns whether it could be opened. */
  function openOwn(indexId: number, savedId: number, at: string): boolean {
    try {
      const home = makeHome(openDatabase(at, undefined, NOT_KEPT), at, savedId)
      const before = own.get(indexId)
      own.set(indexId, home)
      if (before) leave(before)
      return true
    } catch (error) {
      rmSync(at, { recursive: true, force: true })
      noteCopyFailure('fetched', error)
      return false
    }
  }

  /** A home is used no more: it goes when those who use it are done. */
  function leave(home: Home): void {
    home.isLeft = true
    if (home.users > 0) return
    const gone = closeHome(home)
      .catch(() => {})
      .then(() => rmSync(home.folder, { recursive: true, force: true }))
    leaving.add(gone)
    void gone.finally(() => leaving.delete(gone))
  }

  async function closeHome({ replica, database }: Home): Promise<void> {
    await replica.close()
    await database.close()
  }

  /** Fetches the newest copy of an index, unless it is the one that is here. Returns whether it is here now. */
  async function fetchIndex(
    indexId: number,
    { run }: IndexState,
    here: number | undefined,
  ): Promise<boolean> {
    if (!files || isClosed()) return false
    for (let attempt = 0; attempt < FETCHES; attempt++) {
      let copy: SavedIndex | undefined
      try {
        copy = await files.newest(indexId)
        if (!copy || copy.id === here || copy.seq > run!.seq || !hasRoom(copy.bytes)) return false
        return await bring(files, copy)
      } catch (error) {
        const isReplaced = copy && (await files.newest(indexId).catch(() => undefined))?.id !== copy.id
        if (isReplaced || isClosed()) continue
        noteCopyFailure('fetched', error)
        // Other members would only find the same: another copy takes its place.
        if (copy && error instanceof DamagedCopy) await files.remove(copy).catch(() => {})
        return false
      }
    }
    return false
  }

  async function bring(from: SavedFiles, copy: SavedIndex): Promise<boolean> {
    const begun = performance.now()
    const at = fetchedFolder(fetched, copy.indexId, copy.id)
    const partial = at + PARTIAL_COPY
    rmSync(partial, { recursive: true, force: true })
    mkdirSync(partial, { recursive: true, mode: 0o700 })
    try {
      await from.fetch(copy, partial, ending.signal)
      rmSync(at, { recursive: true, force: true })
      renameSync(partial, at)
    } finally {
      rmSync(partial, { recursive: true, force: true })
    }
    if (isClosed() || !openOwn(copy.indexId, copy.id, at)) return false
    const ms = Math.round(performance.now() - begun)
    noteFetched({ index: copy.indexId, bytes: copy.bytes, ms })
    return true
  }

  async function exportTo(indexId: number, at: string, signal: AbortSignal): Promise<MadeCopy | undefined> {
    const home = await homeFor(indexId)
    const state = await origin.state(indexId)
    if (!state || !hasRoom(state.chunks * CHUNK_BYTES)) return undefined
    const namespace = `${indexId}`
    if (!(await home.replica.settle(indexId)) || home.isLeft) return undefined
    return exportCopy({ source: home.database.file, folder: at, namespace }, signal)
  }

  async function use<Result>(
    indexId: number,
    work: (engine: JoinedEngine, collection: string) => Promise<Result | undefined>,
  ): Promise<Result | undefined> {
    for (;;) {
      const home = await homeFor(indexId)
      home.users++
      try {
        const here = await home.replica.collection(indexId)
        if (here !== undefined) {
          if (!considered.has(indexId)) {
            considered.add(indexId)
            consider(indexId)
          }
          return await work(home.replica.engine, here)
        }
      } finally {
        home.users--
        if (home.isLeft && home.users === 0) leave(home)
        trim()
      }
      if (homeOf(indexId) === home) return undefined
    }
  }

  async function drop(indexId: number): Promise<void> {
    considered.delete(indexId)
    const home = await homeFor(indexId)
    await home.replica.drop(indexId)
    if (home === common) return
    own.delete(indexId)
    leave(home)
  }

  async function sweep(): Promise<void> {
    await common.replica.sweep()
    const live = await origin.liveAmong([...own.keys(), ...waiting.keys()])
    for (const indexId of [...own.keys(), ...waiting.keys()])
      if (!live.has(indexId) && !isClosed()) await drop(indexId)
    // Where the bucket is away, the next sweep does it.
    if (!isClosed()) await files?.sweep().catch(() => {})
  }

  const all = () => [common, ...own.values()]

  return {
    engine: common.replica.engine,
    watch: {
      staged: async (run, batch) => (await homeFor(run.index.id)).replica.watch.staged(run, batch),
      published: async (run, publication) =>
        (await homeFor(run.index.id)).replica.watch.published(run, publication),
      ended: async (run) => (await homeFor(run.index.id)).replica.watch.ended(run),
    },
    use,

    share(bucket) {
      files = savedFiles(saved, bucket)
      const making = path.join(folder, MAKING)
      const noteFailure = (error: unknown) => noteCopyFailure('saved', error)
      saver = new CopySaver({ origin, folder: making, files, rules, exportTo, noteSaved, noteFailure })
    },

    async lag() {
      const lags = await Promise.all(all().map(({ replica }) => replica.lag()))
      return lags.reduce((sum, lag) => sum + lag, 0)
    },

    memory() {
      const parts = all().map(({ replica }) => replica.engine.memory())
      const sum = (of: (memory: EngineMemory) => number) => parts.reduce((total, part) => total + of(part), 0)
      return {
        images: sum(({ images }) => images),
        bytes: sum(({ bytes }) => bytes),
        evictions: sum(({ evictions }) => evictions),
      }
    },

    drop,
    sweep,

    async close() {
      ending.abort()
      clearInterval(sweeper)
      await saver?.close()
      await Promise.allSettled([
        common.replica.close(),
        ...[...own.values()].map(closeHome),
        ...leaving,
        ...closing.values(),
      ])
    },
  }
}
