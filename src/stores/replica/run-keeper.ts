import type { LedgerRun } from '../../contract/ledger.ts'
import type { PublishedRun } from '../../db/postgres/index-changes.ts'
import type { RunWatch, WatchedRun } from '../../db/postgres/run-watch.ts'
import { BUILT_IN } from '../built-in/engine.ts'
import { type KeptChanges, KeptRun } from './kept-run.ts'

type KeeperParts = {
  /**
   * The last publication of an index, which is in the replica; `run` is undefined before the first. Undefined where the replica has not
   * got it, and would need long to get it.
   */
  base(indexId: number): Promise<{ run: PublishedRun | undefined } | undefined>
  /** Begins a run in the replica. */
  open(indexId: number, embedder: string, base: PublishedRun | undefined): Promise<LedgerRun>
  /** The publications from one on, which is the first, up to the one after it. */
  next(indexId: number, base: PublishedRun | undefined): Promise<PublishedRun[]>
  publish(writing: LedgerRun, run: PublishedRun, changes: KeptChanges): Promise<void>
  /** An index has changed in the replica. */
  noteChanged(indexId: number): void
}

type Keeping = { kept: KeptRun; base: PublishedRun | undefined }

/** The runs of this member that its replica takes over while they are staged. */
export type RunKeeper = {
  readonly watch: RunWatch
  find(indexId: number): KeptRun | undefined
  close(): Promise<void>
}

export function runKeeper(parts: KeeperParts): RunKeeper {
  const keeping = new Map<number, Keeping>()
  /** Open runs that are not taken over. */
  const missed = new Set<number>()
  let closed = false

  async function begin({ index: { id, embedder }, run: seq }: WatchedRun): Promise<KeptRun | undefined> {
    const base = await parts.base(id)
    if (closed || !base) return undefined
    const kept = new KeptRun({
      seq,
      open: () => parts.open(id, embedder, base.run),
      publish: parts.publish,
    })
    keeping.set(id, { kept, base: base.run })
    void kept.ended.then(() => {
      if (keeping.get(id)?.kept === kept) keeping.delete(id)
    })
    return kept
  }

  /** The run that takes over what is staged; undefined where none does. */
  async function keptFor(run: WatchedRun): Promise<KeptRun | undefined> {
    const known = keeping.get(run.index.id)?.kept
    if (known?.seq === run.run) return known
    await known?.abandon()
    const kept = missed.has(run.run) ? undefined : await begin(run)
    if (!kept) missed.add(run.run)
    return kept
  }

  return {
    find: (indexId) => keeping.get(indexId)?.kept,

    watch: {
      async staged(run, { chunks, ids, dimensions, vectors }) {
        // The points of a separate engine are searched there.
        if (run.index.engine !== BUILT_IN || !vectors) return
        try {
          const points = chunks.map((chunk, at) => ({ ...chunk, pointId: `${ids[at]}` }))
          await (await keptFor(run))?.stage({ chunks: points, dimensions, vectors })
        } catch {
          // The next search follows the run.
          missed.add(run.run)
        }
      },

      async published({ index: { id }, run }, { stagedCount, removedChunkIds, movedChunks = [] }) {
        missed.delete(run)
        const { kept, base } = keeping.get(id) ?? {}
        if (kept?.seq !== run) return
        const [first, second] = await parts.next(id, base).catch(() => [])
        const next = base && first?.token === base.token ? second : base ? undefined : first
        const changes = { stagedCount, removed: removedChunkIds, moved: movedChunks }
        await kept.publish(next?.seq === run ? next : undefined, changes)
        parts.noteChanged(id)
      },

      async ended({ index: { id }, run }) {
        missed.delete(run)
        const kept = keeping.get(id)?.kept
        if (kept?.seq === run) await kept.abandon()
      },
    },

    async close() {
      closed = true
      await Promise.all([...keeping.values()].map(({ kept }) => kept.abandon()))
    },
  }
}
