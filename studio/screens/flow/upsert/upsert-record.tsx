import { useState } from 'react'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { Note } from '../../../parts/note.tsx'
import { countText, momentText, numberText } from '../../../parts/units.ts'
import type { Flow } from '../../../server/flows.ts'
import type { Job } from '../../../server/jobs.ts'
import {
  type AddedChunk,
  type FileOutcome,
  filesByUrgency,
  placeText,
  recordOf,
  type UpsertRecord,
} from './record.ts'
import styles from './upsert.module.css'
import type { Upserting } from './upserting.ts'

type UpsertRecordViewProps = { flow: Flow; job: Job; upserting: Upserting; onAgain(): void; onClose(): void }

/** What came of an upsert: the four counts, each file, the warnings, the first chunks. */
export function UpsertRecordView({ flow, job, upserting, onAgain, onClose }: UpsertRecordViewProps) {
  const record = recordOf(job)
  const about = `${flow.name}, ${momentText(job.finishedAt ?? job.createdAt)}`
  return (
    <Dialog
      open
      onClose={onClose}
      title={record ? 'Upsert Record' : job.state === 'cancelled' ? 'Upsert cancelled' : 'Upsert failed'}
      about={about}
      size="large"
      actions={
        <>
          {record ? null : <Button onClick={upserting.retry}>Try again</Button>}
          <Button onClick={onAgain}>{record ? 'Load more' : 'Change and start anew'}</Button>
          <Button look="main" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      {record ? (
        <Record record={record} />
      ) : job.state === 'cancelled' ? (
        <Note>The upsert was cancelled. Nothing of it was stored.</Note>
      ) : (
        <Note kind="failure">
          {job.error?.file === undefined ? '' : `${job.error.file}: `}
          {job.error?.message ?? 'The server gives no reason'}
        </Note>
      )}
    </Dialog>
  )
}

function Record({ record }: { record: UpsertRecord }) {
  return (
    <div className={styles.record}>
      <dl className={styles.counts}>
        <Count label="Added" value={record.numAdded} />
        <Count label="Updated" value={record.numUpdated} />
        <Count label="Skipped" value={record.numSkipped} />
        <Count label="Deleted" value={record.numDeleted} />
      </dl>
      {record.numFailed > 0 ? (
        <Note kind="failure">
          {countText(record.numFailed, 'file')} could not be loaded; the others are stored.
        </Note>
      ) : null}
      {record.warnings.length === 0 ? null : (
        <Note kind="warning">
          <ul>
            {record.warnings.map(({ key, reason }) => (
              <li key={`${key} ${reason}`}>
                <strong>{key}</strong>: {reason}
              </li>
            ))}
          </ul>
        </Note>
      )}
      <FileTable files={record.files} />
      <Chunks chunks={record.addedDocs} total={record.numAdded} />
    </div>
  )
}

const Count = ({ label, value }: { label: string; value: number }) => (
  <div className={styles.count}>
    <dt>{label}</dt>
    <dd>{numberText(value)}</dd>
  </div>
)

const SHOWN_FILES = 100

function FileTable({ files }: { files: readonly FileOutcome[] }) {
  const [all, setAll] = useState(false)
  if (files.length === 0) return null
  const sorted = filesByUrgency(files)
  const shown = all ? sorted : sorted.slice(0, SHOWN_FILES)
  return (
    <section aria-label="Files">
      <h3 className={styles.heading}>{countText(files.length, 'file')}</h3>
      <div className={styles.tableBox}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Outcome</th>
              {['Chunks', 'Added', 'Updated', 'Skipped', 'Deleted'].map((name) => (
                <th key={name} scope="col" className={styles.number}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((file) => (
              <tr key={file.name}>
                <td className={styles.fileCell}>
                  {file.name}
                  {file.message === undefined ? null : <p className={styles.reason}>{file.message}</p>}
                </td>
                <td>
                  <span className={styles.status} data-status={file.status}>
                    {file.status}
                  </span>
                </td>
                {[file.chunks, file.added, file.updated, file.skipped, file.deleted].map((count, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the columns are fixed
                  <td key={at} className={styles.number}>
                    {numberText(count)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {shown.length < files.length ? (
        <Button look="quiet" onClick={() => setAll(true)}>
          Show all {numberText(files.length)}
        </Button>
      ) : null}
    </section>
  )
}

function Chunks({ chunks, total }: { chunks: readonly AddedChunk[]; total: number }) {
  if (chunks.length === 0) return null
  return (
    <section aria-label="Added chunks">
      <h3 className={styles.heading}>
        {total > chunks.length
          ? `The first ${numberText(chunks.length)} of ${countText(total, 'added chunk')}`
          : countText(total, 'added chunk')}
      </h3>
      <ol className={styles.chunks}>
        {chunks.map((chunk, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change
          <li key={at} className={styles.chunk}>
            <p className={styles.source}>
              {[String(chunk.metadata.source ?? ''), placeText(chunk)].filter(Boolean).join(', ')}
            </p>
            <p className={styles.text}>{chunk.pageContent}</p>
          </li>
        ))}
      </ol>
    </section>
  )
}
