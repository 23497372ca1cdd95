import type { Readable } from 'node:stream'

/** Bytes to keep, with their size and hash: a shelf keeps these bytes or none. */
export type BlobSource = {
  /** Bytes. */
  size: number
  /** Of all bytes, in hexadecimal; a shelf that needs it computes it where it is absent. */
  sha256?: string
  /** Opens the bytes from the beginning. */
  open(): Readable
  /** A file on the local disk that has these bytes and is never changed. A directory gives it a second name, without comparing the hash. */
  path?: string
}

export type FoundBlob = {
  /** Not an error where the reader takes less. It fails with `blob_damaged` at its end if the bytes are not those that were kept. */
  content: Readable
  /** Bytes of all of it, also where only a range is read. */
  size: number
}

export type BlobEntry = {
  name: string
  /** Bytes. */
  size: number
  /** When it was put, in ms since 1970, by the clock of the shelf. */
  changedAt: number
}

/**
 * Keeps files under names: in a directory, or on a server that speaks S3. A name has parts of letters, digits, `_`, `-` and `.`,
 * none of which begins with a dot, with slashes between them: the names of files of clients are never part of it.
 *
 * Methods fail with `blob_failed` where the server is away or refuses, after retries, and with `storage_full`.
 */
export type BlobShelf = {
  /**
   * Keeps a file, in place of an earlier one. It is visible as a whole, and durable, when this resolves; after a failure the name
   * is as it was before.
   *
   * @returns false where `ifAbsent` is set and the name is taken: then nothing changes
   * @throws SluiceError `blob_damaged` if size or hash of the source are not those that it has
   */
  put(name: string, source: BlobSource, options?: { ifAbsent?: boolean }): Promise<boolean>
  /**
   * Undefined where there is none.
   *
   * @param wanted `start` and `end`: the range of bytes, without the byte at `end`. `sha256`: the hash that all of it must have, for
   *   a shelf that does not know it; a range is not checked.
   */
  get(
    name: string,
    wanted?: { start?: number; end?: number; sha256?: string },
  ): Promise<FoundBlob | undefined>
  /** Names that are not there are no failure. */
  remove(names: readonly string[]): Promise<void>
  /** All files below a folder, in batches. @param folder ends with a slash; empty for all */
  list(folder: string): AsyncIterable<BlobEntry[]>
  /** Removes what puts left that were interrupted before a moment, in ms since 1970. It was never visible. */
  sweep(before: number): Promise<void>
  close(): Promise<void>
}
