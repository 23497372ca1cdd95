import { JOB_KINDS, JOB_STATES, type Job } from '../server/jobs.ts'

/** What the address of the jobs holds: filters, the page, and the open job. */
export type JobSearch = {
  flow?: string
  state?: Job['state']
  kind?: Job['kind']
  page?: number
  job?: string
  /** Which files of the open job are shown at first. */
  files?: 'failed' | 'empty'
}

/** Reads the search parameters of the address; what it cannot hold is left out. */
export function readJobSearch(search: Record<string, unknown>): JobSearch {
  const { flow, state, kind, page, job, files } = search
  return {
    ...(typeof flow === 'string' && flow !== '' ? { flow } : {}),
    ...(JOB_STATES.includes(state as Job['state']) ? { state: state as Job['state'] } : {}),
    ...(JOB_KINDS.includes(kind as Job['kind']) ? { kind: kind as Job['kind'] } : {}),
    ...(typeof page === 'number' && Number.isInteger(page) && page > 1 ? { page } : {}),
    ...(typeof job === 'string' && job !== '' ? { job } : {}),
    ...(files === 'failed' || files === 'empty' ? { files } : {}),
  }
}

export type JobPage = { data: Job[]; total: number }

/**
 * A page of jobs with the newer state of one of them; undefined where the page must be read again, because the job is not
 * on it, or its new state may not belong there.
 */
export function withJob(page: JobPage, job: Job, { state }: JobSearch): JobPage | undefined {
  const at = page.data.findIndex(({ id }) => id === job.id)
  if (at < 0 || (state !== undefined && job.state !== state)) return undefined
  return { ...page, data: page.data.with(at, job) }
}
