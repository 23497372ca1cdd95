import { Wrench } from 'lucide-react'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { partDone, progressFacts, stageText } from '../../../parts/job-text.ts'
import { Note } from '../../../parts/note.tsx'
import { doneText, foundRows, foundText, isSound, planText } from '../../../parts/repair-text.ts'
import { complain, tell } from '../../../parts/toast.tsx'
import { countText, numberText } from '../../../parts/units.ts'
import { hasEnded, type Job } from '../../../server/jobs.ts'
import { type Repair, repairOf } from '../../../server/repair.ts'
import styles from './repair-dialog.module.css'
import { useRepair } from './use-repair.ts'

type RepairDialogProps = { flow: string; onClose(): void }

/** Compares the points of the vector engine with the documents, shows what differs, and mends it when it is told to. */
export function RepairDialog({ flow, onClose }: RepairDialogProps) {
  const { job, refusal, start, cancel, leave } = useRepair(flow, announce)
  const found = job?.state === 'done' ? repairOf(job) : undefined
  const isRunning = refusal === undefined && !(job && hasEnded(job))
  const close = () => {
    leave()
    onClose()
  }
  return (
    <Dialog
      open
      onClose={close}
      title="Check and repair"
      about="Each chunk of a document has a point in the vector engine. They are compared by text, metadata and vector."
      actions={
        <>
          {isRunning && job?.kind === 'repair' ? <Button onClick={cancel}>Cancel the repair</Button> : null}
          {!isRunning ? <Button onClick={() => void start(true)}>Check again</Button> : null}
          {found && found.numLeft > 0 ? (
            <Button look="main" onClick={() => void start(false)}>
              <Wrench aria-hidden="true" />
              Repair
            </Button>
          ) : (
            <Button onClick={close}>Close</Button>
          )}
        </>
      }
    >
      <div className={styles.body} aria-live="polite">
        {refusal === undefined ? null : <Note kind="failure">{refusal}</Note>}
        {isRunning ? <Progress job={job} /> : null}
        {job && hasEnded(job) && job.state !== 'done' ? <Failure job={job} /> : null}
        {found ? <Found found={found} /> : null}
      </div>
    </Dialog>
  )
}

function Progress({ job }: { job: Job | undefined }) {
  const part = job && partDone(job)
  const text = job ? stageText(job) : 'Starting'
  return (
    <div className={styles.progress}>
      <progress aria-label={text} max={1} {...(part === undefined ? {} : { value: part })} />
      <p>{job ? [text, ...progressFacts(job)].join(' · ') : text}</p>
      {job?.kind === 'repair' ? (
        <p className={styles.quiet}>It goes on when this dialog is closed. Uploads wait until it is over.</p>
      ) : null}
    </div>
  )
}

function Failure({ job }: { job: Job }) {
  if (job.state === 'cancelled') return <Note>Cancelled. What was mended stays mended.</Note>
  return <Note kind="failure">{job.error?.message ?? 'The points could not be compared.'}</Note>
}

function Found({ found }: { found: Repair }) {
  const { dryRun, numUnchecked, numLeft, why, warnings } = found
  return (
    <>
      <h3 className={styles.title} data-sound={numLeft === 0}>
        {dryRun ? foundText(found) : doneText(found)}
      </h3>
      {dryRun || isSound(found) ? null : <p className={styles.quiet}>Found before the repair:</p>}
      {isSound(found) ? null : (
        <dl className={styles.found}>
          {foundRows(found).map(({ what, count, about }) => (
            <div key={what}>
              <dt>{what}</dt>
              <dd>
                <strong>{numberText(count)}</strong> {about}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {dryRun && numLeft > 0 ? <p>{planText(found)}</p> : null}
      {why === null ? null : <Note kind="warning">{why}</Note>}
      {warnings.map(({ reason }) => (
        <Note key={reason} kind="warning">
          {reason}
        </Note>
      ))}
      {numUnchecked > 0 ? (
        <p className={styles.quiet}>
          The vectors of {countText(numUnchecked, 'point')} were not compared: an earlier version has written
          them, without a check.
        </p>
      ) : null}
    </>
  )
}

/** Says how a repair ended, also to somebody who has gone on. */
function announce(job: Job): void {
  const found = repairOf(job)
  if (job.state === 'cancelled') tell('The repair was cancelled')
  else if (!found) complain('The points were not repaired', job.error?.message)
  else if (found.numLeft > 0) complain(doneText(found), found.why ?? undefined)
  else tell(doneText(found))
}
