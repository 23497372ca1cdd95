import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptedJob } from '../api/job.ts'
import type { JobView } from '../upsert/active-job.ts'
import type { Platform } from './platform.ts'
import { prefersAsync } from './prefer.ts'

/** The answer of a route that makes a job, to a client that does not wait for its end. */
export const accepted = {
  status: 202,
  description: 'The job that was asked for',
  shape: acceptedJob,
}

/** Answers with a job that was submitted, or with what came of it once it has ended. @throws SluiceError its failure */
export async function answerJob(
  { jobs }: Platform,
  { job, repeated }: { job: JobView; repeated: boolean },
  { request, reply, async }: { request: FastifyRequest; reply: FastifyReply; async: boolean | undefined },
): Promise<unknown> {
  if (repeated) reply.header('idempotent-replayed', 'true')
  if (!(async ?? prefersAsync(request.headers))) return jobs.result(job.id)
  return reply.code(202).header('location', `/api/v1/jobs/${job.id}`).send({ jobId: job.id, state: 'queued' })
}
