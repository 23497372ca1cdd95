import type { Document } from '../contract/document.ts'
import type { DroppedCount } from '../contract/dropped-rows.ts'
import type { FateCounts } from '../contract/dry-run.ts'
import type { SettingChange } from '../flow/compare-load-settings.ts'
import type { ErrorCode, SluiceError } from '../kit/errors.ts'

/** The outcome of one file, page or table. */
export type FileOutcome = {
  name: string
  status: 'indexed' | 'unchanged' | 'empty' | 'failed'
  chunks: number
  added: number
  updated: number
  skipped: number
  deleted: number
  /** Chunks of earlier versions of its source that stay; absent where there are none. */
  outdated?: number
  /** How much of each kind was left out of its text; absent where that is nothing or not known. */
  dropped?: DroppedCount[]
  code?: ErrorCode
  message?: string
}

/** A warning for the caller: an override without effect, a hidden sheet, a file without text. */
export type UpsertWarning = { key: string; reason: string }

/** The answer of an upsert. `added + updated + skipped` is the number of chunks of the run. */
export type UpsertResult = {
  numAdded: number
  numUpdated: number
  numSkipped: number
  numDeleted: number
  totalKeys: number
  /** How many chunks of earlier versions of the sources of the run stay. */
  numOutdated: number
  numFailed: number
  /** Files without text. */
  numEmpty: number
  files: FileOutcome[]
  warnings: UpsertWarning[]
  /** The first added chunks. */
  addedDocs: Document[]
  sourceDocuments?: Document[]
  sourceDocumentsTruncated?: true
  dryRun?: true
  /** Of a refresh: how many sources differ whose files are not kept, and the names of the first ones. */
  filesNeeded?: { count: number; names: string[] }
  /** Of a dry run that is a job. */
  estimate?: EmbeddingEstimate
  fates?: FateCounts
  /** Of a dry run of another drawing than the live one: the live revision's drawing and this one compared. */
  changes?: SettingChange[]
}

/**
 * What an upsert would embed: texts without a vector, about how many tokens they have, and what these cost; null where no price is set for
 * the model.
 */
export type EmbeddingEstimate = {
  texts: number
  tokens: number
  price?: { amount: number; currency: string } | null
}

export const noChunks = { chunks: 0, added: 0, updated: 0, skipped: 0, deleted: 0 }

export function failedOutcome(name: string, error: SluiceError): FileOutcome {
  return { name, status: 'failed', ...noChunks, code: error.code, message: error.message }
}
