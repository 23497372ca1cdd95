import { Link, useNavigate } from '@tanstack/react-router'
import { MessageCircleQuestion } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { JobFiles } from '../../../parts/job-files.tsx'
import { Note } from '../../../parts/note.tsx'
import { momentText } from '../../../parts/units.ts'
import type { Flow } from '../../../server/flows.ts'
import type { Job } from '../../../server/jobs.ts'
import { recordOf } from '../../../parts/record.ts'
import { RecordCounts } from '../../../parts/record-counts.tsx'
import { StoredChunks } from './stored-chunks.tsx'
import styles from '../../../parts/upsert.module.css'
import { useUpserting } from './upserting.tsx'

type UpsertRecordViewProps = { flow: Flow; job: Job; onAgain(): void; onClose(): void }

/** What came of an upsert: the counts, each file with its warnings, and the chunks of a file. */
export function UpsertRecordView({ flow, job, onAgain, onClose }: UpsertRecordViewProps) {
  const { upsert } = useUpserting()
  const navigate = useNavigate()
  const record = recordOf(job)
  const [opened, setOpened] = useState<string>()
  // A load of which something is there to be asked.
  const isGood = record !== undefined && record.numFailed + record.numEmpty < job.files.total
  const file = opened ?? record?.files.find(({ status }) => status === 'indexed')?.name
  return (
    <Dialog
      open
      onClose={onClose}
      title={record ? 'Upsert Record' : job.state === 'cancelled' ? 'Upsert cancelled' : 'Upsert failed'}
      about={`${flow.name}, ${momentText(job.finishedAt ?? job.createdAt)}`}
      size="large"
      actions={
        <>
          <Link
            className={styles.toLeft}
            to="/flows/$id/history"
            params={{ id: flow.slug }}
            onClick={onClose}
          >
            All upserts
          </Link>
          {record ? null : <Button onClick={upsert.retry}>Try again</Button>}
          <Button onClick={onAgain}>{record ? 'Load more' : 'Change and start anew'}</Button>
          <Button look={isGood ? 'plain' : 'main'} onClick={onClose}>
            Done
          </Button>
          {isGood ? (
            <Button
              look="main"
              onClick={() => {
                onClose()
                void navigate({ to: '/flows/$id/ask', params: { id: flow.slug }, search: {} })
              }}
            >
              <MessageCircleQuestion aria-hidden="true" />
              Ask these documents
            </Button>
          ) : null}
        </>
      }
    >
      <div className={styles.record}>
        {record ? (
          <RecordCounts record={record} job={job} />
        ) : job.state === 'cancelled' ? (
          <Note>The upsert was cancelled. Nothing of it was stored.</Note>
        ) : (
          <Note kind="failure">
            {job.error?.file === undefined ? '' : `${job.error.file}: `}
            {job.error?.message ?? 'The server gives no reason'}
          </Note>
        )}
        <JobFiles
          key={job.id}
          job={job}
          reasons={!record}
          {...(record ? { open: file, onOpen: setOpened } : {})}
        />
        {record && file !== undefined ? <StoredChunks key={file} flowId={flow.id} source={file} /> : null}
      </div>
    </Dialog>
  )
}
