import type { ChunkEditChanges } from './chunk-edit-store.ts'
import type { Conversation, SourceScope } from './conversation.ts'
import type { Document, TextRange } from './document.ts'
import type { DroppedCount, DroppedRow } from './dropped-rows.ts'
import type { Filter } from './filter.ts'
import type { NamedChunks, NamedRequest } from './expected.ts'
import type { InvisibleChunks, Unswept } from './invisible.ts'
import type { Receipt } from './job.ts'
import type { LedgerPoints } from './ledger-points.ts'
import type {
  KeptOriginal,
  LoadCount,
  LoadedPage,
  LoadedSource,
  LoadedWith,
  SourceLoads,
  StoredSettings,
} from './source-load.ts'
import type { SourcePage, SourceRow } from './source-page.ts'
import type { SourceTrace, SourceTraceRequest, TextGaps } from './source-trace.ts'
import type { SourceText, SourceTextRequest, SourceVersion } from './source-version.ts'

/*
 * The ledger of a database: which chunks there are, which of them readers see, how many, from which sources and files.
 * There is one per database. Vectors and keywords are the vector engine's (`vector-engine.ts`).
 */

/** A chunk to be written. */
export type NewChunk = {
  source: string
  /** Fingerprint of the passage. */
  hash: string
  /** The passage (`passage.ts`); absent where the index already has a vector for it. */
  text?: string
  /** Canonical JSON text of the metadata. */
  metadata: string
  metadataHash: string
  /** Where its text is in the extracted text of its source; absent where that is not known. */
  range?: TextRange | undefined
}

/** A chunk as the ledger writes it. `pointId`: its point in an engine that does not commit with the ledger. */
export type LedgerChunk = NewChunk & { pointId?: string }

/** What the index knows about a text in a source. */
export type KnownText = {
  /** Whether there is a vector for the text, of any run or source. */
  embedded: boolean
  /** The chunks of the source that have this text: those that readers see, and those of this run (`fresh`). */
  chunks: { id: number; metadataHash: string; fresh: boolean; range?: TextRange | undefined }[]
}

/** `metadata`: canonical JSON text. */
export type ChunkContent = { text: string; metadata: string }

/**
 * How a file looked when it was last upserted. `outdated`: how many chunks of earlier versions its source has. `dropped`: what was left
 * out of its text; null where that is not known. `isUntraced`: it is not known which of its words are in no chunk.
 */
export type KnownFile = {
  fingerprint: string
  chunks: number
  outdated?: number
  dropped?: DroppedCount[] | null
  isUntraced?: boolean
}

/** What a run changes when it is published. */
export type Publication = {
  /** How many chunks the run has staged. */
  stagedCount: number
  /** Chunks that are replaced or removed. */
  removedChunkIds: number[]
  /** Chunks that stay, with new ranges: text before them has changed. */
  movedChunks?: { id: number; range: TextRange }[]
  /**
   * Chunks of the updated sources that stay though the run does not have them: they are of earlier versions. All others of these
   * sources are of the newest version. Absent where the publication brings no version, such as a removal.
   */
  outdatedChunkIds?: number[] | undefined
  /** Files as this run found them, so that an unchanged one need not be read again. */
  files: ({ name: string } & KnownFile)[]
  /** Sources whose time of change becomes now. What was removed of them earlier cannot be restored any more. */
  updatedSources: string[]
  /** What this run has learned about some of them. */
  sourceFacts?: SourceFacts[] | undefined
  /** With which settings this run has cut some of them, or found them cut. */
  loads?: SourceLoads | undefined
  /** The removed sources can be restored until this moment, in ms since 1970; without it their chunks are deleted soon. */
  restorableUntil?: number | undefined
  /** Removed sources that this run has staged again. */
  restoredSources?: string[] | undefined
  /** Files that must be read again at their next upload, because some of their chunks are removed. */
  invalidatedFiles: string[] | 'all'
  /** What changes of the edits of chunks. */
  edits?: ChunkEditChanges | undefined
  /** The result of the run's job, stored in the same transaction. */
  receipt?: Receipt | undefined
}

/** What a run has learned about a source: the size of its file, and the length of its extracted text in UTF-16 code units. */
export type SourceFacts = {
  source: string
  bytes?: number | undefined
  characters: number
  /** The kept file; absent where none was kept. */
  original?: KeptOriginal | undefined
  /** What was left out of the text; absent where that is not known. */
  dropped?: DroppedRow[] | undefined
  /** Which words of the text are in no chunk; absent where that is not known. */
  gaps?: TextGaps | undefined
}

/** The index of a namespace: its chunks, all embedded by one embedder. */
export type LedgerIndex = {
  readonly namespace: string
  /** The name under which the vector engine has the points of this index. No other index ever gets it. */
  readonly collection: string
  readonly embedder: string
  /** The name of the vector engine that has the points. */
  readonly engine: string
  /** Length of the vectors; undefined before the first. */
  readonly dimensions: number | undefined
  /** How many chunks readers see. */
  readonly chunks: number
}

