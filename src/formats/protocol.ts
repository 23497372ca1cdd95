import type { ParsedBatch, ParseRequest } from '../contract/file-parser.ts'
import type { ErrorCode, ErrorFacts } from '../kit/errors.ts'

/** What the pool tells a child: a file to read, or that it has taken one more batch. */
export type ToChild = { read: ParseRequest } | 'taken'

/** What a child tells the pool. It says when it begins a task, ends it with `done` or `failed`, and is silent then. */
export type FromChild =
  | 'begun'
  | { batch: ParsedBatch }
  | { done: true; usage: ResourceUsage }
  | { failed: { code: ErrorCode; facts: ErrorFacts }; usage: ResourceUsage }

/** What its life has cost a child so far: bytes of resident memory, seconds of processor time. */
export type ResourceUsage = { memory: number; seconds: number }

/** A batch is sent once it has this many parts, */
export const BATCH_PARTS = 200
/** or this many characters of text and metadata, whichever comes first. */
export const BATCH_CHARACTERS = 256 * 1024
/** How many batches a child may be ahead of the reader of them: that is all of a file that is ever in memory. */
export const BATCHES_AHEAD = 4
