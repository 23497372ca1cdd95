import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptedJob } from '../api/job-request.ts'
import { SluiceError } from '../kit/errors.ts'
import type { JsonObject } from '../kit/json.ts'
import type { JobView } from '../jobs/active/job-view.ts'
import type { Platform } from './platform.ts'
import type { ServerWait } from '../kit/patience.ts'

/** The answer of a route that makes a job to a client that does not wait for the result, for the description. */
export const acceptedAnswer = {
  status: 202,
  description: 'The job',
  shape: acceptedJob,
}

/** Answers with a submitted job, or waits for its result. @throws SluiceError as `resultUnlessStalled` */
export async function answerJob(
  platform: Platform,
  { job, repeated }: { job: JobView; repeated: boolean },
  { request, reply, async }: { request: FastifyRequest; reply: FastifyReply; async: boolean | undefined },
): Promise<unknown> {
  if (repeated) reply.header('idempotent-replayed', 'true')
  if (!(async ?? prefersAsync(request.headers))) return resultUnlessStalled(platform, job)
  return reply.code(202).header('location', `/api/v1/jobs/${job.id}`).send({ jobId: job.id, state: 'queued' })
}

/** Whether the client prefers 202 at once to waiting for the result: `Prefer: respond-async` (RFC 7240, 4.1). */
export const prefersAsync = ({ prefer }: IncomingHttpHeaders): boolean =>
  [prefer ?? []]
    .flat()
    .flatMap((value) => value.split(','))
    .some((preference) => preference.split(';')[0]!.trim().toLowerCase() === 'respond-async')

/**
 * Does work under the lease of a namespace, unless a job has it that waits for a vector engine for ENGINE_TIMEOUT.
 *
 * @param work gives up waiting for the lease when its signal aborts
 * @throws SluiceError `engine_waits`
 */
export async function unlessStalled<Result>(
  { jobs, config }: Pick<Platform, 'jobs' | 'config'>,
  namespace: string,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const over = new AbortController()
  const giveUp = new AbortController()
  const seconds = config.ENGINE_TIMEOUT
  void jobs
    .stalled({ namespace, ms: seconds * 1000, signal: over.signal })
    .then((wait) => giveUp.abort(waitsFor(wait, { namespace, seconds })))
  try {
    return await work(giveUp.signal)
  } finally {
    over.abort()
  }
}

/**
 * The result of a job that a client waits for.
 *
 * @throws SluiceError the failure of the job; `engine_waits` where it waits for a vector engine for ENGINE_TIMEOUT: it goes on
 */
export async function resultUnlessStalled(
  platform: Pick<Platform, 'jobs' | 'config'>,
  { id, namespace }: Pick<JobView, 'id' | 'namespace'>,
): Promise<JsonObject> {
  return unlessStalled(platform, namespace, (signal) => {
    const givenUp = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(goingOn(signal.reason, id)), { once: true })
    })
    return Promise.race([platform.jobs.result(id), givenUp])
  })
}

const waitsFor = ({ server, reason }: ServerWait, facts: { namespace: string; seconds: number }) =>
  new SluiceError('engine_waits', { ...facts, server, reason, retryAfter: facts.seconds })

const goingOn = (error: SluiceError, jobId: string) =>
  new SluiceError('engine_waits', {
    ...error.facts,
    more: `; the work goes on as the job ${jobId}`,
    jobId,
    hint: `follow it at /api/v1/jobs/${jobId}, or cancel it there`,
  })
