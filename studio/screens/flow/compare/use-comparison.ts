import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { sayNotCancelled } from '../../../parts/use-followed-job.ts'
import {
  type Comparison,
  type ComparisonHead,
  getComparison,
  listComparisons,
} from '../../../server/compare.ts'
import { cancelJob, followJob, hasEnded, type Job } from '../../../server/jobs.ts'

export type ComparisonWork = {
  heads: readonly ComparisonHead[] | undefined
  /** The comparison that is shown, and its job while it waits or runs. */
  comparison: Comparison | undefined
  job: Job | undefined
  error: Error | null
  /** Whether what is to be shown is not known yet. */
  isPending: boolean
  refetch(): Promise<unknown>
  cancel(): void
}

/** The comparisons of a flow. Follows the one that is shown until it has ended. @param asked the newest unless given */
export function useComparison(flow: string, asked: string | undefined): ComparisonWork {
  const queries = useQueryClient()
  const heads = useQuery({ queryKey: ['comparisons', flow], queryFn: () => listComparisons(flow) })
  const id = asked ?? heads.data?.[0]?.id
  const found = useQuery({
    queryKey: ['comparison', flow, id],
    queryFn: () => getComparison(flow, id!),
    enabled: id !== undefined,
  })
  const [job, setJob] = useState<Job>()
  const isOpen = found.data !== undefined && (found.data.state === 'queued' || found.data.state === 'running')
  const onJob = useEffectEvent((now: Job) => {
    setJob(now)
    if (!hasEnded(now)) return
    void queries.invalidateQueries({ queryKey: ['comparison', flow, now.id] })
    void queries.invalidateQueries({ queryKey: ['comparisons', flow] })
  })
  useEffect(() => {
    setJob(undefined)
    return isOpen && id !== undefined ? followJob(id, onJob) : undefined
  }, [id, isOpen])
  return {
    heads: heads.data,
    comparison: found.data,
    job: job?.id === id ? job : undefined,
    error: heads.error ?? found.error,
    isPending: heads.isPending || (id !== undefined && found.isPending),
    refetch: () => Promise.all([heads.refetch(), id === undefined ? undefined : found.refetch()]),
    cancel() {
      if (id !== undefined) void cancelJob(id).catch(sayNotCancelled)
    },
  }
}
