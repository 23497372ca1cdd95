import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { BlobEntry, BlobShelf, BlobSource } from '../contract/blob-shelf.ts'
import { checkBlobName } from './blob-name.ts'
import { SluiceError } from '../kit/errors.ts'
import type { BlobCheck } from './readiness.ts'
import { asBlobError } from './s3-failure.ts'
import { s3Client, type S3Options } from './s3-client.ts'
import { readObject } from './s3-read.ts'
import { uploadObject } from './s3-upload.ts'
import { readS3Xml } from './s3-xml.ts'

/** Files larger than this are sent in parts of this size, in bytes. */
const PART_BYTES = 8 * 2 ** 20

/** How many objects are removed at the same time. */
const REMOVALS = 8

export type S3ShelfOptions = S3Options & {
  partBytes?: number
  /** The most names of one answer to a list. */
  pageSize?: number
}

/** A name that no file has. */
const NO_FILE = 'readiness'

/**
 * How a look whether the bucket answers is tried: two attempts, in less time than probes wait. One is not enough, since busy servers
 * refuse single calls.
 */
const LOOK = { attempts: 2, answerMs: 1200 }

/** A shelf in a bucket of a server that speaks S3, and a look whether it answers. */
export function s3Shelf(options: S3ShelfOptions): BlobShelf & { check: BlobCheck } {
  const { place, egress, partBytes = PART_BYTES, pageSize = 1000 } = options
  const client = s3Client(options)
  const facts = { bucket: place.bucket, host: place.endpoint.host }
  const keyOf = (name: string) => {
    checkBlobName(name)
    return place.prefix + name
  }
  const failing = (error: unknown): never => {
    throw asBlobError(error, facts)
  }
  const nameOf = (key = '') => key.slice(place.prefix.length)

  return {
    async put(name, given, { ifAbsent = false } = {}) {
      const key = keyOf(name)
      const source = { ...given, sha256: given.sha256 ?? (await hashOf(given)) }
      return uploadObject({ client, key, name, source, ifAbsent, partBytes }).catch(failing)
    },

    async get(name, wanted = {}) {
      const found = await readObject(client, { key: keyOf(name), name }, wanted).catch(failing)
      if (!found) return undefined
      const content = Readable.from(withFailures(found.content, failing), { objectMode: false })
      // Also where nothing was read of it.
      content.once('close', found.cancel)
      return { content, size: found.size }
    },

    async remove(names) {
      const keys = names.map(keyOf).values()
      const work = async () => {
        for (const key of keys) await client.call({ method: 'DELETE', key }, [404])
      }
      await Promise.all(Array.from({ length: REMOVALS }, work)).catch(failing)
    },

    async *list(folder) {
      const query = { 'list-type': '2', prefix: place.prefix + folder, 'max-keys': String(pageSize) }
      for await (const rows of pages(query, 'Contents', { 'continuation-token': 'NextContinuationToken' })) {
        const found = rows.map(({ Key, Size, LastModified }) => ({
          name: nameOf(Key),
          size: Number(Size),
          changedAt: Date.parse(LastModified ?? ''),
        }))
        yield found satisfies BlobEntry[]
      }
    },

    async sweep(before) {
      const query = { uploads: '', prefix: place.prefix, 'max-uploads': String(pageSize) }
      const next = { 'key-marker': 'NextKeyMarker', 'upload-id-marker': 'NextUploadIdMarker' }
      for await (const rows of pages(query, 'Upload', next))
        for (const { Key: key, UploadId: uploadId, Initiated } of rows)
          if (key && uploadId && Date.parse(Initiated ?? '') < before)
            await client.call({ method: 'DELETE', key, query: { uploadId } }, [404]).catch(failing)
    },

    async check() {
      const answer = await client.open({ method: 'GET', key: keyOf(NO_FILE), ...LOOK }, [404]).catch(failing)
      await answer.body?.cancel()
    },

    close: () => egress.close(),
  }

  /** All pages of a list. @param next the parameters of the next page, by elements of the answer */
  async function* pages(first: Record<string, string>, row: string, next: Record<string, string>) {
    let query = first
    for (;;) {
      const { text } = await client.call({ method: 'GET', query }).catch(failing)
      const { root, rows } = readList(text, row)
      yield rows
      if (root.IsTruncated !== 'true') return
      query = { ...first }
      for (const [parameter, element] of Object.entries(next)) query[parameter] = root[element] ?? ''
    }
  }

  function readList(text: string, row: string) {
    try {
      return readS3Xml(text, row)
    } catch (error) {
      throw new SluiceError('blob_failed', { ...facts, reason: 'its list is not XML' }, { cause: error })
    }
  }
}

async function hashOf(source: BlobSource): Promise<string> {
  const digest = createHash('sha256')
  for await (const chunk of source.open()) digest.update(chunk as Uint8Array)
  return digest.digest('hex')
}

async function* withFailures<T>(content: AsyncIterable<T>, failing: (error: unknown) => never) {
  try {
    yield* content
  } catch (error) {
    failing(error)
  }
}
