import { constants } from 'node:fs'
import { copyFile, mkdir } from 'node:fs/promises'
import path from 'node:path'
import { DATA_FILES } from '../../contract/data-files.ts'
import { exportIndex, type IndexExport } from '../../db/sqlite/export-index.ts'
import { imageFileName } from '../built-in/image-files.ts'
import { followedRun } from './replica.ts'
import type { MadeCopy } from './saved-files.ts'

/**
 * Makes a copy of an index of a replica in a new folder, as of one moment: its rows, and the file of its image where it has one, so that
 * another member reads what it scans in place of all vectors.
 *
 * @returns undefined where the index is being changed, or is not there
 */
export async function exportCopy(task: IndexExport, signal: AbortSignal): Promise<MadeCopy | undefined> {
  const { source, folder } = task
  const made = await exportIndex(task, signal)
  if (!made) return undefined
  const names: string[] = [DATA_FILES.database]
  const image = made.image && imageFileName(made.index, made.image)
  if (image && (await copyBelow(image, path.dirname(source), folder))) names.push(image)
  return { folder, names, run: followedRun(made.job) }
}

/** Copies a file to its place below another folder. Returns whether it was there: an image file may be replaced at any time. */
async function copyBelow(name: string, from: string, to: string): Promise<boolean> {
  await mkdir(path.dirname(path.join(to, name)), { recursive: true, mode: 0o700 })
  try {
    await copyFile(path.join(from, name), path.join(to, name), constants.COPYFILE_FICLONE)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}
