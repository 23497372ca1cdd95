import type { ChunkStore, EngineStores } from '../contract/chunk-store.ts'
import { originalSourceName } from '../documents/conversation.ts'
import type { ConnectedEngine } from '../contract/engine-source.ts'
import type { RankedCandidates, SearchRequest } from '../contract/search.ts'
import type { Ledger, LedgerIndex } from '../contract/ledger.ts'
import type { EngineCapabilities, JoinedEngine, VectorEngine } from '../contract/vector-engine.ts'
import { SluiceError } from '../kit/errors.ts'
import { expectServer } from '../kit/patience.ts'
import { compareEngine } from './compare-engine.ts'
import { callBatches } from './remote/call-batches.ts'
import { namedPoints, wordFacts } from './named-points.ts'
import { setAside, settle, takeBack, withRemoved } from './removed-points.ts'
import { explained, requireCollection } from './require-collection.ts'
import { searchSeparately } from './separate-search.ts'
import { type StoreParts, storeRebuild, storeRun, sweepStore } from './store-runs.ts'

/**
 * The one place where ledger and vector engine meet: the stores that `upsert/` writes into and `retrieve/` searches. The
 * ledger decides what readers see. It writes the points of an engine that commits with it, and such an engine finds
 * visible candidates only; of the candidates of a separate engine the ledger keeps those that are visible.
 *
 * @param words the engine in the database of the ledger, which searches by keyword where a separate one does not
 * @param outside candidates that the ledger does not know
 */
