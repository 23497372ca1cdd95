import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Button } from '../../../parts/button.tsx'
import { stageText } from '../../../parts/job-text.ts'
import { LoadState } from '../../../parts/load-state.tsx'
import { Note } from '../../../parts/note.tsx'
import { agoText, numberText } from '../../../parts/units.ts'
import { hasEnded, type Job } from '../../../server/jobs.ts'
import { useOpenFlow } from '../open-flow.ts'
import styles from './compare.module.css'
import { CompareResult } from './compare-result.tsx'
import { useComparison } from './use-comparison.ts'
import { VariantForm } from './variant-form.tsx'

/** Variants of a flow side by side, over its documents and questions, in indexes that nobody else sees. */
export function CompareTab() {
  const { id } = useParams({ from: '/flows/$id/compare' })
  const search = useSearch({ from: '/flows/$id/compare' })
  const navigate = useNavigate({ from: '/flows/$id/compare' })
  const { flow } = useOpenFlow()
  const work = useComparison(flow.id, search.job)
  const { heads, comparison, job, refetch, cancel } = work
  const show = (chosen: string) => void navigate({ search: { job: chosen } })
  return (
    <main className={styles.screen}>
      <header className={styles.head}>
        <h2>Compare variants</h2>
        <p className={styles.quiet}>
          Each variant loads the documents into an index that goes afterwards, and is asked the{' '}
          <Link to="/flows/$id/questions" params={{ id }}>
            questions of this flow
          </Link>
          . Nothing that users see changes.
        </p>
      </header>
      <VariantForm
        onStarted={(started) => {
          show(started)
          void refetch()
        }}
      />
      <LoadState of={work} />
      {heads && heads.length > 1 ? (
        <label className={styles.earlier}>
          Comparison
          <select value={comparison?.id ?? ''} onChange={(event) => show(event.target.value)}>
            {heads.map((one) => (
              <option key={one.id} value={one.id}>
                {agoText(one.createdAt)}, {one.state}
              </option>
            ))}
          </select>
        </label>
      ) : null}
      {heads?.length === 0 ? (
        <p className={styles.quiet}>
          Nothing was compared yet. Below 30 questions a comparison cannot tell which variant is better; it
          shows the answers side by side even so.
        </p>
      ) : null}
      {comparison && comparison.state !== 'done' ? (
        <Progress
          state={comparison.state}
          attempt={comparison.attempt}
          job={job}
          error={comparison.error}
          onCancel={cancel}
        />
      ) : null}
      {comparison?.outcome && comparison.state === 'done' ? (
        <CompareResult outcome={comparison.outcome} key={comparison.id} />
      ) : null}
    </main>
  )
}

type ProgressProps = {
  state: Job['state']
  attempt: number
  job: Job | undefined
  error: { message: string } | null
  onCancel(): void
}

function Progress({ state, attempt, job, error, onCancel }: ProgressProps) {
  if (state === 'failed') return <Note kind="failure">{error?.message ?? 'The comparison failed.'}</Note>
  if (state === 'cancelled')
    return <Note>This comparison was cancelled. Its indexes are gone, and nothing else has changed.</Note>
  return (
    <section className={styles.progress} aria-label="Progress" aria-live="polite">
      <p>
        <strong>{job ? stageText(job) : 'Waiting'}</strong>
        {job && !hasEnded(job) ? ` · ${factsOf(job)}` : ''}
      </p>
      {attempt > 1 || (job && job.attempt > 1) ? (
        <p className={styles.quiet}>
          The server was gone meanwhile. What was embedded and answered is used again.
        </p>
      ) : null}
      <Button onClick={onCancel}>Cancel</Button>
    </section>
  )
}

/** How far a comparison is: documents of all its indexes, then questions. */
const factsOf = ({ state, place, files, chunks, questions }: Job): string =>
  state === 'queued'
    ? place === undefined
      ? 'one comparison runs at a time'
      : `place ${numberText(place)}; one comparison runs at a time`
    : questions
      ? `${numberText(questions.done)} of ${numberText(questions.total)} questions`
      : `${numberText(files.done)} of ${numberText(files.total)} documents, ${numberText(chunks.seen)} chunks`
