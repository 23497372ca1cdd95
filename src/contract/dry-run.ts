import type { Json } from '../kit/json.ts'

/**
 * What an upsert would do with a chunk. `updated`: the source has its text with other metadata; `moved`: it has its text at another
 * place, with the same metadata otherwise; `skipped`: the source has it already; `unchanged`: its file has not changed, so it
 * would not be read; `deleted`: the store has it, and the upsert would remove it. Stored lists count them in this order.
 */
export const CHUNK_FATES = ['added', 'updated', 'skipped', 'deleted', 'unchanged', 'moved'] as const
export type ChunkFate = (typeof CHUNK_FATES)[number]

/** A chunk of a dry run. */
export type FatedChunk = {
  source: string
  fate: ChunkFate
  /** The beginning of its text, at most {@link FATED_TEXT} characters; null where the list has no room for texts. */
  text: string | null
  metadata: Json
  /** Estimated tokens that would be embedded; 0 where the store has a vector for the text. */
  tokens: number
}

/** How many characters of a chunk are kept. */
export const FATED_TEXT = 10_000

export type FateCounts = Record<ChunkFate, number>

/** The fates of the chunks of one source. */
export type FatedSource = { source: string; tokens: number } & FateCounts

/** Which chunks of a dry run are listed. */
export type FatePage = {
  source?: string | undefined
  fate?: ChunkFate | undefined
  offset: number
  limit: number
}

/** The list of a dry run while it is written. */
export type FateWriter = {
  /**
   * Adds chunks of one source, in their order.
   *
   * @param keys one per chunk: the fingerprint of its text, where it takes the place of a chunk of the store
   */
  add(
    source: string,
    chunks: readonly Omit<FatedChunk, 'source'>[],
    keys?: readonly (string | undefined)[],
  ): Promise<void>
  /** A chunk of the source that would take the place of another would be added instead. @param key the fingerprint of its text */
  revokeUpdate(source: string, key: string): void
  /** How many chunks of all sources have which fate so far. */
  totals(): Promise<FateCounts>
  /** Ends the list. */
  close(): Promise<void>
}

/** The lists of dry runs, by the ids of their jobs. */
export type FateShelf = {
  /** Begins the list of a job; an earlier list of the job is removed. */
  open(job: string): Promise<FateWriter>
  /** Undefined where there is no list of this job. */
  /** `largestFirst`: the sources with the most chunks first, else as they were read. */
  sources(
    job: string,
    page: { offset: number; limit: number; largestFirst?: boolean },
  ): Promise<{ rows: FatedSource[]; total: number } | undefined>
  chunks(job: string, page: FatePage): Promise<{ rows: FatedChunk[]; total: number } | undefined>
  /** Removes lists: those that are older than `since` (milliseconds since 1970), and the oldest above `bytes`. */
  sweep(since: number, bytes: number): Promise<void>
}
