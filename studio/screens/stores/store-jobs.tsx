import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { FailedReasons } from '../../parts/failed-reasons.tsx'
import { partDone, progressFacts, stageText } from '../../parts/job-text.ts'
import { Note } from '../../parts/note.tsx'
import type { DocumentStore } from '../../server/document-stores.ts'
import { hasEnded, type Job } from '../../server/jobs.ts'
import { recordOf } from '../../parts/record.ts'
import { RecordCounts } from '../../parts/record-counts.tsx'
import { ServerAway } from '../../parts/server-away.tsx'
import { JobActions } from '../../parts/job-actions.tsx'
import { useLiveJobs } from '../../parts/live-jobs.ts'
import upsertStyles from '../../parts/upsert.module.css'
import styles from './stores.module.css'

const NONE: readonly Job[] = []

/** The newest upserts of a store, live, and why they cannot be read. What they change is read again when one begins or ends. */
export function useStoreJobs(storeId: string) {
  const queries = useQueryClient()
  const { data, error, refetch } = useLiveJobs({ flow: storeId, kind: 'upsert' })
  const jobs: readonly Job[] = data?.data ?? NONE
  const states = jobs.map(({ id, state }) => `${id} ${state}`).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the states are what it waits for
  useEffect(() => {
    for (const queryKey of [['document-stores'], ['store-chunks'], ['documents'], ['flows']])
      void queries.invalidateQueries({ queryKey })
  }, [states, queries])
  return { jobs, error, refetch }
}

/** The loads of a store that wait or run, and what came of the last one. */
export function StoreJobs({ store, jobs }: { store: DocumentStore; jobs: readonly Job[] }) {
  const running = jobs.filter((job) => !hasEnded(job)).reverse()
  const last = running.length === 0 ? jobs[0] : undefined
  if (jobs.length === 0) return null
  return (
    <section aria-label="Loading" className={styles.section}>
      <ServerAway>What is shown is how far it was.</ServerAway>
      {running.map((job) => (
        <RunningJob key={job.id} job={job} name={store.name} />
      ))}
      {last ? <LastJob job={last} name={store.name} /> : null}
    </section>
  )
}

function RunningJob({ job, name }: { job: Job; name: string }) {
  const stage = stageText(job)
  const part = partDone(job)
  return (
    <div className={styles.job}>
      <div className={upsertStyles.stage}>
        <strong>{stage}</strong>
        <JobActions job={job} name={name} />
      </div>
      <progress
        className={upsertStyles.bar}
        aria-label={stage}
        max={1}
        {...(part === undefined ? {} : { value: part })}
      />
      <p className={upsertStyles.facts}>{progressFacts(job).join(' · ') || '\u00a0'}</p>
    </div>
  )
}

function LastJob({ job, name }: { job: Job; name: string }) {
  const record = recordOf(job)
  return (
    <details className={styles.job} open={job.state !== 'done' || job.files.failed > 0}>
      <summary>
        {job.state === 'done'
          ? 'Last load'
          : job.state === 'cancelled'
            ? 'Last load, cancelled'
            : 'Last load, failed'}
      </summary>
      <div className={styles.section}>
        {record ? <RecordCounts record={record} job={job} /> : null}
        {job.state === 'cancelled' ? <Note>The load was cancelled. Nothing of it was stored.</Note> : null}
        {job.state === 'failed' ? (
          <>
            <Note kind="failure">
              {job.error?.file === undefined ? '' : `${job.error.file}: `}
              {job.error?.message ?? 'The server gives no reason'}
            </Note>
            <FailedReasons job={job} />
          </>
        ) : null}
        <div className={styles.links}>
          <JobActions job={job} name={name} />
          <Link to="/jobs" search={{ job: job.id }}>
            The files of this load
          </Link>
        </div>
      </div>
    </details>
  )
}
