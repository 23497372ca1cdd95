import type { Metadata } from './document.ts'
import type { Filter } from './filter.ts'
import type { PointContent } from './ledger-points.ts'
import type { Metric, Ranking } from './retrieval.ts'
import type { Candidate, RankedCandidates, SearchRequest, SideScores, TermFacts } from './search.ts'

/*
 * A vector engine keeps points and finds candidates among them. Which of them readers see is decided by the ledger
 * (`ledger.ts`), so the points of unpublished and of replaced chunks may be found too. Points are in collections; a
 * namespace has one, and for the time of a reindex two. Ids are strings.
 */

/**
 * The vector of a chunk, with its text and metadata for searches. A point never changes: other metadata give another id.
 *
 * `run`: the run that writes it, before its publication. Absent where a visible chunk has the point too, and in points of before.
 * `check`: of the vector, where it was copied from another point; an engine makes it otherwise.
 */
export type Point = {
  id: string
  vector: Float32Array
  text: string
  metadata: Metadata
  run?: number | undefined
  check?: string
}

/** The check of the vector of each held point, by its id (`vector-check.ts`); null where an earlier version has written it. */
export type PointChecks = Map<string, string | null>

/**
 * A point that an engine holds: whether its text and metadata are those that are expected. `unknown`: nothing is. `check`: that of its
 * vector, which is not read.
 */
export type HeldPoint = { id: string; state: 'same' | 'differs' | 'unknown'; check: string | null }

/** Finds what is expected of some points; ids of which nothing is are left out. */
export type ExpectedContents = (ids: readonly string[]) => Promise<Map<string, PointContent>>

/** What an engine can do; `stores/` and `retrieve/` also work with engines that lack one of these. */
export type EngineCapabilities = {
  /** Searches by keyword too. Without it queries are answered by vector alone. */
  readonly keywords: boolean
  /** The first is the default of a query. */
  readonly metrics: readonly Metric[]
  /** Narrows a search by a filter. Without it the store asks for more candidates until enough of them meet the filter. */
  readonly filters: boolean
  /** Ranks the candidates itself, before it reads their texts. Otherwise `retrieve/` ranks them. */
  readonly ranksEarly: boolean
  /** Whether words of a question that no chunk has can be searched in other spellings. */
  readonly spelling?: true
  /** The ledger writes its points, in its own transactions. */
  readonly commitsWithLedger: boolean
}

/** A search in one collection. At least one of `vector` and `text` is given. */
export type EngineRequest = {
  vector?: Float32Array
  /** Only to an engine with `keywords`. */
  text?: string
  metric: Metric
  /** The most candidates of each side. */
  limit: number
  /** Only to an engine with `filters`. */
  filter?: Filter
  /** Points that one of these runs has written are left out, whatever the capabilities. Some tens at most. */
  withoutRuns?: readonly number[]
  /** How many chunks of the collection readers see: where these are few beside its points, an engine may search in another way. */
  visible?: number
  /** Whether candidates bring their vectors. */
  vectors?: boolean
}

/** A point that one side or both found. */
export type EngineCandidate = SideScores & { id: string; vector?: Float32Array }

/** `dimensions`: of the vectors that the collection should have; undefined where that is not known. */
export type CollectionUse = { dimensions: number | undefined; writes: boolean }

/** An option of a collection that was fixed when it was made: its input of the card, what it is, and what the card says now. */
export type KeptOption = { option: string; is: string; now: string }

/**
 * An engine with its own storage: another process, a remote service. Every write is repeatable, and is durable once its
 * promise is resolved. A collection begins with its first point.
 */
export type SeparateEngine = {
  /** Stored with each index, so that a namespace is not searched in another engine. */
  readonly name: string
  readonly capabilities: EngineCapabilities & {
    readonly ranksEarly: false
    readonly commitsWithLedger: false
  }
  /**
   * Writes points; a point with a known id takes the place of the one before. Searches find them at once, or with `later` from the next
   * `refresh` on, if not before. With `aside` nothing ever searches the collection: an engine may do without what only searches need.
   */
  upsert(
    collection: string,
    points: readonly Point[],
    options?: { later: boolean; aside?: boolean },
  ): Promise<void>
  /** Lets searches find all that was written. Absent where they always do. */
  refresh?(collection: string): Promise<void>
  /** Unknown ids are no error. */
  delete(collection: string, ids: readonly string[]): Promise<void>
  /** Vectors by id; unknown ids are left out. */
  vectors(collection: string, ids: readonly string[]): Promise<Map<string, Float32Array>>
  /** The best `limit` points of each side, or all where there are fewer; in no order. */
  search(collection: string, request: EngineRequest): Promise<EngineCandidate[]>
  /** Removes a collection with all points; an unknown one is no error. */
  drop(collection: string): Promise<void>
  /** The ids of all points, in batches, each id once while none is removed; none where there is no collection. */
  ids(collection: string): AsyncIterable<string[]>
  /** Which of some points there are, with the checks of their vectors. */
  checks(collection: string, ids: readonly string[]): Promise<PointChecks>
  /** What keeps a collection that has points from being used, with its name; undefined where nothing does. */
  fault(collection: string, use: CollectionUse): Promise<string | undefined>
  /** What a collection was made with that the card has otherwise now, as the last `fault` has found it: nothing is asked for it. */
  kept?(collection: string): Promise<readonly KeptOption[]>
  /** Goes over all points of a collection, in batches, each point once. Nothing is changed; none where there is no collection. */
  compare(collection: string, expected: ExpectedContents): AsyncIterable<HeldPoint[]>
}

/** The images of vectors in memory: how many, their bytes, and how many have gone for want of room since the start. */
export type EngineMemory = { images: number; bytes: number; evictions: number }

/** An engine in the database of the ledger, which writes and removes its points together with their chunks. */
export type JoinedEngine = {
  readonly name: string
  readonly capabilities: EngineCapabilities & { readonly commitsWithLedger: true }
  /** The visible candidates of both sides at one moment; undefined where the index is not visible any more. */
  search(collection: string, request: SearchRequest): Promise<Candidate[] | undefined>
  /** The same in the order of a ranking. Present where the engine `ranksEarly`. */
  searchRanked?(
    collection: string,
    request: SearchRequest,
    ranking: Ranking,
  ): Promise<RankedCandidates | undefined>
  /** What BM25 scores passages with for the text of a request; undefined where the index is not visible any more. */
  termFacts(collection: string, request: SearchRequest): Promise<TermFacts | undefined>
  /** The fields of a filter that no visible chunk has, by their dotted paths. */
  absentFields(collection: string, filter: Filter): Promise<string[]>
  /** Updates the engine to the newest publication. Called before the ledger deletes removed chunks. */
  follow(collection: string): Promise<void>
  /** Loads what a search needs in memory, so that the next one need not wait for it. */
  prepare(collection: string): Promise<void>
  /** Frees the memory of a collection; the ledger deletes its rows. */
  drop(collection: string): Promise<void>
  /** What the engine keeps in memory. */
  memory(): EngineMemory
  /** After a start: deletes what earlier processes have left. */
  sweep(): void
  /** Ends its work in the background. */
  close(): Promise<void>
}

export type VectorEngine = SeparateEngine | JoinedEngine
