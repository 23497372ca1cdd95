import type { FileAnswer, UpsertAnswer } from '../../../../src/api/upsert.ts'
import type { Job } from '../../../server/jobs.ts'

/** What came of an upsert. */
export type UpsertRecord = {
  [Name in Counter | 'files' | 'warnings' | 'addedDocs']: NonNullable<UpsertAnswer[Name]>
}
type Counter = 'numAdded' | 'numUpdated' | 'numSkipped' | 'numDeleted' | 'numFailed'
export type FileOutcome = FileAnswer
export type AddedChunk = UpsertRecord['addedDocs'][number]

/** The record of a job that is done; undefined of any other. A list of jobs gives the counts alone. */
export function recordOf({ state, result }: Job): UpsertRecord | undefined {
  if (state !== 'done' || result === null) return undefined
  const given = result as Partial<UpsertRecord>
  return {
    numAdded: given.numAdded ?? 0,
    numUpdated: given.numUpdated ?? 0,
    numSkipped: given.numSkipped ?? 0,
    numDeleted: given.numDeleted ?? 0,
    numFailed: given.numFailed ?? 0,
    files: given.files ?? [],
    warnings: given.warnings ?? [],
    addedDocs: given.addedDocs ?? [],
  }
}

/** Files with something to look at first: failed, then empty, then the others in their order. */
export const filesByUrgency = (files: readonly FileOutcome[]): FileOutcome[] => {
  const rank = { failed: 0, empty: 1, indexed: 2, unchanged: 2 }
  return files.toSorted((a, b) => rank[a.status] - rank[b.status])
}

/** Where a chunk stands in its document: its lines or its page. */
export function placeText({ metadata }: AddedChunk): string {
  const { loc, pageNumber } = metadata as {
    loc?: { lines?: { from: number; to: number }; pageNumber?: number }
    pageNumber?: number
  }
  const page = loc?.pageNumber ?? pageNumber
  if (typeof page === 'number') return `page ${page}`
  const lines = loc?.lines
  if (!lines) return ''
  return lines.from === lines.to ? `line ${lines.from}` : `lines ${lines.from}–${lines.to}`
}
