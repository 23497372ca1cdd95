import { setTimeout as sleep } from 'node:timers/promises'
import type { JobAnswer } from '../api/job.ts'
import type { AcceptedJob } from '../api/job-request.ts'
import { isObject, type Json, parseJson } from '../kit/json.ts'
import { Failure, FailedJob, ServerRefusal } from './failure.ts'
import type { Client } from './http.ts'
import { isOver, jobPath, readJob } from './job-answer.ts'
import type { Progress } from './progress.ts'

/** How many times to connect again after a connection is lost, and the pause between, in milliseconds. */
const ATTEMPTS = 60
const PAUSE = 1000

/**
 * Follows a job to its end, and shows its progress. After a lost connection it continues with the next event: the job
 * continues on the server, also after a restart.
 *
 * @throws Failure where the server does not come back
 */
export async function followJob(
  client: Client,
  id: string,
  show: (job: JobAnswer) => void,
  pause = PAUSE,
): Promise<JobAnswer> {
  let seen: string | undefined
  for (let attempts = 0; ; ) {
    try {
      for await (const event of client.events(`${jobPath(id)}/events`, seen)) {
        const job = await readJob(parseJson(event.data))
        seen = event.id
        attempts = 0
        show(job)
        if (isOver(job)) return job
      }
    } catch (error) {
      if (!(error instanceof Failure) || (error instanceof ServerRefusal && error.status !== 503)) throw error
      if (++attempts >= ATTEMPTS)
        throw new Failure(
          `${error.message}, while waiting for job ${id}`,
          `the job continues on the server: sluice job show ${id}`,
        )
    }
    await sleep(pause)
  }
}

/** Whether the server made a job; otherwise the answer is the result. */
const isAccepted = (answer: Json): answer is AcceptedJob =>
  isObject(answer) && typeof answer.jobId === 'string' && answer.state === 'queued'

/** The result of a request; where the server made a job, the result of that. @throws Failure where the job failed */
export async function resultOf(client: Client, answer: Json, progress: Progress): Promise<Json> {
  if (!isAccepted(answer)) return answer
  const { state, result, error } = await followJob(client, answer.jobId, (job) => progress.working(job))
  if (state === 'done') return result
  throw new FailedJob(
    error?.message ?? `The job ended as ${state}`,
    `sluice job show ${answer.jobId} shows more`,
    error ?? {},
  )
}
