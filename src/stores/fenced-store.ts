import type { ChunkStore, StoreRun } from '../contract/chunk-store.ts'
import { fencedSourceName } from '../documents/conversation.ts'
import type { SourceScope } from '../contract/conversation.ts'
import type { Metadata } from '../contract/document.ts'
import type { Fence } from '../contract/fence.ts'
import { fencedFilter } from '../documents/fence.ts'
import type { Publication, StoreView } from '../contract/ledger.ts'
import type { SearchRequest } from '../contract/search.ts'
import { SluiceError } from '../kit/errors.ts'
import { matches } from '../vector/matches.ts'

/** How many names of sources one read brings. */
const SOURCES_PER_READ = 1000

/**
 * A store as a caller with a pinned key sees it. Searches find only chunks with all pins, also those that others have loaded.
 * Sources are those that were loaded within the fence: their stored names carry its id, so that no other caller replaces,
 * lists or removes them, and this one no others. What concerns the whole namespace is refused.
 */
export function fencedStore(store: ChunkStore, fence: Fence): ChunkStore {
  const pinsOnly = fencedFilter(fence)
  const nameOf = (stored: string) => fencedSourceName(stored, fence.id)
  // The spellings of other words would tell words of chunks outside.
  const { spelling: _, ...capabilities } = store.capabilities

  const isInside = ({ metadata }: { metadata: Metadata }) => matches(pinsOnly, metadata)

  function scopeOf(scope: SourceScope | undefined): SourceScope {
    if (!scope) return { fence: fence.id }
    // A flow's conversations together would include those of all fences.
    if (scope.flowId === undefined || scope.chatId === undefined) throw refusal('all conversations')
    return { ...scope, fence: fence.id }
  }

  const narrowed = ({ spelling: _, ...request }: SearchRequest): SearchRequest => ({
    ...request,
    filter: fencedFilter(fence, request.filter),
  })

  const sourceNames = async (): Promise<string[]> => {
    const names: string[] = []
    for (;;) {
      const page = { offset: names.length, limit: SOURCES_PER_READ, conversation: scopeOf(undefined) }
      const { rows } = await store.sources(page)
      names.push(...rows.map(({ source }) => source))
      if (rows.length < SOURCES_PER_READ) return names
    }
  }

  const viewOf = (view: StoreView): StoreView => ({
    get dimensions() {
      return view.dimensions
    },
    // Whether other sources have a text is not told: it would be embedded again, or not, and the counts show that.
    known: async (source, hashes) =>
      (await view.known(nameOf(source), hashes)).map((known) => ({
        ...known,
        embedded: known.chunks.length > 0,
      })),
    file: (name) => view.file(nameOf(name)),
    visible: (source) => view.visible(nameOf(source)),
    contents: (ids) => view.contents(ids),
    sources: sourceNames,
    count: async () => (await store.chunks({ offset: 0, limit: 0, conversation: scopeOf(undefined) })).total,
  })

  /** @throws SluiceError `quota_chunks_exceeded` where the documents would have more chunks than they may */
  async function requireRoom(added: number): Promise<void> {
    const limit = fence.mostChunks
    if (limit === undefined || added <= 0) return
    const count = (await store.chunksWithin(fence.id)) + added
    if (count > limit) throw new SluiceError('quota_chunks_exceeded', { count, limit })
  }

  /** How many chunks the removed ones of some sources would bring back. */
  async function restorable(sources: readonly string[], now: number, scope: SourceScope): Promise<number> {
    const wanted = new Set(sources)
    let chunks = 0
    for (let offset = 0; ; offset += SOURCES_PER_READ) {
      const page = { offset, limit: SOURCES_PER_READ, removedAt: now, conversation: scope }
      const { rows } = await store.sources(page)
      for (const row of rows) if (wanted.has(row.source)) chunks += row.chunks
      if (rows.length < SOURCES_PER_READ) return chunks
    }
  }

  const runOf = (run: StoreRun, staged = { count: 0 }): StoreRun => ({
    ...viewOf(run),
    get dimensions() {
      return run.dimensions
    },
    async stage(chunks, vectors, dimensions) {
      for (const { metadata } of chunks)
        if (!matches(pinsOnly, JSON.parse(metadata) as Metadata))
          throw new Error('a chunk within a fence has no pins')
      staged.count += chunks.length
      const limit = fence.mostChunks
      // What is removed is known at the publication. More than all that there may be can end at once.
      if (limit !== undefined && staged.count > limit)
        throw new SluiceError('quota_chunks_exceeded', { count: staged.count, limit })
      return run.stage(
        chunks.map((chunk) => ({ ...chunk, source: nameOf(chunk.source) })),
        vectors,
        dimensions,
      )
    },
    staged: (source) => run.staged(nameOf(source)),
    restage: (source) => run.restage(nameOf(source)),
    async publish(publication) {
      await requireRoom(publication.stagedCount - new Set(publication.removedChunkIds).size)
      return run.publish(fencedPublication(publication, nameOf))
    },
    sweep: () => run.sweep(),
    abandon: () => run.abandon(),
  })

  return {
    namespace: store.namespace,
    capabilities,
    ...(store.outside ? { outside: true } : {}),
    pins: fence.pins,
    open: async (embedder) => runOf(await store.open(embedder)),
    view: async (embedder) => viewOf(await store.view(embedder)),
    async rebuild() {
      throw refusal('a reindex')
    },
    search: async (request) => (await store.search(narrowed(request))).filter(isInside),
    ...(store.searchRanked
      ? {
          async searchRanked(request, ranking) {
            // How many chunks outside have a word is not told.
            const {
              readings: _,
              termFacts: __,
              ...found
            } = await store.searchRanked!(narrowed(request), ranking)
            return { ...found, ranked: found.ranked.filter(({ candidate }) => isInside(candidate)) }
          },
        }
      : {}),
    // What is outside, or in another conversation, is as if it were not stored. The ids tell nothing: they are compared with hits.
    async named(what) {
      const found = await store.named({ ...what, otherConversations: false, fence: fence.id })
      return { ...found, chunks: found.chunks.filter(isInside) }
    },
    state: () => store.state(),
    // Whether chunks outside have a field is not told.
    absentFields: async () => [],
    embedder: () => store.embedder(),
    sources: (page) => store.sources({ ...page, conversation: scopeOf(page.conversation) }),
    text: (what) => store.text({ ...what, conversation: scopeOf(what.conversation) }),
    trace: (what) => store.trace({ ...what, conversation: scopeOf(what.conversation) }),
    original: (what) => store.original({ ...what, conversation: scopeOf(what.conversation) }),
    // The settings are those of the flow, which its callers know; how many sources have them is counted within the fence.
    loadSettings: () => store.loadSettings(),
    countLoaded: (which) => store.countLoaded({ ...which, conversation: scopeOf(which.conversation) }),
    loadedWith: (page) => store.loadedWith({ ...page, conversation: scopeOf(page.conversation) }),
    chunks: (page) => store.chunks({ ...page, conversation: scopeOf(page.conversation) }),
    chunk: (what) => store.chunk({ ...what, conversation: scopeOf(what.conversation) }),
    remove: (what) => store.remove({ ...what, conversation: scopeOf(what.conversation) }),
    chunksWithin: (id) => store.chunksWithin(id),
    async restore(sources, now, scope) {
      const within = scopeOf(scope)
      if (fence.mostChunks !== undefined) await requireRoom(await restorable(sources, now, within))
      return store.restore(sources, now, within)
    },
    async sweep() {
      throw refusal('a sweep of the namespace')
    },
    async drop() {
      throw refusal('the removal of a namespace')
    },
  }
}

const refusal = (what: string) => new SluiceError('pinned_key_refused', { what })

/** A publication with the names that its sources and files have within the fence. */
function fencedPublication(publication: Publication, nameOf: (stored: string) => string): Publication {
  const { files, updatedSources, sourceFacts, loads, restoredSources, invalidatedFiles } = publication
  // `all`: the files of others are only read again when they are sent again.
  return {
    ...publication,
    files: files.map((file) => ({ ...file, name: nameOf(file.name) })),
    updatedSources: updatedSources.map(nameOf),
    ...(sourceFacts
      ? { sourceFacts: sourceFacts.map((facts) => ({ ...facts, source: nameOf(facts.source) })) }
      : {}),
    ...(loads
      ? {
          loads: {
            settings: loads.settings,
            sources: loads.sources.map((one) => ({ ...one, source: nameOf(one.source) })),
          },
        }
      : {}),
    ...(restoredSources ? { restoredSources: restoredSources.map(nameOf) } : {}),
    invalidatedFiles: invalidatedFiles === 'all' ? 'all' : invalidatedFiles.map(nameOf),
  }
}
