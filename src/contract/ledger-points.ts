import type { FoundDocument, Metadata } from './document.ts'
import type { Filter } from './filter.ts'

/** Text and metadata of a point in a separate engine. */
export type PointContent = { text: string; metadata: Metadata }

/** Which chunks a query may find. */
export type Audience = {
  filter?: Filter | undefined
  /** Chunks of this conversation are found too. Otherwise only chunks that belong to no conversation are found. */
  chatId?: string | undefined
}

/**
 * `filter`: what the points of a query must meet; undefined where every chunk may be found. `withoutRuns`: runs whose chunks readers do not
 * see, since they are open, or were abandoned and are to be swept; the newest of them, if there are many. `newestRun`: of the index,
 * whatever its state; 0 where there is none.
 */
export type SearchConditions = { filter: Filter | undefined; withoutRuns: number[]; newestRun: number }

/** Chunks by point id; `newestRun`: the newest of the runs that stored them, 0 where there are none. */
export type ChunksOfPoints = { documents: Map<string, FoundDocument>; newestRun: number }

/** `restorable`: of removed chunks that can be restored; `others`: of all others. A point may be of both. */
export type PointGroup = 'restorable' | 'others'

/** What the ledger knows of the points of an index in a vector engine, by the name of its collection. */
export type LedgerPoints = {
  /**
   * Those chunks of some points that readers see and that a query may find, all at one moment.
   *
   * @returns undefined where the index is not the one that readers see any more
   */
  read(
    collection: string,
    pointIds: readonly string[],
    audience: Audience,
  ): Promise<ChunksOfPoints | undefined>
  /** What an engine can leave out of a search. Readers would not see it: `read` decides. */
  conditionsFor(collection: string, audience: Audience): Promise<SearchConditions>
  /**
   * Ids of points of an index in batches: of all, staged ones too, each once; or of a group, in which an id may come again.
   */
  points(collection: string, which?: PointGroup): AsyncIterable<string[]>
  /** The points of some chunks, visible or not. */
  pointsOf(collection: string, chunkIds: readonly number[]): Promise<string[]>
  /** Those of some points that visible chunks have. */
  visiblePoints(collection: string, pointIds: readonly string[]): Promise<string[]>
  /** Which of some points are of an index, or of a group. */
  knownPoints(collection: string, pointIds: readonly string[], which?: PointGroup): Promise<Set<string>>
  /** Those of some points that only removed chunks have which can be restored. */
  restorablePoints(collection: string, pointIds: readonly string[]): Promise<string[]>
  /** Those of some points that only removed chunks have which cannot be restored. */
  deadPoints(collection: string, pointIds: readonly string[]): Promise<string[]>
  /** Texts and metadata of some points of an index, also of those that readers do not see. Unknown ids are left out. */
  pointContents(collection: string, pointIds: readonly string[]): Promise<Map<string, PointContent>>
  /** All points of an index that have the text of one of some points, by the ids of these. */
  pointsWithTextOf(collection: string, pointIds: readonly string[]): Promise<Map<string, string[]>>
  /** Whether an engine may have a second collection of an index, with the points of its removed chunks. */
  hasRemovedPoints(collection: string): Promise<boolean>
  /** Notes that it has one, before its first point is written, or has none any more. */
  noteRemovedPoints(collection: string, has: boolean): Promise<void>
  /** The fields of a filter that no visible chunk has, by their dotted paths. */
  absentFields(collection: string, filter: Filter): Promise<string[]>
}
