import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptedJob } from '../api/job-request.ts'
import type { Idempotency } from '../contract/job.ts'
import { SluiceError } from '../kit/errors.ts'
import { sha256 } from '../kit/hash.ts'
import { canonicalJson, type Json, type JsonObject } from '../kit/json.ts'
import type { JobView } from '../jobs/active/job-view.ts'
import type { Platform } from './platform.ts'
import { resultUnlessStalled } from './unless-stalled.ts'

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

/** The longest accepted key, in characters. */
const MAX_KEY_LENGTH = 255

/** The `Idempotency-Key` of a request. @throws SluiceError `idempotency_key_invalid` */
export function idempotencyKey(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['idempotency-key']?.toString()
  if (key !== undefined && (key === '' || key.length > MAX_KEY_LENGTH))
    throw new SluiceError('idempotency_key_invalid')
  return key
}

/**
 * What makes a request a repetition of an earlier one: the same key, flow and caller, and the same content. Both values
 * are hashes. Undefined for a request without a key.
 *
 * @throws SluiceError `idempotency_key_invalid`
 */
export async function idempotencyOf(
  { headers, query }: Pick<FastifyRequest, 'headers' | 'query'>,
  sent: { flowId: string; caller(): Promise<string>; content: Json },
): Promise<Idempotency | undefined> {
  const key = idempotencyKey(headers)
  if (key === undefined) return undefined
  return {
    scope: sha256(canonicalJson([key, sent.flowId, await sent.caller()])),
    fingerprint: sha256(canonicalJson([query as JsonObject, sent.content])),
  }
}
