import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import type { UploadShelf } from '../../contract/upload-shelf.ts'

/** Uploads in a local directory: a folder per request, with files named by their number. */
export function directoryShelf(directory: string): UploadShelf {
  const folders = () => foldersIn(directory)
  return {
    isLocal: true,
    async check() {},
    async checkNow() {},
    // They were written here.
    async keep() {},
    async fetch(folder, files) {
      return files.map((file, place) => ({ ...file, path: uploadPath(directory, folder, place) }))
    },
    // There are no other ones.
    async dropCopies() {},
    remove: (folder) => rm(path.join(directory, folder), { recursive: true, force: true }),
    copies: folders,
    folders,
  }
}

/** The folders of uploads in a directory, which is made by the first upload. */
export const foldersIn = (directory: string): Promise<string[]> => readdir(directory).catch(() => [])

/** The path of a file. The client's name of the file is never part of it. */
export const uploadPath = (directory: string, folder: string, place: number): string =>
  path.join(directory, folder, String(place))
