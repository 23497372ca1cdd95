import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'

/** The bytes of all files below a folder. */
export const folderBytes = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(path.join(entry.parentPath, entry.name)).size, 0)
