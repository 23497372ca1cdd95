import { NetworkError } from '../kit/egress/network-error.ts'
import { reasonOf, SluiceError } from '../kit/errors.ts'
import { PASSING_STATUS, type RetryDecision, retryAfterMs } from '../kit/retry.ts'

/** A refusal of an S3 server. */
export class S3Refusal extends Error {
  readonly status: number
  /** The code in its answer, `NoSuchBucket`; empty where it sent none. */
  readonly code: string
  readonly afterMs: number | undefined
  /** The region of the bucket, where the server says that it is another one. */
  readonly region: string | undefined
  /** The number of the attempt that was refused, from 1. */
  attempt = 1

  constructor(status: number, headers: Headers, body: string) {
    // Of the text of a server only the code is used, since it may repeat what was sent.
    const code = /<Code>(\w{1,64})<\/Code>/.exec(body)?.[1] ?? ''
    super(`it answered ${status}${code && ` ${code}`}`)
    this.status = status
    this.code = code
    this.afterMs = retryAfterMs(headers.get('retry-after'))
    const region = headers.get('x-amz-bucket-region') ?? /<Region>([\w-]{1,64})<\/Region>/.exec(body)?.[1]
    this.region = region && /^[\w-]{1,64}$/.test(region) ? region : undefined
  }
}

/** Codes of temporary failures that come with a status of the client's faults. */
const PASSING_CODES = ['RequestTimeout', 'OperationAborted', 'ConditionalRequestConflict', 'SlowDown']

/** Whether another attempt may help. */
export function isPassing(error: unknown): RetryDecision {
  if (error instanceof NetworkError) return {}
  if (error instanceof SluiceError) return error.code === 'provider_timeout' ? {} : undefined
  if (!(error instanceof S3Refusal)) return undefined
  if (!PASSING_STATUS.has(error.status) && !PASSING_CODES.includes(error.code)) return undefined
  return { afterMs: error.afterMs }
}

const REASONS: Readonly<Record<string, string>> = {
  NoSuchBucket: 'there is no such bucket',
  InvalidBucketName: 'the name of the bucket is not valid there',
  InvalidAccessKeyId: 'it does not know the access key',
  SignatureDoesNotMatch: 'the secret key is wrong',
  ExpiredToken: 'the session token has expired',
  InvalidToken: 'the session token is not valid',
  AccessDenied: 'the keys may not do this; they need to get, put, list and delete objects of the bucket',
  RequestTimeTooSkewed: 'the clock of this machine is wrong',
  QuotaExceeded: 'its quota is used up',
  NotImplemented: 'it lacks a call that is needed: conditional put, multipart upload or list of version 2',
}

/** After how many seconds a client may try again. */
const RETRY_AFTER = 5

/** A failure of a call as one of the product, which names the bucket and the host. */
export function asBlobError(thrown: unknown, place: { bucket: string; host: string }): unknown {
  if (thrown instanceof S3Refusal) {
    const region =
      thrown.region && `the bucket is in the region ${thrown.region}: add region=${thrown.region}`
    const reason = region ?? REASONS[thrown.code] ?? thrown.message
    return new SluiceError('blob_failed', { ...place, reason, retryAfter: RETRY_AFTER }, { cause: thrown })
  }
  if (!(thrown instanceof SluiceError)) return thrown
  if (!['provider_failed', 'provider_timeout', 'egress_denied'].includes(thrown.code)) return thrown
  const { reason, seconds } = thrown.facts
  const said =
    thrown.code === 'egress_denied'
      ? 'EGRESS_DENY forbids it'
      : thrown.code === 'provider_timeout'
        ? `it did not answer in ${seconds} seconds`
        : reasonOf(reason)
  return new SluiceError(
    'blob_failed',
    { ...place, reason: said, retryAfter: RETRY_AFTER },
    { cause: thrown },
  )
}
