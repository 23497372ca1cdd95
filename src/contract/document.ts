import type { JsonObject } from '../kit/json.ts'

/** Facts about a document or chunk; JSON values of any depth. */
export type Metadata = JsonObject

/** A text with facts about it: what a loader gives, what a splitter cuts, what a client sees. */
export type Document = {
  pageContent: string
  metadata: Metadata
}

/**
 * A stretch of one document. Parts of a document follow one another and carry the same metadata; `last` closes it.
 * A short document is one part. A long one is many, each of bounded length, so that it is never handled at once.
 */
export type DocumentPart = Document & { last: boolean }