/** What an upsert reads of a namespace. */
export type StoreView = {
  /** Length of the vectors; undefined in a new index. */
  readonly dimensions: number | undefined
  known(source: string, hashes: readonly string[]): Promise<KnownText[]>
  file(name: string): Promise<KnownFile | undefined>
  /** Ids of the chunks of a source that readers see, in batches. */
  visible(source: string): AsyncIterable<number[]>
  /** Texts and metadata of some chunks, by their ids. Chunks that are gone are left out. */
  contents(ids: readonly number[]): Promise<ChunkContent[]>
  /** The names of the sources with visible chunks that belong to no conversation. */
  sources(): Promise<string[]>
  /** Visible chunks of the namespace. */
  count(): Promise<number>
}

/** The part of a run or a rebuild that writes chunks. */
export type LedgerWriter = {
  readonly index: LedgerIndex
  /** The number of the run; no other run ever gets it. */
  readonly run: number
  readonly dimensions: number | undefined
  /**
   * Writes chunks that readers do not see before the publication.
   *
   * @param dimensions the length of a vector
   * @param vectors those of the chunks that bring a text, one after another, for an engine that commits with the ledger.
   *   Absent for a separate engine, which has the points of these chunks already
   */
  stage(chunks: LedgerChunk[], dimensions: number, vectors?: Float32Array): Promise<void>
  /** The text of each hash that is staged or published, and a point that has its vector. */
  texts(hashes: readonly string[]): Promise<Map<string, { text: string; pointId: string }>>
  /**
   * Deletes what readers do not see any more. No other run of the namespace may be open.
   *
   * @param gone called with the ids of points that belong to no chunk any more, after the chunks are deleted
   * @param goOn asked between the steps; false leaves the rest for the next sweep
   * @returns whether all is swept
   */
  sweep(gone: (pointIds: string[]) => Promise<void>, goOn?: () => boolean): Promise<boolean>
  abandon(): Promise<void>
}

export type LedgerSweeper = Pick<LedgerWriter, 'index' | 'sweep'>

/** One upsert. What it stages becomes visible when it is published, all at once. */
export type LedgerRun = StoreView &
  LedgerWriter & {
    /** Ids of the chunks of a source that this run has staged. */
    staged(source: string): Promise<number[]>
    /** Stages the removed chunks of a source again. @returns how many */
    restage(source: string): Promise<number>
    /** @throws SluiceError `run_not_open` */
    publish(publication: Publication): Promise<void>
  }

/** A chunk that readers see, without its text. */
export type StoredChunk = Omit<NewChunk, 'text'> & { id: number; passageId: number }

/** A second index of a namespace, which takes the place of the first when it is published. */
export type LedgerRebuild = LedgerWriter & {
  /** How many chunks there are. */
  readonly total: number
  /** The chunks that readers see, in order, a batch at a time. */
  chunks(): AsyncIterable<StoredChunk[]>
  /** The text of a chunk; undefined where the new index has its vector, from this run or an abandoned one. */
  text(chunk: StoredChunk): Promise<string | undefined>
  /** @param stagedCount how many chunks were staged. @throws SluiceError `run_not_open` */
  publish(stagedCount: number, receipt: Receipt | undefined): Promise<void>
}

/**
 * A chunk as it is listed. A search gives the same id: it is made of source, text and metadata. `outdatedAt`: since when its source has
 * a newer version without it, in ms since 1970.
 */
export type ListedChunk = Document & {
  id: string
  source: string
  range: TextRange | undefined
  outdatedAt: number | undefined
}

export type ChunkPage = Pick<SourcePage, 'offset' | 'limit' | 'conversation'> & {
  source?: string | undefined
  /** Without `source`: only chunks of sources that were loaded with one of these settings, by their hashes. */
  settings?: readonly string[] | undefined
  /** Only chunks of one version of `source`. */
  version?: SourceVersion | undefined
  /** Only chunks whose text contains this, each letter in either case. */
  search?: string | undefined
  /** The id of a chunk of `source`: the page is the one that has it, if it is there; `offset` is not used then. */
  around?: string | undefined
  /** A position in the text of `source`: the page is the one with the first chunk that ends behind it, or the last one. */
  at?: number | undefined
}

/** One chunk of a list, by the id that lists and searches give it, and its source. */
export type ChunkRequest = { source: string; chunk: string; conversation?: SourceScope | undefined }

/** A chunk as it is stored: its source by its name in the store, its passage, and its metadata as canonical JSON. */
export type StoredText = Pick<NewChunk, 'source' | 'hash' | 'metadata' | 'metadataHash' | 'range'> & {
  passage: string
}

/** A page of chunks; `offset` is how many chunks are before it. */
export type ChunkList = { rows: ListedChunk[]; total: number; offset: number }

/** Which chunks are removed: those that meet all given conditions. `sources` takes precedence over `source`. */
export type Removal = {
  source?: string
  sources?: readonly string[]
  filter?: Filter
  conversation?: SourceScope
  /** Whole sources can be restored until this moment, in ms since 1970. Not with a filter. */
  restorableUntil?: number
}

