import { realpath } from 'node:fs/promises'
import path from 'node:path'
import type { ReadableFolders } from '../contract/card.ts'
import { SluiceError } from '../kit/errors.ts'

/** The paths of this machine that may be read. */
export type PathAllowlist = {
  /** Whether a path without links may be read. */
  admits(real: string): boolean
  /**
   * Resolves a path, links included; a relative one is searched in each of the allowed directories.
   *
   * @param name used in the error, which reveals no path of this machine
   * @throws SluiceError `path_not_allowed` for a path outside, a missing file, and any `..`
   */
  resolve(given: string, name: string): Promise<string>
}

/** Creates the allowlist of existing folders; a folder that does not exist is ignored. */
export async function openPathAllowlist({ allowed, never }: ReadableFolders): Promise<PathAllowlist> {
  const inside = await realFolders(allowed)
  const outside = await realFolders(never)
  const admits = (real: string) =>
    inside.some((folder) => isBelow(real, folder)) && !outside.some((folder) => isBelow(real, folder))

  return {
    admits,
    async resolve(given, name) {
      const hasParentStep = given.split(/[\\/]/).includes('..')
      for (const folder of hasParentStep || given.trim() === '' ? [] : inside) {
        const real = await realpath(path.resolve(folder, given)).catch(() => undefined)
        if (real !== undefined && admits(real)) return real
      }
      throw pathNotAllowed(name)
    },
  }
}

export const pathNotAllowed = (name: string) =>
  new SluiceError('path_not_allowed', {
    file: name,
    hint: 'To allow it, name the directory in FOLDER_ALLOW and start the server again',
  })

async function realFolders(folders: readonly string[]): Promise<string[]> {
  const found = await Promise.all(folders.map((folder) => realpath(folder).catch(() => undefined)))
  return found.filter((folder) => folder !== undefined)
}

const isBelow = (real: string, folder: string) => {
  const relative = path.relative(folder, real)
  return (
    relative === '' ||
    (relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative))
  )
}
