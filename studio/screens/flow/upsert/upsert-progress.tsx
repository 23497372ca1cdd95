import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import type { Flow } from '../../../server/flows.ts'
import { partDone, progressFacts, stageText } from './job-text.ts'
import styles from './upsert.module.css'
import type { Upserting } from './upserting.ts'

type UpsertProgressProps = { flow: Flow; upserting: Upserting; onClose(): void }

/** How far an upsert is. It goes on when this is closed. */
export function UpsertProgress({ flow, upserting: { job, sent, cancel }, onClose }: UpsertProgressProps) {
  const stage = sent === undefined ? (job ? stageText(job) : 'Starting') : 'Sending the files'
  const part = sent ?? (job && partDone(job))
  const facts = sent === undefined && job ? progressFacts(job) : []
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Loading documents into ${flow.name}`}
      about={
        sent === undefined
          ? 'This goes on when you close the dialog or the page.'
          : 'The files are being sent. Keep this page open until they are all there.'
      }
      size="large"
      actions={
        <>
          <Button look="danger" onClick={cancel}>
            Cancel the upsert
          </Button>
          <Button onClick={onClose}>Close</Button>
        </>
      }
    >
      <div className={styles.progress}>
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
      </div>
    </Dialog>
  )
}
