import type { FileAnswer, UpsertAnswer } from '../../src/api/upsert.ts'
import type { Job } from '../server/jobs.ts'

/** What came of an upsert. */
export type UpsertRecord = {
  [Name in Counter | 'files' | 'warnings']: NonNullable<UpsertAnswer[Name]>
}
type Counter =
  | 'numAdded'
  | 'numUpdated'
  | 'numSkipped'
  | 'numDeleted'
  | 'numOutdated'
  | 'numFailed'
  | 'numEmpty'
export type FileOutcome = FileAnswer

/** The record of a job that is done; undefined of any other. A list of jobs gives the counts alone. */
export function recordOf({ state, result }: Pick<Job, 'state' | 'result'>): UpsertRecord | undefined {
  if (state !== 'done' || result === null) return undefined
  const given = result as Partial<UpsertRecord>
  return {
    numAdded: given.numAdded ?? 0,
    numUpdated: given.numUpdated ?? 0,
    numSkipped: given.numSkipped ?? 0,
    numDeleted: given.numDeleted ?? 0,
    numOutdated: given.numOutdated ?? 0,
    numFailed: given.numFailed ?? 0,
    numEmpty: given.numEmpty ?? 0,
    files: given.files ?? [],
    warnings: given.warnings ?? [],
  }
}
