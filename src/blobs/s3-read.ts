import { createHash } from 'node:crypto'
import { NetworkError } from '../kit/egress/network-error.ts'
import { SluiceError } from '../kit/errors.ts'
import type { S3Client } from './s3-client.ts'
import { isPassing, S3Refusal } from './s3-failure.ts'
import { HASH_HEADER } from './s3-upload.ts'

export type WantedBytes = { start?: number; end?: number; sha256?: string }

/** How often in a row a body may break off without one byte. */
const MOST_BREAKS = 5

type Body = AsyncIterable<Uint8Array> & { cancel(): Promise<void> }

/** A part of an object, from a byte on. `size` in bytes, of all of it. */
type Opened = { body: Body | null; size: number; tag: string | null; hash: string | null }

/**
 * Opens an object; undefined where there is none. A body that breaks off is continued where it ended, as long as the object is
 * the same. Its hash is compared with the one in its metadata, or with `sha256`.
 *
 * @throws S3Refusal, SluiceError `blob_damaged`, and as `Egress` does
 */
export async function readObject(
  client: S3Client,
  { key, name }: { key: string; name: string },
  { start = 0, end = Number.POSITIVE_INFINITY, sha256 }: WantedBytes,
): Promise<{ content: AsyncIterable<Uint8Array>; size: number; cancel(): void } | undefined> {
  const opened = await openFrom(client, key, { start, end })
  if (!opened) return undefined
  const { size, tag } = opened
  const last = Math.min(end, size)
  const hash = start === 0 && last === size ? (sha256 ?? opened.hash) : null
  const changed = (reason: string) => new SluiceError('blob_damaged', { name, reason })

  /** The rest from a byte on. */
  async function* rest(): AsyncGenerator<Uint8Array, void> {
    let { body } = opened!
    let breaks = 0
    for (let at = start; at < last; breaks++) {
      try {
        for await (const bytes of body ?? []) {
          at += bytes.length
          breaks = 0
          yield bytes
        }
      } catch (error) {
        if (!isPassing(error) || breaks === MOST_BREAKS) throw error
      }
      if (at >= last) return
      if (breaks === MOST_BREAKS) throw new NetworkError(name, 'its answer ends early')
      const next = await openFrom(client, key, { start: at, end }, tag).catch((error: unknown) => {
        throw error instanceof S3Refusal && error.status === 412 ? changed('it was replaced') : error
      })
      if (!next) throw changed('it was removed')
      body = next.body
    }
  }

  async function* content(): AsyncGenerator<Uint8Array, void> {
    const digest = hash ? createHash('sha256') : undefined
    for await (const bytes of rest()) {
      digest?.update(bytes)
      yield bytes
    }
    if (digest && digest.digest('hex') !== hash) throw changed('its hash is another one')
  }

  return { content: content(), size, cancel: () => void opened.body?.cancel().catch(() => {}) }
}

async function openFrom(
  client: S3Client,
  key: string,
  { start, end }: { start: number; end: number },
  tag?: string | null,
): Promise<Opened | undefined> {
  const isAll = start === 0 && end === Number.POSITIVE_INFINITY
  const range = `bytes=${start}-${end === Number.POSITIVE_INFINITY ? '' : Math.max(end - 1, start)}`
  const headers = { ...(isAll ? {} : { range }), ...(tag ? { 'if-match': tag } : {}) }
  const answer = await client.open({ method: 'GET', key, headers }, [416]).catch((error: unknown) => {
    if (error instanceof S3Refusal && error.status === 404 && error.code !== 'NoSuchBucket') return undefined
    throw error
  })
  if (!answer) return undefined
  if (answer.ok) return { ...factsOf(answer.headers), body: answer.body as Body | null }
  await answer.body?.cancel()
  // The object ends before the range.
  const found = await client.call({ method: 'HEAD', key }, [404])
  return found.status === 404 ? undefined : { ...factsOf(found.headers), body: null }
}

/** What the headers of an answer say of the whole object. */
const factsOf = (headers: Headers) => ({
  size: Number(/\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1] ?? headers.get('content-length')),
  tag: headers.get('etag'),
  hash: headers.get(HASH_HEADER),
})
