import type { Readable } from 'node:stream'

/** Stores files of documents as they were sent, each under an id of its own that is used once. */
export type OriginalShelf = {
  /** Stores a copy of a file on the local disk. It is durable when this resolves. @throws SluiceError `storage_full`, `blob_failed` */
  put(id: string, path: string): Promise<void>
  /** Undefined where there is none. `size` in bytes. */
  open(id: string): Promise<{ content: Readable; size: number } | undefined>
  /** Nothing happens where there is none. */
  remove(id: string): Promise<void>
  /** The ids of all that were stored before a moment, in ms since 1970, in batches. */
  list(before: number): AsyncIterable<string[]>
}
