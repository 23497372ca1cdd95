import type { UploadedFile } from './loader.ts'

/** An upload of a job. Its file is found by its number in the folder of the job. */
export type ShelvedFile = Omit<UploadedFile, 'path'>

/** Stores uploads until no job needs them, in a folder per request. */
export type UploadShelf = {
  /** Whether the files are on the disk of this server only: then they are removed where that is full. */
  readonly isLocal: boolean
  /** Fails soon where `keep` would fail after all its retries. @throws SluiceError `blob_failed` */
  check(): Promise<void>
  /** The same for `fetch`, by an answer of this moment. @throws SluiceError `blob_failed`, `blob_place_wrong` */
  checkNow(): Promise<void>
  /**
   * Stores a folder of the upload directory, whose files are named 0, 1, … They are durable when this resolves; after a
   * failure, call `remove`.
   *
   * @throws SluiceError `blob_failed`, `storage_full`
   */
  keep(folder: string, files: readonly ShelvedFile[]): Promise<void>
  /**
   * The files of a folder, with paths on the local disk.
   *
   * @throws SluiceError `blob_missing`, `blob_damaged`, `blob_failed`, `storage_full`
   */
  fetch(folder: string, files: readonly ShelvedFile[]): Promise<UploadedFile[]>
  remove(folder: string): Promise<void>
  /** Removes the copies that this server has of a folder, where the files are elsewhere: its job has ended on another server. */
  dropCopies(folder: string): Promise<void>
  /** The folders of which this server has files, also where those are copies. */
  copies(): Promise<string[]>
  /** The folders that may be removed if no job needs them: all but those that another server may just be storing. */
  folders(): Promise<string[]>
}
