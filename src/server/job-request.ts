import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { JobView } from '../upsert/active-job.ts'
import type { Platform } from './platform.ts'
import { prefersAsync } from './prefer.ts'

/** What every route says that makes a job: it is waited for, or answered with 202 to whoever would rather follow it. */

export const asyncQuery = z.object({ async: z.stringbool().optional() })

export const jobHeaders = z.object({
  Prefer: z.string().optional(),
  'Idempotency-Key': z.string().optional(),
})

export const accepted = {
  status: 202,
  description: 'The job that was asked for',
  shape: z.object({ jobId: z.string(), state: z.literal('queued') }),
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
