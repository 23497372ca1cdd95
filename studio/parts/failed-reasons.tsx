import { useQuery } from '@tanstack/react-query'
import { type FailedReason, hasEnded, type Job, listFailures } from '../server/jobs.ts'
import styles from './failed-reasons.module.css'
import { LoadFailure } from './load-failure.tsx'
import { countText } from './units.ts'

/** Why files of a job failed: one line for each reason, with its files. Nothing where none failed. */
export function FailedReasons({ job }: { job: Job }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['job-failures', job.id, job.attempt, job.state],
    queryFn: () => listFailures(job.id),
    enabled: hasEnded(job) && job.files.failed > 0,
  })
  if (error) return <LoadFailure error={error} onAgain={refetch} what="The failed files cannot be listed" />
  if (!data || data.total === 0) return null
  return (
    <section aria-label="Failed files" className={styles.failed}>
      <h3>
        {countText(data.total, 'file')} failed{job.state === 'done' ? '; the others are stored' : ''}
      </h3>
      <ul>
        {data.reasons.map((one) => (
          <li key={`${one.code} ${one.reason}`}>
            <Reason {...one} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Reason({ reason, files, names }: FailedReason) {
  if (files === 1)
    return (
      <>
        <strong>{names[0]}</strong>: {reason}
      </>
    )
  return (
    <details>
      <summary>
        <strong>{countText(files, 'file')}</strong>: {reason}
      </summary>
      <p className={styles.names}>
        {names.join(', ')}
        {files > names.length ? ` and ${countText(files - names.length, 'more file')}` : ''}
      </p>
    </details>
  )
}