export function chunkStores({
  ledger,
  engine,
  words,
  outside,
}: {
  ledger: Ledger
  engine: VectorEngine
  words?: JoinedEngine | undefined
  outside?: ConnectedEngine['outside']
}): EngineStores {
  const { name } = engine
  const engineWords = 'upsert' in engine && engine.capabilities.keywords
  const wordEngine = engine.capabilities.keywords ? undefined : words
  const spelling = wordEngine?.capabilities.spelling ? { spelling: true as const } : {}
  const capabilities: EngineCapabilities = wordEngine
    ? { ...engine.capabilities, keywords: true, ...spelling }
    : engine.capabilities
  /** The collections of a separate engine that were repaired in this process. */
  const repaired = new Set<string>()
  const sweepRemoved = () =>
    ledger.sweepRemoved(name, async (collection) => {
      await ('upsert' in engine ? withRemoved({ ledger, engine }) : engine).drop(collection)
      await wordEngine?.drop(collection)
      repaired.delete(collection)
    })
  const parts: StoreParts = { ledger, engine, words: wordEngine, repaired, sweepRemoved }

  function open(namespace: string): ChunkStore {
    /**
     * The index with visible chunks; undefined where there are none.
     *
     * @throws SluiceError `engine_changed`, and `embedder_changed` where an embedder is given
     */
    async function visibleIndex(embedder?: string): Promise<LedgerIndex | undefined> {
      const index = await ledger.find(namespace)
      if (!index || index.chunks === 0) return undefined
      if (embedder !== undefined && index.embedder !== embedder)
        throw new SluiceError('embedder_changed', { namespace, was: index.embedder, now: embedder })
      if (index.engine !== name)
        throw new SluiceError('engine_changed', { namespace, was: index.engine, now: name })
      return index
    }

    /** Searches until the searched index is the one that readers see at the end; undefined where there is none. */
    async function searched<Answer>(
      { embedder, vector }: SearchRequest,
      search: (index: LedgerIndex) => Promise<Answer | undefined>,
    ): Promise<Answer | undefined> {
      for (;;) {
        const index = await visibleIndex(embedder)
        if (!index) return undefined
        const want = index.dimensions
        if (vector && want !== undefined && vector.length !== want)
          throw new SluiceError('dimension_mismatch', { got: vector.length, want, namespace })
        const answer = await search(index)
        if (answer !== undefined) return answer
      }
    }

    /** A run of a removal needs no collection; what brings chunks does. */
    const openRun = async (embedder: string) =>
      storeRun(parts, await ledger.open({ namespace, embedder, engine: name, engineWords }))

    /** Nothing may be said to be there already, or be put beside what is lost. @throws SluiceError `collection_unusable` */
    async function requireChunks(embedder: string): Promise<void> {
      const index = await visibleIndex(embedder)
      if (index && 'upsert' in engine) await requireCollection(engine, index, { writes: true })
    }

    /** Moves the points of some chunks. What fails is made up for by the next sweep. */
    async function move(chunkIds: readonly number[], how: typeof setAside): Promise<void> {
      if (!('upsert' in engine)) return
      const index = await ledger.find(namespace)
      if (!index) return
      const { collection } = index
      const isRepaired = repaired.delete(collection)
      for (const ids of callBatches(chunkIds, { count: 2000 }))
        await how({ ledger, engine }, collection, await ledger.pointsOf(collection, ids))
      if (isRepaired) repaired.add(collection)
    }

    const store: ChunkStore = {
      namespace,
      capabilities,
      ...(outside ? { outside: true } : {}),

      async open(embedder) {
        await requireChunks(embedder)
        return openRun(embedder)
      },

      async view(embedder) {
        await requireChunks(embedder)
        const index = await ledger.find(namespace)
        return ledger.view(index?.embedder === embedder && index.engine === name ? index : undefined)
      },

      async rebuild(embedder) {
        if ((await ledger.find(namespace))?.engine === name) expectServer()
        const rebuild = await ledger.rebuild({ namespace, embedder, engine: name, engineWords })
        return rebuild && storeRebuild(parts, rebuild)
      },

      async search(request) {
        const found = await searched(request, (index) =>
          'upsert' in engine
            ? searchSeparately({ ledger, engine, words: wordEngine }, index, request)
            : engine.search(index.collection, request),
        )
        return [...(found ?? []), ...((await outside?.(request)) ?? [])]
      },

      named: (what) => namedPoints({ ledger, engine }, namespace, what),
      state: () => ledger.state(namespace),
      async absentFields(filter) {
        const index = await visibleIndex()
        // What is outside may have any field.
        if (!index || outside) return []
        const { collection } = index
        return 'upsert' in engine
          ? ledger.absentFields(collection, filter)
          : engine.absentFields(collection, filter)
      },

      async embedder() {
        return (await visibleIndex())?.embedder
      },

      sources: (page) => ledger.sources(namespace, page),
      chunks: (page) => ledger.chunks(namespace, page),
      text: (what) => ledger.text(namespace, what),
      trace: (what) => ledger.trace(namespace, what),
      original: (what) => ledger.original(namespace, what),
      loadSettings: () => ledger.loadSettings(namespace),
      chunk: (what) => ledger.chunk(namespace, what),
      countLoaded: (which) => ledger.countLoaded(namespace, which),
      loadedWith: (page) => ledger.loadedWith(namespace, page),
      chunksWithin: ledger.chunksWithin,

      async remove(what) {
        const plan = await ledger.planRemoval(namespace, what)
        if (!plan) return 0
        const { embedder, ...publication } = plan
        const run = await openRun(embedder)
        await run.publish({ ...publication, stagedCount: 0, files: [] })
        if (publication.restorableUntil !== undefined)
          try {
            await move(publication.removedChunkIds, setAside)
          } catch (error) {
            // They are removed for all readers; the next sweep that reaches the engine moves them.
            if (!(error instanceof SluiceError)) throw error
            return publication.removedChunkIds.length
          }
        await run.sweep()
        return publication.removedChunkIds.length
      },

      async restore(sources, now, scope) {
        const plan = await ledger.planRestore(namespace, sources, now, scope)
        if (!plan) return { sources: [], chunks: 0 }
        const run = await store.open(plan.embedder)
        let stagedCount = 0
        try {
          for (const source of plan.sources) {
            stagedCount += await run.restage(source)
            await move(await run.staged(source), takeBack)
          }
          await run.publish({
            stagedCount,
            removedChunkIds: [],
            files: [],
            updatedSources: [],
            invalidatedFiles: [],
            restoredSources: plan.sources,
          })
        } catch (error) {
          await run.abandon()
          throw error
        }
        await run.sweep()
        return { sources: plan.sources.map(originalSourceName), chunks: stagedCount }
      },

      async sweep(goOn) {
        const sweeper = await ledger.sweeper(namespace, engineWords)
        if (sweeper) await sweepStore(parts, sweeper, goOn)
      },

      async drop() {
        await ledger.remove(namespace)
        await sweepRemoved()
      },
    }
    if ('upsert' in engine)
      return {
        ...store,
        ...wordFacts(wordEngine, searched),
        async kept() {
          const index = await ledger.find(namespace)
          return index && index.chunks > 0 && index.engine === name
            ? ((await engine.kept?.(index.collection)) ?? [])
            : []
        },
        async compare(options) {
          const index = await ledger.find(namespace)
          if (index?.engine !== name) return undefined
          const compare = async () => {
            const compared = await compareEngine(
              { ledger, engine: withRemoved({ ledger, engine }) },
              index,
              options,
            )
            if (options.repair) await settle({ ledger, engine }, index.collection)
            return compared
          }
          if (options.repair) return explained(engine, index, { writes: true }, compare)
          await requireCollection(engine, index, { writes: false })
          return compare()
        },
      }
    if (!engine.searchRanked) return store
    const { searchRanked } = engine
    const ranked: ChunkStore['searchRanked'] = async (request, ranking) =>
      (await searched(request, ({ collection }) => searchRanked(collection, request, ranking))) ?? NOTHING
    return { ...store, searchRanked: ranked }
  }

  return {
    open,
    async sweepRemoved() {
      await sweepRemoved()
      if (!('upsert' in engine)) engine.sweep()
    },
    async close() {
      if (!('upsert' in engine)) await engine.close()
    },
    namespacesWith: ledger.namespacesWith,
    chunksWithin: ledger.chunksWithin,
    contents: ledger.contents,
    unswept: ledger.unswept,
    invisible: ledger.invisible,
    async dropMemory(collections) {
      if (!('upsert' in engine)) for (const collection of collections) await engine.drop(collection)
    },
  }
}

const NOTHING: RankedCandidates = { ranked: [], found: [] }
