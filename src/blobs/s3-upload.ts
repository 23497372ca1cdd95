import type { BlobSource } from '../contract/blob-shelf.ts'
import type { S3Client } from './s3-client.ts'
import { S3Refusal } from './s3-failure.ts'
import { readS3Xml } from './s3-xml.ts'
import { checked } from './source.ts'

/** The metadata field with the hash of all bytes. */
export const HASH_HEADER = 'x-amz-meta-sha256'

/** The most parts of an object. */
const MOST_PARTS = 10_000

export type UploadOptions = {
  client: S3Client
  key: string
  /** For messages. */
  name: string
  source: BlobSource & { sha256: string }
  ifAbsent: boolean
  /** Larger files are sent in parts of this many bytes; S3 requires 5 MB at least. */
  partBytes: number
}

/**
 * Sends a file: as a whole, or in parts that become visible together. One part is in memory at a time.
 *
 * @returns false where `ifAbsent` is set and there is an object
 */
export async function uploadObject(options: UploadOptions): Promise<boolean> {
  const { source, ifAbsent, partBytes } = options
  const condition: Record<string, string> = ifAbsent ? { 'if-none-match': '*' } : {}
  try {
    if (source.size <= partBytes) await sendWhole(options, condition)
    else if (ifAbsent && (await keptHash(options)) !== undefined) return false
    else await sendParts(options, condition)
    return true
  } catch (error) {
    if (!(error instanceof S3Refusal) || error.status !== 412) throw error
    return isOwn(error, options)
  }
}

async function sendWhole({ client, key, name, source }: UploadOptions, condition: Record<string, string>) {
  const { size, sha256 } = source
  const body = Buffer.allocUnsafe(size)
  let filled = 0
  for await (const piece of checked(name, source.open(), source)) {
    // More bytes than it says are a failure at its end.
    body.set(piece.subarray(0, size - Math.min(filled, size)), Math.min(filled, size))
    filled += piece.length
  }
  await client.call({ method: 'PUT', key, body, sha256, headers: { ...condition, [HASH_HEADER]: sha256 } })
}

async function sendParts(options: UploadOptions, condition: Record<string, string>): Promise<void> {
  const { client, key, source } = options
  const headers = { [HASH_HEADER]: source.sha256 }
  const begun = await client.call({ method: 'POST', key, query: { uploads: '' }, headers })
  const uploadId = readS3Xml(begun.text).root.UploadId ?? ''
  try {
    const tags: string[] = []
    for await (const body of partsOf(options)) {
      const query = { partNumber: String(tags.length + 1), uploadId }
      const sent = await client.call({ method: 'PUT', key, query, body, sha256: await hashAside(body) })
      tags.push(sent.headers.get('etag') ?? '')
    }
    await complete(options, { uploadId, tags, condition })
  } catch (error) {
    // What is left of it is also removed by `clear`, an hour later.
    await client.call({ method: 'DELETE', key, query: { uploadId }, attempts: 1 }, [404]).catch(() => {})
    throw error
  }
}

/** The parts of a source, of one size but the last. The next one is read when one was sent. */
async function* partsOf({ name, source, partBytes }: UploadOptions): AsyncGenerator<Buffer<ArrayBuffer>> {
  const size = Math.max(partBytes, Math.ceil(source.size / MOST_PARTS))
  let part = Buffer.alloc(0)
  let filled = 0
  for await (const piece of checked(name, source.open(), source)) {
    for (let taken = 0; taken < piece.length; ) {
      // A new one each time: an attempt that was given up may still be reading the last one.
      if (filled === 0) part = Buffer.allocUnsafe(size)
      const room = Math.min(size - filled, piece.length - taken)
      part.set(piece.subarray(taken, taken + room), filled)
      taken += room
      filled += room
      if (filled < size) continue
      yield part
      filled = 0
    }
  }
  if (filled > 0) yield part.subarray(0, filled)
}

type Upload = { uploadId: string; tags: readonly string[]; condition: Record<string, string> }

/** Makes the parts one object. */
async function complete(options: UploadOptions, { uploadId, tags, condition }: Upload): Promise<void> {
  const { client, key } = options
  const parts = tags.map(
    (tag, i) => `<Part><PartNumber>${i + 1}</PartNumber><ETag>${asXml(tag)}</ETag></Part>`,
  )
  const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`)
  const sha256 = await hashAside(body)
  try {
    await client.call({ method: 'POST', key, query: { uploadId }, headers: condition, body, sha256 })
  } catch (error) {
    if (!(error instanceof S3Refusal) || error.status !== 404 || !(await isOwn(error, options))) throw error
  }
}

/** Whether an object is the one of an earlier attempt whose answer was lost. */
const isOwn = async ({ attempt }: S3Refusal, options: UploadOptions): Promise<boolean> =>
  attempt > 1 && (await keptHash(options)) === options.source.sha256

/** The hash of the object that is there; undefined where there is none. */
async function keptHash({ client, key }: UploadOptions): Promise<string | undefined> {
  const found = await client.call({ method: 'HEAD', key }, [404])
  return found.status === 404 ? undefined : (found.headers.get(HASH_HEADER) ?? '')
}

/** The hash of some bytes, computed on a thread: 8 MB would hold up this one for some 10 ms. */
const hashAside = async (bytes: Buffer<ArrayBuffer>): Promise<string> =>
  Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex')

const asXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
