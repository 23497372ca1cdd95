import { nodeFacts } from '../../../parts/job-text.ts'
import { hasEnded } from '../../../server/jobs.ts'
import styles from './node-figures.module.css'
import { useUpserting } from './upserting.tsx'

/** What has passed a node in the upsert that runs or was last seen running, or in the open preview. */
export function NodeFigures({ id }: { id: string }) {
  const { upsert, preview } = useUpserting()
  const job = [upsert.job, preview.job].find((one) => one && !hasEnded(one)) ?? preview.job ?? upsert.job
  const figures = job?.nodes.find((node) => node.id === id)
  const facts = figures ? nodeFacts(figures) : []
  if (!job || facts.length === 0) return null
  const text = facts.join(' · ')
  return (
    <p
      className={styles.figures}
      data-running={!hasEnded(job)}
      data-errors={figures!.errors > 0}
      title={`${job.kind === 'dryRun' ? 'Preview' : 'Last upsert'}: ${text}`}
    >
      {text}
    </p>
  )
}
