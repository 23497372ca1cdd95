import { setTimeout as sleep } from 'node:timers/promises'
import { parseJson } from '../kit/json.ts'
import { Failure, Refusal } from './failure.ts'
import type { Client } from './http.ts'
import { asJob, isOver, type JobAnswer, jobPath } from './job-answer.ts'

/** How often a lost server is looked for, and how long between, in milliseconds: a restart takes a few seconds. */
const LOOKS = 60
const PAUSE = 1000

/**
 * Follows a job to its end, showing it on the way. A connection that is lost is taken up again where it ended: the job
 * goes on in the meantime, even when the server is started anew.
 *
 * @throws Failure where the server stays away
 */
export async function followJob(
  client: Client,
  id: string,
  show: (job: JobAnswer) => void,
  pause = PAUSE,
): Promise<JobAnswer> {
  let seen: string | undefined
  for (let looks = 0; ; ) {
    try {
      for await (const event of client.events(`${jobPath(id)}/events`, seen)) {
        const job = asJob(parseJson(event.data))
        seen = event.id
        looks = 0
        show(job)
        if (isOver(job)) return job
      }
    } catch (error) {
      if (!(error instanceof Failure) || (error instanceof Refusal && error.status !== 503)) throw error
      if (++looks >= LOOKS)
        throw new Failure(
          `${error.message}, while job ${id} was followed`,
          `it goes on there: sluice job show ${id}`,
        )
    }
    await sleep(pause)
  }
}
