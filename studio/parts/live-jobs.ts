import { keepPreviousData, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { followJobs, hasEnded, type Job, listJobs } from '../server/jobs.ts'
import { type JobPage, type JobSearch, withJob } from './job-search.ts'

export const JOBS_PER_PAGE = 25

/** A page of jobs that follows every change of the jobs of the server. */
export function useLiveJobs(search: JobSearch) {
  const queries = useQueryClient()
  const { flow, state, kind, page = 1 } = search
  const queryKey = ['jobs', flow, state, kind, page]
  // How often something was told that is not told again: a page that is being read meanwhile may be older than it.
  const told = useRef(0)
  const result = useQuery({
    queryKey,
    queryFn: async () => {
      const before = told.current
      const answer = await listJobs({ flowId: flow, state, kind, page, limit: JOBS_PER_PAGE })
      // After the answer is shown: one that waits cannot be asked for again.
      if (told.current !== before) setTimeout(() => void queries.invalidateQueries({ queryKey: ['jobs'] }))
      return answer
    },
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
      told.current++
      readJobAgain(queries, job.id)
      void queries.invalidateQueries({ queryKey: ['stats'] })
    }
  })
  const onOpen = useEffectEvent(() => {
    told.current++
    void queries.invalidateQueries({ queryKey: ['jobs'] })
    readJobAgain(queries)
  })
  useEffect(() => followJobs({ onJob, onOpen }), [])
  return result
}

/** Reads a job anew, or all that are shown. An answer that is under way may be older than what was told: it is not waited for. */
function readJobAgain(queries: QueryClient, ...id: [] | [string]): void {
  const queryKey = ['job', ...id]
  void queries.cancelQueries({ queryKey }).then(() => queries.invalidateQueries({ queryKey }))
}
