import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { messageOf } from '../server/call.ts'
import { complain } from './toast.tsx'
import { cancelJob, followJob, hasEnded, type Job } from '../server/jobs.ts'

export type FollowedJob = {
  /** The job as it is now; undefined where there is none. */
  job: Job | undefined
  isStarting: boolean
  /** Why it could not begin. */
  refusal: string | undefined
  /** Begins a job, in place of the one before. @param begin gives its id */
  start(begin: () => Promise<string>): Promise<void>
  cancel(): void
}

type FollowOptions = {
  /** The job that runs when the screen opens. */
  find(): Promise<Job | undefined>
  /** Called where there is none. */
  onNone?(): void
  /** Called with a job that has ended. */
  onEnd(job: Job): void
}

/** Says why a job goes on that was to be cancelled. */
export const sayNotCancelled = (error: unknown): void => complain('It was not cancelled', messageOf(error))

/** Follows the job that runs when a screen opens, and those that it begins, until it is left. */
export function useFollowedJob({ find, onNone, onEnd }: FollowOptions): FollowedJob {
  const [job, setJob] = useState<Job>()
  const [isStarting, setStarting] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const stop = useRef<() => void>(undefined)
  const ended = useEffectEvent(onEnd)

  function follow(id: string): void {
    stop.current?.()
    stop.current = followJob(id, (now) => {
      setJob(now)
      if (hasEnded(now)) ended(now)
    })
  }

  async function start(begin: () => Promise<string>): Promise<void> {
    setJob(undefined)
    setRefusal(undefined)
    setStarting(true)
    try {
      follow(await begin())
    } catch (failure) {
      setRefusal(messageOf(failure))
    } finally {
      setStarting(false)
    }
  }

  const open = useEffectEvent(async (isLeft: () => boolean) => {
    const found = await find().catch(() => undefined)
    if (isLeft()) return
    if (!found) return onNone?.()
    setJob(found)
    follow(found.id)
  })
  useEffect(() => {
    let left = false
    void open(() => left)
    return () => {
      left = true
      stop.current?.()
    }
  }, [])

  return {
    ...{ job, isStarting, refusal, start },
    cancel() {
      if (job && !hasEnded(job)) void cancelJob(job.id).catch(sayNotCancelled)
    },
  }
}
