import type { UploadedFile } from './loader.ts'

/** An upload as a job remembers it: by its place in the folder, wherever that is. */
export type ShelvedFile = Omit<UploadedFile, 'path'>

/** Where uploads lie until no job needs them. A folder holds the files of one request. */
export type UploadShelf = {
  /** The files of a folder, on this machine's disk. */
  fetch(folder: string, files: readonly ShelvedFile[]): Promise<UploadedFile[]>
  discard(folder: string): Promise<void>
  folders(): Promise<string[]>
}
