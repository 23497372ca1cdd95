import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import type { UploadShelf } from '../contract/upload-shelf.ts'

/** Uploads in a directory of this machine: a folder for each request, files in it named by their place. */
export function directoryShelf(directory: string): UploadShelf {
  return {
    async fetch(folder, files) {
      return files.map((file, place) => ({ ...file, path: placeOf(directory, folder, place) }))
    },
    discard: (folder) => rm(path.join(directory, folder), { recursive: true, force: true }),
    async folders() {
      try {
        return await readdir(directory)
      } catch {
        // Nothing was ever uploaded.
        return []
      }
    },
  }
}

/** Where the file of a folder lies: what a client calls it never becomes a path. */
export const placeOf = (directory: string, folder: string, place: number): string =>
  path.join(directory, folder, String(place))
