import { AwsV4Signer } from 'aws4fetch'
import type { BlobKeys, BlobPlace } from '../kit/blob-url.ts'
import type { Egress } from '../kit/egress/client.ts'
import { retry, type RetryOptions } from '../kit/retry.ts'
import { isPassing, S3Refusal } from './s3-failure.ts'

/** The hash of no bytes. */
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/** The slowest connection that a body is sent over, in bytes per millisecond: a part of 8 MB may take 80 seconds more. */
const SLOWEST = 100

/** How long the server may take to answer, beside the time for the body, in milliseconds. */
const ANSWER_MS = 60_000

/** Bodies of this size, in bytes, get time of their own. */
const LONG_BODY = 2 ** 20

/** Answers of calls other than `get` are XML, a page of a list at most. */
const TEXT_BYTES = 16 * 2 ** 20

export type S3Call = {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** The name of the object, with the prefix of the place; absent for calls of the bucket. */
  key?: string
  query?: Readonly<Record<string, string>>
  headers?: Readonly<Record<string, string>>
  body?: Uint8Array<ArrayBuffer>
  /** The hash of the body in hexadecimal; the server compares it. */
  sha256?: string
  /** The most attempts, where they are not those of the client. */
  attempts?: number
  /** How long the server may take to answer each attempt of `open`, in milliseconds; as usual unless given. */
  answerMs?: number
}

export type S3Client = {
  /**
   * One call with retries.
   *
   * @param also statuses that are no failure, besides those of success
   * @throws S3Refusal, and as `Egress` does
   */
  call(call: S3Call, also?: readonly number[]): Promise<{ status: number; headers: Headers; text: string }>
  /** The same for a body of any size, which the caller reads or cancels. The body itself is not retried. */
  open(call: S3Call, also?: readonly number[]): Promise<Response>
}

export type S3Options = {
  place: BlobPlace
  keys: BlobKeys
  egress: Egress
  retries?: Pick<RetryOptions, 'baseMs' | 'maxMs'>
}

/** Signed calls of one bucket (Signature Version 4). */
export function s3Client({ place, keys, egress, retries }: S3Options): S3Client {
  const texts = egress.limited({ responseBytes: TEXT_BYTES })
  const bodies = egress.limited({ responseBytes: Number.POSITIVE_INFINITY })
  const derivedKeys = new Map<string, ArrayBuffer>()

  async function send(fetch: Egress['fetch'], call: S3Call, also: readonly number[]): Promise<Response> {
    const { method, body } = call
    const signer = new AwsV4Signer({
      method,
      url: urlOf(place, call).href,
      headers: {
        ...call.headers,
        'x-amz-content-sha256': call.sha256 ?? (body ? 'UNSIGNED-PAYLOAD' : EMPTY),
      },
      ...keys,
      service: 's3',
      region: place.region,
      cache: derivedKeys,
    })
    const { url, headers } = await signer.sign()
    // Not signed, since proxies change it. Bytes must come as they were put.
    headers.set('accept-encoding', 'identity')
    // A redirect leads to another region, for which the signature is not valid.
    const answer = await fetch(url, {
      method,
      headers,
      redirect: 'manual',
      ...(body ? { body } : {}),
    })
    if (answer.ok || also.includes(answer.status)) return answer
    throw new S3Refusal(answer.status, answer.headers, await beginningOf(answer))
  }

  const withRetries = <T>({ attempts = 6 }: S3Call, work: () => Promise<T>) =>
    retry(
      async (attempt) => {
        try {
          return await work()
        } catch (error) {
          if (error instanceof S3Refusal) error.attempt = attempt
          throw error
        }
      },
      { baseMs: 300, maxMs: 10_000, ...retries, attempts, verdict: isPassing },
    )

  return {
    call: (call, also = []) =>
      withRetries(call, async () => {
        const length = call.body?.length ?? 0
        const headersMs = ANSWER_MS + length / SLOWEST
        const fetch = length < LONG_BODY ? texts : egress.limited({ responseBytes: TEXT_BYTES, headersMs })
        const answer = await send(fetch, call, also)
        const text = await answer.text()
        // A failure after the server has begun its answer.
        if (isFailure(text))
          throw new S3Refusal(text.includes('PreconditionFailed') ? 412 : 500, answer.headers, text)
        return { status: answer.status, headers: answer.headers, text }
      }),
    open(call, also = []) {
      const { answerMs: headersMs } = call
      const fetch =
        headersMs === undefined
          ? bodies
          : egress.limited({ responseBytes: Number.POSITIVE_INFINITY, headersMs })
      return withRetries(call, () => send(fetch, call, also))
    },
  }
}

const isFailure = (text: string) => /^\s*(<\?xml[^>]*\?>\s*)?<Error[\s>]/.test(text)

/** The first 10,000 bytes of an answer, or a few more. */
async function beginningOf({ body }: Response): Promise<string> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const bytes of body ?? []) {
    text += decoder.decode(bytes, { stream: true })
    if (text.length > 10_000) break
  }
  return text
}

function urlOf({ endpoint, bucket, style }: BlobPlace, { key = '', query = {} }: S3Call): URL {
  const url = new URL(endpoint)
  if (style === 'virtual') url.hostname = `${bucket}.${endpoint.hostname}`
  const names = style === 'virtual' ? key.split('/') : [bucket, ...key.split('/')]
  url.pathname = `/${names.map(encode).join('/')}`
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url
}

/** As signatures write names (RFC 3986): `encodeURIComponent` leaves five characters more. */
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
