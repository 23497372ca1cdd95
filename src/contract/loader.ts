import { SluiceError } from '../kit/errors.ts'
import type { Metadata } from './document.ts'
import type { ParsedBatch } from './file-parser.ts'
import type { TextSplitter } from './splitter.ts'

/** An upload that lies on disk until its upsert is done. */
export type UploadedFile = {
  /** As the client called it, relative folders included. */
  name: string
  path: string
  /** Bytes. */
  size: number
  sha256: string
}

/** One thing that a loader reads: an upload, a page, a table. It becomes a row of the upsert's outcome. */
export type LoaderItem = {
  name: string
  /** What the chunks belong to: cleanup, listing and deletion go by it, whatever the metadata say. */
  source: string
  /** Equal for equal content read in the same way; absent where only reading tells. */
  fingerprint?: string
  /**
   * Other items are found through this one (a page of a crawl, a folder): if it fails, items that the run did not see
   * may still exist.
   */
  discoversOthers?: true
  read(signal: AbortSignal): AsyncIterable<ParsedBatch>
}

/** Brings documents in. It takes uploads, or finds its items by itself, or both. */
export type Loader = {
  /** The name and settings that decide what comes out of given bytes. */
  readonly id: string
  uploads?: {
    /** Endings as people write them, for messages: `.pdf`. */
    readonly accepts: readonly string[]
    /** The upload as an item, or `undefined` where this loader does not read its type. */
    item(file: UploadedFile): Promise<LoaderItem | undefined>
  }
  /** What the loader has without an upload: a stored file, a page, a text typed into the flow. */
  items?(signal: AbortSignal): AsyncIterable<LoaderItem>
  readonly splitter?: TextSplitter
  /** The metadata of a chunk: `own` of the document, then the flow's, then `added`; omitted keys leave last. */
  shapeMetadata(own: Metadata, added: Metadata): Metadata
}

/** The refusal of a file that no loader reads. @param accepts the endings of those that are read */
export function typeNotAccepted(file: string, accepts: readonly string[]): SluiceError {
  const type = /\.[^./]+$/.exec(file)?.[0] ?? 'unknown'
  return new SluiceError('file_type_not_accepted', { file, type, accepted: [...new Set(accepts)].join(' ') })
}
