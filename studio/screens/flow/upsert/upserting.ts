import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { ChosenFile } from '../../../parts/chosen-files.ts'
import { complain } from '../../../parts/toast.tsx'
import { messageOf, ServerFailure } from '../../../server/call.ts'
import {
  cancelJob,
  followJob,
  getJob,
  hasEnded,
  type Job,
  latestUpsert,
  retryJob,
} from '../../../server/jobs.ts'
import { startUpsert } from '../../../server/upserts.ts'

/** The upsert of the open flow: it goes on when the dialog is closed, and is found again when the page is loaded anew. */
export type Upserting = {
  /** The newest upsert of the flow, running or ended. */
  job: Job | undefined
  /** The part of the files that has been sent, from 0 to 1; undefined while none is sent. */
  sent: number | undefined
  /** Why an upsert did not start. */
  refusal: string | undefined
  start(files: readonly ChosenFile[], stopNodeId: string | undefined): Promise<void>
  /** Ends the sending or the job; nothing of it becomes visible. */
  cancel(): void
  retry(): void
}

/** @param onEnd called when an upsert ends that was seen running */
export function useUpserting(flowId: string, onEnd: (job: Job) => void): Upserting {
  const queries = useQueryClient()
  const [job, setJob] = useState<Job>()
  const [sent, setSent] = useState<number>()
  const [refusal, setRefusal] = useState<string>()
  const sending = useRef<AbortController>(undefined)
  const ended = useEffectEvent(onEnd)

  useEffect(() => {
    let left = false
    void latestUpsert(flowId)
      .then((found) => (found && hasEnded(found) ? getJob(found.id) : found))
      .then((found) => left || setJob((now) => now ?? found))
      .catch(() => undefined)
    return () => {
      left = true
    }
  }, [flowId])

  const running = job && !hasEnded(job) ? job.id : undefined
  useEffect(() => {
    if (running === undefined) return
    return followJob(running, (next) => {
      setJob(next)
      if (!hasEnded(next)) return
      void queries.invalidateQueries({ queryKey: ['flow-settings', flowId] })
      ended(next)
    })
  }, [running, flowId, queries])

  async function start(files: readonly ChosenFile[], stopNodeId: string | undefined): Promise<void> {
    const controller = new AbortController()
    sending.current = controller
    setRefusal(undefined)
    setSent(0)
    try {
      const id = await startUpsert({ flowId, files, stopNodeId, signal: controller.signal, onSent: setSent })
      setJob(await getJob(id))
    } catch (error) {
      if (!(error instanceof ServerFailure && error.code === 'aborted')) setRefusal(messageOf(error))
    } finally {
      setSent(undefined)
    }
  }

  return {
    job,
    sent,
    refusal,
    start,
    cancel() {
      if (sent !== undefined) sending.current?.abort()
      else if (running !== undefined)
        cancelJob(running).then(setJob, (error: unknown) =>
          complain('The upsert was not cancelled', messageOf(error)),
        )
    },
    retry() {
      if (job)
        retryJob(job.id).then(setJob, (error: unknown) =>
          complain('The upsert was not started again', messageOf(error)),
        )
    },
  }
}
