import { Link } from '@tanstack/react-router'
import { JobActions } from '../../parts/job-actions.tsx'
import { kindText, partDone, progressFacts, secondsOf, stageText } from '../../parts/job-text.ts'
import { NotLoaded } from '../../parts/not-loaded.tsx'
import { repairOutcome } from '../../parts/repair-text.ts'
import { agoText, countText, durationText, momentText, numberText } from '../../parts/units.ts'
import type { Job } from '../../server/jobs.ts'
import { repairOf } from '../../server/repair.ts'
import type { JobSearch } from '../../parts/job-search.ts'
import styles from './jobs-screen.module.css'

type JobRowProps = {
  job: Job
  /** Undefined while the flows are being read, and for a deleted flow. */
  flow: { name: string; slug: string } | undefined
  isOpen: boolean
  search: JobSearch
}

/** One job: its flow, how far it is or what came of it, and what can be done with it. */
export function JobRow({ job, flow, isOpen, search }: JobRowProps) {
  const seconds = secondsOf(job)
  return (
    <tr data-open={isOpen}>
      <th scope="row">
        <Link
          to="/jobs"
          search={search}
          aria-current={isOpen ? 'true' : undefined}
          title={flow?.name ?? job.flowId}
        >
          {flow?.name ?? job.flowId}
        </Link>
      </th>
      <td>{kindText(job)}</td>
      <td>
        <span className={styles.state} data-state={job.state} data-partly={partly(job)}>
          {job.state}
        </span>
      </td>
      <td className={styles.progressCell}>
        <Progress job={job} search={search} />
      </td>
      <td>
        <span title={momentText(job.createdAt)}>{agoText(job.createdAt)}</span>
      </td>
      <td>{seconds === undefined ? '–' : durationText(seconds)}</td>
      <td className={styles.actions}>
        <JobActions job={job} name={flow?.name ?? job.flowId} />
      </td>
    </tr>
  )
}

/** Whether a job is done without some of its files: then it must not look well. */
const partly = ({ state, files }: Job) => (state === 'done' && files.failed > 0 ? true : undefined)

function Progress({ job, search }: { job: Job; search: JobSearch }) {
  if (job.state === 'running') {
    const part = partDone(job)
    return (
      <div className={styles.progress}>
        <progress aria-label={stageText(job)} max={1} {...(part === undefined ? {} : { value: part })} />
        <span className={styles.facts}>{[stageText(job), ...progressFacts(job).slice(-2)].join(' · ')}</span>
      </div>
    )
  }
  const text = outcomeText(job)
  const { failed, empty } = job.files
  return (
    <span className={styles.outcome} title={text} data-failed={job.state === 'failed'}>
      {job.state === 'done' && failed + empty > 0 ? (
        <>
          <Link to="/jobs" search={{ ...search, files: failed > 0 ? 'failed' : 'empty' }}>
            <NotLoaded failed={failed} empty={empty} />
          </Link>{' '}
        </>
      ) : null}
      {text}
    </span>
  )
}

/** What came of a job, in a sentence. */
function outcomeText(job: Job): string {
  const { state, error, result, kind } = job
  if (state === 'queued') return 'waiting for its turn'
  const repair = repairOf(job)
  if (error && error.code !== 'cancelled') return error.message
  if (error) return kind === 'repair' ? 'what was mended stays mended' : 'nothing of it was stored'
  if (repair) return repairOutcome(repair)
  const count = (name: string) => (typeof result?.[name] === 'number' ? (result[name] as number) : 0)
  if (kind === 'eval')
    return `${countText(count('numBetter'), 'answer')} better, ${numberText(count('numWorse'))} worse`
  if (kind === 'compare') return `${countText(count('questions'), 'question')} compared`
  if (kind === 'reindex') return `${countText(count('numChunks'), 'chunk')} with new vectors`
  const parts = (['Added', 'Updated', 'Skipped', 'Deleted'] as const)
    .map((name) => [count(`num${name}`), name.toLowerCase()] as const)
    .filter(([number]) => number > 0)
    .map(([number, name]) => `${number.toLocaleString('en')} ${name}`)
  return parts.join(', ') || 'nothing to do'
}
