import { setTimeout as sleep } from 'node:timers/promises'
import type { JobAnswer } from '../api/job.ts'
import { isObject, type Json, parseJson } from '../kit/json.ts'
import { Failure, Refusal } from './failure.ts'
import type { Client } from './http.ts'
import { isOver, jobPath, readJob } from './job-answer.ts'
import type { Progress } from './progress.ts'

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
        const job = await readJob(parseJson(event.data))
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

/** A server that makes no job of it answers with the result at once. */
const isAccepted = (answer: Json): answer is { jobId: string } =>
  isObject(answer) && typeof answer.jobId === 'string' && answer.state === 'queued'

/** What comes of a request, followed as a job where the server made one of it. @throws Failure where it fails */
export async function resultOf(client: Client, answer: Json, progress: Progress): Promise<Json> {
  if (!isAccepted(answer)) return answer
  const { state, result, error } = await followJob(client, answer.jobId, (job) => progress.working(job))
  if (state === 'done') return result
  throw new Failure(
    error?.message ?? `The job ended as ${state}`,
    `sluice job show ${answer.jobId} tells more`,
  )
}
