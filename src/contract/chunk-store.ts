import type { Conversation, SourceScope } from './conversation.ts'
import type { Dependency } from './dependency.ts'
import type { ComparisonOptions, EngineComparison } from './engine-comparison.ts'
import type { EngineSource } from './engine-source.ts'
import type { Pins } from './fence.ts'
import type { Filter } from './filter.ts'
import type { NamedChunks, NamedRequest } from './expected.ts'
import type { InvisibleChunks, Unswept } from './invisible.ts'
import type { Receipt } from './job.ts'
import type {
  ChunkList,
  ChunkPage,
  ChunkRequest,
  NamespaceContents,
  NewChunk,
  Publication,
  Removal,
  StoredChunk,
  StoredText,
  StoreView,
} from './ledger.ts'
import type { SourcePage, SourceRow } from './source-page.ts'
import type {
  KeptOriginal,
  LoadCount,
  LoadedPage,
  LoadedSource,
  LoadedWith,
  StoredSettings,
} from './source-load.ts'
import type { SourceTrace, SourceTraceRequest } from './source-trace.ts'
import type { SourceText, SourceTextRequest } from './source-version.ts'
import type { Ranking } from './retrieval.ts'
import type { Candidate, RankedCandidates, SearchRequest, TermFacts } from './search.ts'
import type { EngineCapabilities, EngineMemory, KeptOption } from './vector-engine.ts'

/** One upsert: what it stages is invisible until it is published, all at once. */
export type StoreRun = StoreView & {
  /** `vectors`: those of the chunks that bring a text, one after another. */
  stage(chunks: NewChunk[], vectors: Float32Array, dimensions: number): Promise<void>
  /** Ids of the chunks of a source that this run has staged. */
  staged(source: string): Promise<number[]>
  /** Stages the removed chunks of a source again. @returns how many */
  restage(source: string): Promise<number>
  publish(publication: Publication): Promise<void>
  /** Deletes what readers do not see any more. No other run of the namespace may be open meanwhile. */
  sweep(): Promise<void>
  abandon(): Promise<void>
}

/** New vectors for all that a namespace holds: readers see the old ones until all are there. */
export type StoreRebuild = Pick<StoreRun, 'dimensions' | 'stage' | 'sweep' | 'abandon'> & {
  /** How many chunks there are. */
  readonly total: number
  /** The chunks that readers see, in order, a batch at a time. */
  chunks(): AsyncIterable<StoredChunk[]>
  /** The text of a chunk; undefined where its new vector is there already, from this run or an abandoned one. */
  text(chunk: StoredChunk): Promise<string | undefined>
  /** The new vectors take the place of the old. @param stagedCount how many chunks were staged */
  publish(stagedCount: number, receipt: Receipt | undefined): Promise<void>
}

