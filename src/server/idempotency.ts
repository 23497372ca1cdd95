import type { IncomingHttpHeaders } from 'node:http'
import type { Idempotency } from '../contract/job.ts'
import { SluiceError } from '../kit/errors.ts'
import { sha256 } from '../kit/hash.ts'
import { canonicalJson, type Json } from '../kit/json.ts'

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
 * sent with it. Only hashes of it are kept.
 */
export function idempotencyOf(
  key: string,
  request: { flowId: string; caller: string; query: Json; content: Json },
): Idempotency {
  return {
    scope: sha256(canonicalJson([key, request.flowId, request.caller])),
    fingerprint: sha256(canonicalJson([request.query, request.content])),
  }
}
