import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { Button } from '../../parts/button.tsx'
import { Counts } from '../../parts/counts.tsx'
import { JobFiles } from '../../parts/job-files.tsx'
import { kindText, nodeFacts, progressFacts, stageText } from '../../parts/job-text.ts'
import { Note } from '../../parts/note.tsx'
import { momentText } from '../../parts/units.ts'
import { getJob, hasEnded, type Job } from '../../server/jobs.ts'
import type { JobSearch } from '../../parts/job-search.ts'
import { JobActions } from '../../parts/job-actions.tsx'
import styles from './jobs-screen.module.css'
import { LoadState } from '../../parts/load-state.tsx'

type OpenJobProps = {
  id: string
  /** Which files are shown at first. */
  files: JobSearch['files']
  names: ReadonlyMap<string, { name: string; slug: string }>
  onClose(): void
}

/** The open job: its figures by node and its files. */
export function OpenJob({ id, files, names, onClose }: OpenJobProps) {
  const read = useQuery({ queryKey: ['job', id], queryFn: () => getJob(id) })
  const job = read.data
  const flow = job && names.get(job.flowId)
  const section = useRef<HTMLElement>(null)
  const loaded = job !== undefined
  useEffect(() => {
    if (loaded) section.current?.scrollIntoView({ block: 'nearest' })
  }, [loaded])
  return (
    <section ref={section} className={styles.openJob} aria-label="Job">
      <div className={styles.head}>
        <h2 title={flow?.name}>{job ? `${kindText(job)} of ${flow?.name ?? job.flowId}` : 'Job'}</h2>
        {flow ? (
          <Link
            to="/flows/$id/history"
            params={{ id: flow.slug }}
            search={job?.kind === 'upsert' ? { record: id } : {}}
          >
            History of the flow
          </Link>
        ) : null}
        {job ? <JobActions job={job} name={flow?.name ?? job.flowId} /> : null}
        <Button onClick={onClose}>Close</Button>
      </div>
      <LoadState of={read} />
      {job ? <JobDetails job={job} files={files} /> : null}
    </section>
  )
}

function JobDetails({ job, files }: { job: Job; files: JobSearch['files'] }) {
  const facts = [
    stageText(job),
    `requested ${momentText(job.createdAt)}`,
    ...(hasEnded(job) ? [] : progressFacts(job)),
  ]
  const nodes = job.nodes.filter((node) => nodeFacts(node).length > 0)
  const counts = (['Added', 'Updated', 'Skipped', 'Deleted'] as const).flatMap((name) => {
    const count = job.result?.[`num${name}`]
    return typeof count === 'number' ? [[name, count] as const] : []
  })
  return (
    <>
      <p className={styles.quiet}>{facts.join(' · ')}</p>
      {job.error && job.state === 'failed' ? <Note kind="failure">{job.error.message}</Note> : null}
      {counts.length === 0 ? null : <Counts counts={counts} />}
      {nodes.length === 0 ? null : (
        <ul className={styles.nodes} aria-label="Nodes">
          {nodes.map((node) => (
            <li key={node.id}>
              <code title={node.id}>{node.id}</code>
              <span>{nodeFacts(node).join(' · ')}</span>
              <span className={styles.quiet}>{(node.ms / 1000).toFixed(2)} s</span>
            </li>
          ))}
        </ul>
      )}
      <JobFiles key={job.id} job={job} state={files} />
    </>
  )
}
