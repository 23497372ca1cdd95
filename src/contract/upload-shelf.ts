import type { UploadedFile } from './loader.ts'

/** An upload of a job. Its file is found by its number in the folder of the job. */
export type ShelvedFile = Omit<UploadedFile, 'path'>

/** Stores uploads until no job needs them, in a folder per request. */
export type UploadShelf = {
  /** The files of a folder, with paths on the local disk. */
  fetch(folder: string, files: readonly ShelvedFile[]): Promise<UploadedFile[]>
  discard(folder: string): Promise<void>
  folders(): Promise<string[]>
}
