import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { messageOf } from '../../../server/call.ts'
import { cancelJob, followJob, hasEnded, type Job } from '../../../server/jobs.ts'
import { openEval, startEval } from '../../../server/questions.ts'

export type EvalWork = {
  /** The eval that was begun or found here, as it is now; undefined where there is none. */
  job: Job | undefined
  isRunning: boolean
  /** Why it could not begin. */
  refusal: string | undefined
  start(): Promise<void>
  cancel(): void
}

/** Follows the eval of a flow that runs, and begins one when it is told to. @param onEnd called when one has ended */
export function useEval(flow: string, onEnd: () => void): EvalWork {
  const [job, setJob] = useState<Job>()
  const [isStarting, setStarting] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const stop = useRef<() => void>(undefined)
  const ended = useEffectEvent(onEnd)

  function follow(id: string): void {
    stop.current?.()
    stop.current = followJob(id, (now) => {
      setJob(now)
      if (hasEnded(now)) ended()
    })
  }
  async function start(): Promise<void> {
    setRefusal(undefined)
    setJob(undefined)
    setStarting(true)
    try {
      follow(await startEval(flow))
    } catch (failure) {
      setRefusal(messageOf(failure))
    } finally {
      setStarting(false)
    }
  }
  const find = useEffectEvent(async (isLeft: () => boolean) => {
    const open = await openEval(flow).catch(() => undefined)
    if (!open || isLeft()) return
    setJob(open)
    follow(open.id)
  })
  useEffect(() => {
    let left = false
    void find(() => left)
    return () => {
      left = true
      stop.current?.()
    }
  }, [])
  return {
    ...{ job, refusal, start },
    isRunning: isStarting || (job !== undefined && !hasEnded(job)),
    cancel() {
      if (job && !hasEnded(job)) void cancelJob(job.id).catch(() => undefined)
    },
  }
}
