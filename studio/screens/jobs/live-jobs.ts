import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { followJobs, hasEnded, type Job, listJobs } from '../../server/jobs.ts'
import { type JobPage, type JobSearch, withJob } from './job-search.ts'

export const JOBS_PER_PAGE = 25

/** A page of jobs that follows every change of the jobs of the server. */
export function useLiveJobs(search: JobSearch) {
  const queries = useQueryClient()
  const { flow, state, kind, page = 1 } = search
  const queryKey = ['jobs', flow, state, kind, page]
  const result = useQuery({
    queryKey,
    queryFn: () => listJobs({ flowId: flow, state, kind, page, limit: JOBS_PER_PAGE }),
    placeholderData: keepPreviousData,
  })
  const onJob = useEffectEvent((job: Job) => {
    const shown = queries.getQueryData<JobPage>(queryKey)
    const next = shown && withJob(shown, job, search)
    if (next) queries.setQueryData(queryKey, next)
    else void queries.invalidateQueries({ queryKey: ['jobs'] })
    void queries.setQueryData(
      ['job', job.id],
      (now: Job | undefined) => now && { ...now, ...job, result: now.result },
    )
    if (hasEnded(job)) {
      void queries.invalidateQueries({ queryKey: ['job', job.id] })
      void queries.invalidateQueries({ queryKey: ['stats'] })
    }
  })
  const again = useEffectEvent(() => void queries.invalidateQueries({ queryKey: ['jobs'] }))
  useEffect(() => followJobs({ onJob, onOpen: again }), [])
  return result
}
