import type { ParsedBatch, ParseRequest } from '../contract/file-parser.ts'
import type { ErrorCode, ErrorFacts } from '../kit/errors.ts'
import type { OcrAnswer, OcrOffer, RasterHead } from './pdf/ocr.ts'

/**
 * Message from the pool to a child: a file to read, that one more batch was consumed, that it wants the next strip of a page's pixels, or
 * what the program for pages without text answered.
 */
export type ToChild = { read: ParseRequest; ocr?: OcrOffer } | 'consumed' | 'strip' | { answer: OcrAnswer }

/**
 * Message from a child to the pool: `begun` when it starts a file, batches, pages without text with their pixels, and at the end `done` or
 * `failed`.
 */
export type FromChild =
  | 'begun'
  | { batch: ParsedBatch }
  | { raster: RasterHead }
  | { strip: Uint8Array }
  | { done: true; usage: ResourceUsage }
  | { failed: { code: ErrorCode; facts: ErrorFacts }; usage: ResourceUsage }

/** What a child has used since it started: bytes of resident memory, seconds of processor time. */
export type ResourceUsage = { memory: number; seconds: number }

/** A batch is sent when it has this many parts, */
export const BATCH_PARTS = 200
/** or this many characters of text and metadata, whichever comes first. */
export const BATCH_CHARACTERS = 256 * 1024
/** or is this old: documents that take long to read, as the attachments of mails, must not seem to hang. */
export const BATCH_SECONDS = 5
/** How many batches a child may send before they are consumed: at most this much of a file is in memory. */
export const BATCHES_AHEAD = 4
