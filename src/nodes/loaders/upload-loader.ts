import { open } from 'node:fs/promises'
import type { FileParser, FileType, ParseOptions } from '../../contract/file-parser.ts'
import type { Loader, UploadedFile } from '../../contract/loader.ts'
import type { TextSplitter } from '../../contract/splitter.ts'
import { fileTypeOf } from '../../formats/sniff.ts'
import { canonicalJson, type Json, type JsonObject } from '../../kit/json.ts'
import { dresser } from './dress.ts'

/** Raised when a reader gives other text for the same bytes: files that it read before are then read again. */
const READERS_REVISION = 1

const SNIFFED_BYTES = 65_536

export type UploadLoaderOptions = {
  name: string
  /** Which types this loader reads; other files are not its own. */
  types: readonly FileType[]
  accepts: readonly string[]
  options: ParseOptions
  values: { metadata: JsonObject; omitMetadataKeys: string }
  splitter: TextSplitter | undefined
  parser: FileParser
}

/** A loader of uploaded files: which types it takes and how they are read is all that tells one from another. */
export function uploadLoader({
  name,
  types,
  accepts,
  options,
  values,
  splitter,
  parser,
}: UploadLoaderOptions): Loader {
  const id = canonicalJson([name, READERS_REVISION, options as Json, values])
  return {
    id,
    ...(splitter ? { splitter } : {}),
    dress: dresser(values),
    uploads: {
      accepts,
      async item(file) {
        const type = fileTypeOf(file.name, await headOf(file))
        if (type === undefined || !types.includes(type)) return undefined
        return {
          name: file.name,
          source: file.name,
          fingerprint: file.sha256,
          async *read(signal) {
            for await (const batch of parser.parse(
              { path: file.path, name: file.name, type, options },
              signal,
            )) {
              for (const part of batch.parts) part.metadata = { source: file.name, ...part.metadata }
              yield batch
            }
          },
        }
      },
    },
  }
}

async function headOf(file: UploadedFile): Promise<Uint8Array> {
  const handle = await open(file.path)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.min(SNIFFED_BYTES, file.size)))
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}