/** The chunks of one namespace: the ledger knows them, a vector engine finds them. */
export type ChunkStore = {
  readonly namespace: string
  readonly capabilities: EngineCapabilities
  /** Searches also find what another program has stored, also where this store is empty. */
  readonly outside?: true
  /** The metadata that each chunk must have; a store with them refuses others. */
  readonly pins?: Pins
  /** @throws SluiceError `embedder_changed`, `engine_changed` */
  open(embedder: string): Promise<StoreRun>
  /** The same without writing anything. @throws SluiceError `embedder_changed`, `engine_changed` */
  view(embedder: string): Promise<StoreView>
  /** Begins to give all chunks new vectors; undefined where there are none. */
  rebuild(embedder: string): Promise<StoreRebuild | undefined>
  /**
   * The visible candidates of both sides, in no order.
   *
   * @throws SluiceError `embedder_changed`, `engine_changed`, `dimension_mismatch`
   */
  search(request: SearchRequest): Promise<Candidate[]>
  /** The same in the order of a ranking, by an engine that `ranksEarly`; absent with other engines. */
  searchRanked?(request: SearchRequest, ranking: Ranking): Promise<RankedCandidates>
  /**
   * What BM25 scores the passages with for the text of a request, where the engine does not rank early and words are searched here;
   * absent where another server searches them.
   */
  termFacts?(request: SearchRequest): Promise<TermFacts | undefined>
  /** The chunks that readers see under a name, whatever a query may find; none while the store is empty. */
  named(what: NamedRequest): Promise<NamedChunks>
  /** The state of what readers see: it is another one after each publication. */
  state(): Promise<string>
  /** The fields of a filter that no visible chunk has, by their dotted paths; none while the store is empty. */
  absentFields(filter: Filter): Promise<string[]>
  /** The embedder that the index was built with; undefined while it is empty. */
  embedder(): Promise<string | undefined>
  /** The sources of a conversation; without one, those that belong to none. */
  sources(page: SourcePage): Promise<{ rows: SourceRow[]; total: number }>
  /** A part of the extracted text of a source, put together from its visible chunks; undefined where none has a range. */
  text(what: SourceTextRequest): Promise<SourceText | undefined>
  /** Where the words of the newest version of a source went; undefined where readers see none of its chunks. */
  trace(what: SourceTraceRequest): Promise<SourceTrace | undefined>
  /** The kept file of a source that readers see. */
  original(what: Pick<SourceTextRequest, 'source' | 'conversation'>): Promise<KeptOriginal | undefined>
  /** All settings that sources of the namespace were loaded with. */
  loadSettings(): Promise<StoredSettings[]>
  /** How many sources that readers see were loaded with some settings: of a conversation, or of none. */
  countLoaded(which: LoadedWith): Promise<LoadCount>
  /** The same sources by name. */
  loadedWith(page: LoadedPage): Promise<LoadedSource[]>
  /** Visible chunks, source by source by name, each by the position in its text: of a conversation, or of none. */
  chunks(page: ChunkPage): Promise<ChunkList>
  /** One visible chunk: of a conversation, or of none. */
  chunk(what: ChunkRequest): Promise<StoredText | undefined>
  /**
   * Removes the chunks of some sources, or those that meet a filter, or those of the sources that meet it, all at once.
   * With a conversation only chunks of that, without one only chunks of none. No run of the namespace may be open meanwhile.
   *
   * @returns how many were removed
   */
  remove(what: Removal): Promise<number>
  /**
   * Restores removed sources, all at once: those that can be restored at a moment, in ms since 1970. No run of the
   * namespace may be open meanwhile.
   *
   * @param scope the conversation or fence that the sources belong to
   * @returns the names of the restored sources as the client knows them, and how many chunks they have
   */
  restore(
    sources: readonly string[],
    now: number,
    scope?: SourceScope,
  ): Promise<{ sources: string[]; chunks: number }>
  /** How many chunks readers see of the documents within a fence, in all namespaces of the ledger. */
  chunksWithin(fence: string): Promise<number>
  /**
   * Deletes what readers do not see any more, without a run. No run of the namespace may be open meanwhile.
   *
   * @param goOn asked between the steps; false leaves the rest for the next sweep
   */
  sweep(goOn: () => boolean): Promise<void>
  /** Removes the namespace with all that it holds. No run of it may be open meanwhile. */
  drop(): Promise<void>
  /** What the collection was made with that the card of a separate engine has otherwise now, as `open` or `view` has found it. */
  kept?(): Promise<readonly KeptOption[]>
  /**
   * Compares the points of a separate engine with the ledger; undefined where the namespace is not in this engine. Absent for
   * the built-in engine, which commits with the ledger.
   *
   * @param options `repair` also mends what differs. No run of the namespace may be open meanwhile
   */
  compare?(options: ComparisonOptions): Promise<EngineComparison | undefined>
}

/** How engines are reached that no card of this process has named, to delete what they still have of removed indexes. */
export type EngineReach = {
  /** Where an engine with a name may be; each place may fail when it is opened. */
  sources(engine: string): Promise<EngineSource[]>
  /** Called where it fails. The next attempts come after growing pauses. */
  failed(engine: string, error: unknown): void
}

/** The stores of one ledger, by namespace: those of its own engine, and those of the separate engines that cards name. */
export type ChunkStores = Omit<EngineStores, 'sweepRemoved'> & {
  /**
   * Deletes what earlier processes have left of removed namespaces, in the engines that cards of this process have named.
   *
   * @param reach also in others, and what fails in a separate engine is told by it
   */
  sweepRemoved(reach?: EngineReach): Promise<void>
  /** What the engine of the ledger keeps in memory. */
  memory(): EngineMemory
  /** How many publications the replica of this process has not taken over yet; absent where there is no replica. */
  lag?(): Promise<number>
  /** The collections of separate engines that cards of this process have named. */
  readonly dependencies: readonly Dependency[]
  /** The store of a namespace in a separate engine. The ledger stays the same: it decides what readers see. */
  openSeparate(namespace: string, source: EngineSource): ChunkStore
  /**
   * The store that has the chunks of a namespace, in whichever engine they are. Where no card of this process has named that
   * engine yet, chunks can be listed and removed, but not searched; the engine loses their points at its next repair.
   */
  find(namespace: string): Promise<ChunkStore>
}

/** The stores of one ledger and one engine, by namespace. */
export type EngineStores = {
  open(namespace: string): ChunkStore
  /** How many chunks readers see of the documents within a fence, by the id of the fence. */
  chunksWithin(fence: string): Promise<number>
  /** The namespaces that have chunks of a conversation. */
  namespacesWith(conversation: Conversation): Promise<string[]>
  /** How many chunks and sources readers see, by namespace. */
  contents(): Promise<Map<string, NamespaceContents>>
  /** What is to be swept. */
  unswept(): Promise<Unswept>
  /** How many chunks readers do not see, by namespace. */
  invisible(): Promise<Map<string, InvisibleChunks>>
  /** Frees the memory of collections that readers do not see any more. Nothing is deleted. */
  dropMemory(collections: readonly string[]): Promise<void>
  /** Deletes what earlier processes have left of removed namespaces. */
  sweepRemoved(): Promise<void>
  /** Ends work in the background, before the database is closed. */
  close(): Promise<void>
}
