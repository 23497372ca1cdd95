import type { JsonObject } from '../kit/json.ts'

/** Metadata of a document or chunk; JSON values of any depth. */
export type Metadata = JsonObject

/** A part of a text in UTF-16 code units: from `start` to before `end`. */
export type TextRange = { start: number; end: number }

/** A text with metadata: the output of a loader, the input of a splitter, the result of a query. */
export type Document = {
  pageContent: string
  metadata: Metadata
}

/**
 * A part of one document. The parts of a document are consecutive and have the same metadata; `last` marks the last
 * one. A short document has one part; a long one has many, each of bounded length, so that it is never processed as a
 * whole.
 */
export type DocumentPart = Document & { last: boolean }

/** A document that was found, and for a reranker its text below its head, where it has one. */
export type FoundDocument = Document & { passage?: string }
