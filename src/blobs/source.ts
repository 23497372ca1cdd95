import { createHash, hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { BlobSource } from '../contract/blob-shelf.ts'
import { SluiceError } from '../kit/errors.ts'

/** A file on the local disk as a source. */
export const fileSource = (path: string, { size, sha256 }: { size: number; sha256: string }): BlobSource => ({
  path,
  size,
  sha256,
  open: () => createReadStream(path),
})

/** A text as a source. */
export function textSource(text: string): BlobSource {
  const bytes = Buffer.from(text)
  return { size: bytes.length, sha256: hash('sha256', bytes), open: () => Readable.from([bytes]) }
}

/**
 * Passes bytes on, and fails after the last one if their number or hash is not the given one.
 *
 * @throws SluiceError `blob_damaged`
 */
export async function* checked(
  name: string,
  chunks: AsyncIterable<Uint8Array>,
  { size, sha256 }: { size?: number | undefined; sha256?: string | undefined },
): AsyncGenerator<Uint8Array, void> {
  const digest = sha256 === undefined ? undefined : createHash('sha256')
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    digest?.update(chunk)
    yield chunk
  }
  if (size !== undefined && bytes !== size)
    throw new SluiceError('blob_damaged', { name, reason: `it has ${bytes} of ${size} bytes` })
  if (digest && digest.digest('hex') !== sha256)
    throw new SluiceError('blob_damaged', { name, reason: 'its hash is another one' })
}
