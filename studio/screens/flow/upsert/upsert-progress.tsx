import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { JobFiles } from '../../../parts/job-files.tsx'
import { partDone, progressFacts, stageText } from '../../../parts/job-text.ts'
import type { Flow } from '../../../server/flows.ts'
import { ServerAway } from '../../../parts/server-away.tsx'
import styles from '../../../parts/upsert.module.css'
import type { FollowedJob } from './upserting.tsx'

type UpsertProgressProps = { flow: Flow; followed: FollowedJob; isPreview?: boolean; onClose(): void }

/** How far an upsert or a preview is, as a whole and file by file. It continues when this is closed. */
export function UpsertProgress({ flow, followed, isPreview = false, onClose }: UpsertProgressProps) {
  const { job, sent, cancel } = followed
  const sending = sent !== undefined
  const stage = sending ? 'Sending the files' : job ? stageText(job) : 'Starting'
  const part = sent ?? (job && partDone(job))
  const facts = !sending && job ? progressFacts(job) : []
  return (
    <Dialog
      open
      onClose={onClose}
      title={isPreview ? `Preview of ${flow.name}` : `Loading documents into ${flow.name}`}
      about={
        sending
          ? 'The files are being sent. Keep this page open until they are all there.'
          : isPreview
            ? 'Nothing is embedded, stored or paid for.'
            : 'This goes on when you close the dialog or the page.'
      }
      size="large"
      actions={
        <>
          <Button look="danger" onClick={cancel}>
            {isPreview ? 'Cancel the preview' : 'Cancel the upsert'}
          </Button>
          <Button onClick={onClose}>Close</Button>
        </>
      }
    >
      <div className={styles.progress}>
        <ServerAway>
          {sending
            ? 'The files are sent again once you start the upsert again.'
            : 'What is shown is how far it was. It goes on from there once the server runs.'}
        </ServerAway>
        <div className={styles.stage}>
          <strong>{stage}</strong>
          {part === undefined ? null : <span>{Math.round(part * 100)} %</span>}
        </div>
        <progress
          className={styles.bar}
          aria-label={stage}
          max={1}
          {...(part === undefined ? {} : { value: part })}
        />
        <p className={styles.facts}>{facts.join(' · ') || '\u00a0'}</p>
        {job && !sending ? <JobFiles key={job.id} job={job} /> : null}
      </div>
    </Dialog>
  )
}
