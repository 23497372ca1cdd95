import type { Loader } from '../contract/loader.ts'
import type { Metadata } from '../contract/document.ts'
import { SluiceError } from '../kit/errors.ts'
import type { JsonObject } from '../kit/json.ts'

/** The default limit of metadata per chunk, in bytes of JSON: metadata is stored with every chunk. */
export const METADATA_BYTES = 16 * 1024

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/**
 * The metadata of a chunk with the additions of the flow and the request, within a limit. Over the limit, fields of the
 * loader are left out, the largest first, and named in a warning: their text is in the chunks. Additions of the flow or
 * the request are never left out.
 *
 * @param limit bytes of JSON
 * @throws SluiceError `metadata_too_large`
 */
export function limitedMetadata(
  limit: number,
  loader: Pick<Loader, 'shapeMetadata'>,
  {
    file,
    own,
    added,
    note,
  }: { file: string; own: Metadata; added: JsonObject; note: (text: string) => void },
): Metadata {
  const complete = loader.shapeMetadata(own, added)
  let bytes = sizeOf(complete)
  if (bytes <= limit) return complete
  const largest = Object.keys(own)
    .map((key) => ({ key, bytes: sizeOf(own[key]) }))
    .sort((a, b) => b.bytes - a.bytes)
  const left: Metadata = { ...own }
  for (const { key } of largest) {
    delete left[key]
    const smaller = loader.shapeMetadata(left, added)
    const size = sizeOf(smaller)
    if (size < bytes)
      note(
        `the metadata field ${key.slice(0, 100)} is left out: a document may have ${limit} bytes of metadata`,
      )
    bytes = size
    if (bytes <= limit) return smaller
  }
  throw new SluiceError('metadata_too_large', { file, bytes: sizeOf(complete), limit })
}
