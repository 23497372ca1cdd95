import type { TextGap } from './source-trace.ts'

/** The most edits of a namespace: each run has all of them in memory. */
export const MOST_CHUNK_EDITS = 10_000

/**
 * A chunk that a user has changed or deleted. The next upsert that brings its text again does the same to it: it is known by its
 * source and text, and by its place among equal texts of the source.
 */
export type ChunkEdit = {
  id: string
  /** The name of the source in the store. */
  source: string
  flowId: string
  /** The fingerprint of the passage that the source has. */
  hash: string
  /** How many chunks of the source with the same text come before it. */
  ordinal: number
  /** The passage that the source had. */
  original: string
  /** The text in its place; null where the chunk is deleted. */
  content: string | null
  /** The metadata in their place, as JSON; null where those of the source stay. */
  metadata: string | null
  /** The fingerprint of the passage in its place; null where the chunk is deleted. */
  resultHash: string | null
  /** In ms since 1970. */
  editedAt: number
  /** Since when the source no longer has this text, so that the edit waits; null where it is in effect. In ms since 1970. */
  asideAt: number | null
}

/** What a publication changes of the edits: new ones, and those that take effect from now on or not any more, by their ids. */
export type ChunkEditChanges = {
  put: ChunkEdit[]
  aside: string[]
  met: string[]
  /** The words of a deleted chunk, which are in no chunk from now on. */
  gap?: TextGap
}

/** The edits of chunks, by namespace. They are written with publications: `Publication.edits`. */
export type ChunkEditStore = {
  /** All of a namespace, the newest last. */
  list(namespace: string): Promise<ChunkEdit[]>
  /** Removes one: the next upsert brings the text of the source. Resolves with whether it was there. */
  remove(namespace: string, id: string): Promise<boolean>
}
