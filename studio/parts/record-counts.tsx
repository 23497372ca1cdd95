import { Counts } from './counts.tsx'
import { FailedReasons } from './failed-reasons.tsx'
import { Note } from './note.tsx'
import { countText } from './units.ts'
import type { Job } from '../server/jobs.ts'
import type { UpsertRecord } from './record.ts'
import { Warnings } from './warnings.tsx'

/** The four counts of an upsert, its failures and its warnings. @param job absent where it is not kept any more */
export function RecordCounts({ record, job }: { record: UpsertRecord; job?: Job | undefined }) {
  return (
    <>
      <Counts
        counts={[
          ['Added', record.numAdded],
          ['Updated', record.numUpdated],
          ['Skipped', record.numSkipped],
          ['Deleted', record.numDeleted],
          ...(record.numOutdated > 0 ? [['Outdated', record.numOutdated] as const] : []),
        ]}
      />
      {job ? (
        <FailedReasons job={job} />
      ) : record.numFailed > 0 ? (
        <Note kind="warning">
          {countText(record.numFailed, 'file')} could not be loaded; the others are stored.
        </Note>
      ) : null}
      {record.numEmpty > 0 ? <Note>{countText(record.numEmpty, 'file')} without text.</Note> : null}
      <Warnings warnings={record.warnings} />
    </>
  )
}
