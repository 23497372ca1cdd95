import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { messageOf } from '../../../server/call.ts'
import { cancelJob, followJob, hasEnded, type Job } from '../../../server/jobs.ts'
import { openRepair, startRepair } from '../../../server/repair.ts'

export type RepairWork = {
  /** The comparison or repair, as it is now; undefined until it has begun. */
  job: Job | undefined
  /** Why it could not begin. */
  refusal: string | undefined
  start(dryRun: boolean): Promise<void>
  /** Ends a comparison; a repair goes on. */
  leave(): void
  cancel(): void
}

/**
 * Follows the repair of a flow that runs, or begins with a comparison.
 *
 * @param onEnd called when a repair has ended
 */
export function useRepair(flow: string, onEnd: (job: Job) => void): RepairWork {
  const [job, setJob] = useState<Job>()
  const [refusal, setRefusal] = useState<string>()
  const stop = useRef<() => void>(undefined)
  const ended = useEffectEvent(onEnd)

  function follow(id: string): void {
    stop.current?.()
    stop.current = followJob(id, (now) => {
      setJob(now)
      if (hasEnded(now) && now.kind === 'repair') ended(now)
    })
  }

  async function start(dryRun: boolean): Promise<void> {
    setJob(undefined)
    setRefusal(undefined)
    try {
      follow(await startRepair(flow, dryRun))
    } catch (failure) {
      setRefusal(messageOf(failure))
    }
  }

  const begin = useEffectEvent(async (isLeft: () => boolean) => {
    const open = await openRepair(flow).catch(() => undefined)
    if (isLeft()) return
    if (!open) return start(true)
    setJob(open)
    follow(open.id)
  })
  useEffect(() => {
    let left = false
    void begin(() => left)
    return () => {
      left = true
      stop.current?.()
    }
  }, [])

  const cancel = () => {
    if (job && !hasEnded(job)) void cancelJob(job.id).catch(() => undefined)
  }
  return {
    ...{ job, refusal, start, cancel },
    leave() {
      if (job?.kind === 'verify') cancel()
    },
  }
}