/** Removed sources that can be restored: their names in the store. */
export type RestorePlan = { embedder: string; sources: string[] }

/** The chunks that a removal names, as the publication that removes them needs them. */
export type RemovalPlan = Pick<
  Publication,
  'removedChunkIds' | 'updatedSources' | 'invalidatedFiles' | 'restorableUntil'
> & {
  embedder: string
}

/**
 * The index that a run is opened for. `embedder` is its id, `engine` its name. `engineWords`: that engine searches words too, so the
 * ledger stores none of this index, and the sweeps of the run delete what is there of before.
 */
export type IndexRequest = { namespace: string; embedder: string; engine: string; engineWords?: boolean }

/** What a namespace holds, without the files of conversations in `sources`. */
export type NamespaceContents = { chunks: number; sources: number }

export type Ledger = LedgerPoints & {
  /** The index that readers of a namespace see. */
  find(namespace: string): Promise<LedgerIndex | undefined>
  /** What an upsert would find, without writing anything. */
  view(index: LedgerIndex | undefined): StoreView
  /**
   * Begins a run. An index without visible chunks is replaced when embedder or engine differ.
   *
   * @throws SluiceError `embedder_changed`, `engine_changed`
   */
  open(request: IndexRequest): Promise<LedgerRun>
  /** Begins a rebuild, or continues an abandoned one; undefined where readers see nothing. */
  rebuild(request: IndexRequest): Promise<LedgerRebuild | undefined>
  sources(namespace: string, page: SourcePage): Promise<{ rows: SourceRow[]; total: number }>
  /** Visible chunks, source by source by name, each by the position in its text. */
  chunks(namespace: string, page: ChunkPage): Promise<ChunkList>
  /** One visible chunk. */
  chunk(namespace: string, what: ChunkRequest): Promise<StoredText | undefined>
  /** The visible chunks under a name, with the vectors that the ledger has. */
  named(namespace: string, what: NamedRequest): Promise<NamedChunks>
  /** The state of the visible index: it is another one after each publication. Empty where there is no index. */
  state(namespace: string): Promise<string>
  /**
   * A part of the extracted text of one version of a source, as far as visible chunks of that version have its words; undefined where
   * none of them has a range. Of the newest version what was left out is told even so, with an empty text.
   */
  text(namespace: string, what: SourceTextRequest): Promise<SourceText | undefined>
  /** Where the words of the newest version of a source went; undefined where readers see none of its chunks. */
  trace(namespace: string, what: SourceTraceRequest): Promise<SourceTrace | undefined>
  /** The kept file of a source that readers see. */
  original(
    namespace: string,
    what: Pick<SourceTextRequest, 'source' | 'conversation'>,
  ): Promise<KeptOriginal | undefined>
  /** All settings that sources of a namespace were loaded with. */
  loadSettings(namespace: string): Promise<StoredSettings[]>
  /** How many sources that readers see were loaded with some settings. */
  countLoaded(namespace: string, which: LoadedWith): Promise<LoadCount>
  /** The same sources by name. */
  loadedWith(namespace: string, page: LoadedPage): Promise<LoadedSource[]>
  /** Finds what a removal names; undefined where that is nothing. */
  planRemoval(namespace: string, what: Removal): Promise<RemovalPlan | undefined>
  /** How many chunks and sources readers see, by namespace; without namespaces that are empty. */
  contents(): Promise<Map<string, NamespaceContents>>
  /**
   * Finds those of some sources that can be restored at a moment, in ms since 1970; undefined where that is none.
   *
   * @param scope the conversation or fence that the sources belong to
   */
  planRestore(
    namespace: string,
    sources: readonly string[],
    now: number,
    scope?: SourceScope,
  ): Promise<RestorePlan | undefined>
  /** What is to be swept. */
  unswept(): Promise<Unswept>
  /** Sweeps a namespace without a run; undefined where there is no such namespace. @param engineWords as of a run */
  sweeper(namespace: string, engineWords?: boolean): Promise<LedgerSweeper | undefined>
  /**
   * How many chunks readers do not see, by namespace; without namespaces that have none. Indexes of deleted and removed
   * namespaces have a random name.
   */
  invisible(): Promise<Map<string, InvisibleChunks>>
  /** How many chunks readers see of the documents within a fence, in all namespaces, by the id of the fence. */
  chunksWithin(fence: string): Promise<number>
  /** The namespaces that have chunks of a conversation. */
  namespacesWith(conversation: Conversation): Promise<string[]>
  /** Hides a namespace from its readers; `sweepRemoved` deletes it. */
  remove(namespace: string): Promise<void>
  /** How many removed indexes still have points or rows, by the names of their engines. */
  removedEngines(): Promise<Map<string, number>>
  /**
   * Deletes what removed indexes of an engine have left.
   *
   * @param drop called with the collection of each, before its rows are deleted; a failure leaves the rest for the next call
   */
  sweepRemoved(engine: string, drop: (collection: string) => Promise<void>): Promise<void>
}
