import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Idempotency } from '../contract/job.ts'
import { SluiceError } from '../kit/errors.ts'
import { sha256 } from '../kit/hash.ts'
import { canonicalJson, type Json, type JsonObject } from '../kit/json.ts'

/** The longest key that is taken, in characters. */
const LONGEST = 255

/** @throws SluiceError `idempotency_key_invalid` */
export function idempotencyKey(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['idempotency-key']?.toString()
  if (key !== undefined && (key === '' || key.length > LONGEST))
    throw new SluiceError('idempotency_key_invalid')
  return key
}

/**
 * What makes a request the same as an earlier one: the key in the hands of one caller of one flow, and all that was
 * sent with it. Only hashes of it are kept. Undefined for a request without a key.
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
