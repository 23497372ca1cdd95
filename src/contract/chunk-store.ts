import type { Conversation } from './conversation.ts'
import type { Document } from './document.ts'
import { SluiceError } from '../kit/errors.ts'
import type { Filter } from './filter.ts'
import type { Receipt } from './job.ts'
import type { Metric } from './retrieval.ts'

/** A chunk on its way into a store. */
export type NewChunk = {
  source: string
  /** Fingerprint of the text. */
  hash: string
  /** Absent where the store already holds a vector for this text. */
  text?: string
  /** Canonical JSON text of the metadata. */
  metadata: string
  metadataHash: string
}

/** What the store knows about a text in a source. */
export type KnownText = {
  /** Whether a vector for the text is there, from whatever run or source. */
  embedded: boolean
  /** The chunks of the source that have this text: those that readers see, and this run's own (`fresh`). */
  chunks: { id: number; metadataHash: string; fresh: boolean }[]
}

/** How a file looked when it was last upserted. */
export type KnownFile = { fingerprint: string; chunks: number }

/** What a run changes at the moment of its publication. */
export type Publication = {
  /** How many chunks it staged. */
  stagedCount: number
  /** Chunks that are replaced or removed. */
  removedChunkIds: number[]
  files: ({ name: string } & KnownFile)[]
  updatedSources: string[]
  invalidatedFiles: string[] | 'all'
  receipt?: Receipt | undefined
}

/** What a namespace holds, as an upsert asks it. */
export type StoreView = {
  /** Length of the vectors; undefined in a new index. */
  readonly dimensions: number | undefined
  known(source: string, hashes: readonly string[]): Promise<KnownText[]>
  file(name: string): Promise<KnownFile | undefined>
  /** Ids of the chunks of a source that readers see, in batches. */
  visible(source: string): AsyncIterable<number[]>
  /** The names of the sources with visible chunks that belong to no conversation. */
  sources(): Promise<string[]>
  /** Visible chunks of the namespace. */
  count(): Promise<number>
}

/** One upsert's way of writing: what it stages is invisible until it is published, all at once. */
export type StoreRun = StoreView & {
  /** `vectors`: those of the chunks that bring a text, one after another. */
  stage(chunks: NewChunk[], vectors: Float32Array, dimensions: number): Promise<void>
  /** Ids of the chunks of a source that this run has staged. */
  staged(source: string): Promise<number[]>
  publish(publication: Publication): Promise<void>
  /** Clears up behind a publication. No other run of the namespace may be open meanwhile. */
  sweep(): Promise<void>
  abandon(): Promise<void>
}

/** A chunk that readers see, without its text. */
export type StoredChunk = Omit<NewChunk, 'text'> & { id: number; passageId: number }

/** The way of giving all that a namespace holds new vectors: readers see the old ones until they are all there. */
export type StoreRebuild = Pick<StoreRun, 'dimensions' | 'stage' | 'sweep' | 'abandon'> & {
  /** How many chunks there are. */
  readonly total: number
  /** The chunks that readers see, in order, a batch at a time. */
  chunks(): AsyncIterable<StoredChunk[]>
  /** The text of a chunk; undefined where its new vector is there already, from this run or one that was given up. */
  text(chunk: StoredChunk): Promise<string | undefined>
  /** The one moment at which the new vectors take the place of the old. @param stagedCount how many chunks were staged */
  publish(stagedCount: number, receipt: Receipt | undefined): Promise<void>
}

export type SearchRequest = {
  /** Asked by meaning; left out for keywords alone. */
  vector?: Float32Array
  /** Who made the vector: one that the index was not built with is refused. */
  embedder?: string
  /** Asked by keyword; left out for meaning alone. */
  text?: string
  /** `cosine` unless given. */
  metric?: Metric
  /** How many candidates each side gives. */
  limit: number
  filter?: Filter
  /** Chunks of this conversation are found besides those of none; chunks of other conversations never are. */
  chatId?: string | undefined
  vectors?: boolean
  /** Puts what was found in order and leaves out what is not wanted, before texts are read. */
  rank?: Rank
}

/** What the two sides of a search say of a text; null where a side did not find it. */
export type SideScores = {
  /** Exact where a vector was asked; with another metric it is the dot product, or 1 / (1 + distance). */
  vectorScore: number | null
  /** BM25 of this store: above zero, larger is better, of no fixed scale. */
  keywordScore: number | null
  /** The part of the largest BM25 that the question can reach in this index, 0 to 1. */
  matched: number | null
}

/** A candidate and its place's reason: larger is better. */
export type Ranked<Candidate> = { candidate: Candidate; score: number }

export type Rank = <Candidate extends SideScores>(found: readonly Candidate[]) => Ranked<Candidate>[]

/** A chunk that one side or both found. */
export type Candidate = Document &
  SideScores & {
    id: string
    /** What `rank` gave it; 0 without. */
    score: number
    vector?: Float32Array
  }

/** A chunk as it is listed. The id is the one that a search gives it: of source, text and metadata. */
export type ListedChunk = Document & { id: string; source: string }

export type SourceRow = { source: string; chunks: number; updatedAt: number }

/** What is removed: by source, by several sources, by filter. What is not given does not narrow it. */
export type Removal = {
  source?: string
  sources?: readonly string[]
  filter?: Filter
  conversation?: Conversation
}

/** Chunks, vectors and records of one namespace, kept in step. */
export type ChunkStore = {
  readonly namespace: string
  /** @throws SluiceError `embedder_changed` */
  open(embedder: string): Promise<StoreRun>
  /** The same without writing anything. @throws SluiceError `embedder_changed` */
  view(embedder: string): Promise<StoreView>
  /** Begins to give everything new vectors; undefined where there is nothing. */
  rebuild(embedder: string): Promise<StoreRebuild | undefined>
  /**
   * The candidates of both sides as one moment of the store has them, as `rank` has put them in order.
   *
   * @throws SluiceError `embedder_changed`, `dimension_mismatch`
   */
  search(request: SearchRequest): Promise<Candidate[]>
  /** The fields of a filter that no chunk has, by their dotted paths; none while the store is empty. */
  absentFields(filter: Filter): Promise<string[]>
  /** The embedder that the index was built with; undefined while it is empty. */
  embedder(): Promise<string | undefined>
  /** The sources of a conversation; without one, those that belong to none. */
  sources(page: {
    offset: number
    limit: number
    conversation?: Conversation | undefined
  }): Promise<{ rows: SourceRow[]; total: number }>
  /** Chunks that readers see, source by source by name, each in its order: of a conversation, or of none. */
  chunks(page: {
    source?: string | undefined
    offset: number
    limit: number
    conversation?: Conversation | undefined
  }): Promise<{ rows: ListedChunk[]; total: number }>
  /**
   * Removes the chunks of some sources, or those that a filter meets, or those of the sources that it meets, all in one
   * moment; answers how many. With a conversation only chunks of that go, without one only chunks of none. No run of the
   * namespace may be open meanwhile.
   */
  remove(what: Removal): Promise<number>
}

/** The refusal of an embedder whose vectors cannot be compared with those that a namespace holds. */
export const embedderChanged = (facts: { namespace: string; was: string; now: string }) =>
  new SluiceError('embedder_changed', {
    ...facts,
    hint: 'POST /api/v1/vector/reindex/:flowId embeds anew what is stored; keyword search works meanwhile',
  })
