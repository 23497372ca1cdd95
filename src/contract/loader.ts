import type { Metadata } from './document.ts'
import type { FileType, ParsedBatch } from './file-parser.ts'
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

/** One item that a loader reads: an upload, a page, a table. It becomes a row of the upsert's outcome. */
export type LoaderItem = {
  name: string
  /** The source of the chunks, for cleanup, listing and deletion, whatever their metadata are. */
  source: string
  /** Equal for equal content read in the same way; absent if the content is known only by reading it. */
  fingerprint?: string
  /** The size of its file in bytes; absent for an item that is no file. */
  bytes?: number
  /** The file itself while the upsert runs; absent for an item that is no file. `variant`: see `FileParser`. */
  file?: { path: string; type: FileType; variant?: string | undefined }
  /**
   * Other items are found through this one (a page of a crawl, a folder): if it fails, items that the run did not see
   * may still exist.
   */
  discoversOthers?: true
  /** @param password opens a file that is protected by one */
  read(signal: AbortSignal, password?: string): AsyncIterable<ParsedBatch>
}

/** Loads documents. It takes uploads, or finds its items by itself, or both. */
export type Loader = {
  /** Name and settings that decide which documents given bytes become. */
  readonly id: string
  uploads?: {
    /** File name endings, for messages: `.pdf`. */
    readonly accepts: readonly string[]
    /** The upload as an item; undefined if this loader does not read its type. */
    item(file: UploadedFile): Promise<LoaderItem | undefined>
  }
  /** The items without an upload: a stored file, a page, a text in the flow. */
  items?(signal: AbortSignal): AsyncIterable<LoaderItem>
  readonly splitter?: TextSplitter
  /** The metadata of a chunk: `own` of the document, then the flow's, then `added`; omitted keys leave last. */
  shapeMetadata(own: Metadata, added: Metadata): Metadata
}
