import { realpath } from 'node:fs/promises'
import path from 'node:path'
import type { ReadableFolders } from '../contract/card.ts'
import { SluiceError } from '../kit/errors.ts'

/** Which paths of this machine may be read. */
export type PathAllowlist = {
  /** Whether a path, without links, lies inside. */
  admits(real: string): boolean
  /**
   * The path that is meant, links followed; a relative one is looked for in each of the allowed directories.
   *
   * @param name whom to name in the error, which tells nothing of this machine
   * @throws SluiceError `path_not_allowed` for what lies outside, what is not there, and for `..`
   */
  resolve(given: string, name: string): Promise<string>
}

export async function openPathAllowlist({ allowed, never }: ReadableFolders): Promise<PathAllowlist> {
  const inside = await realFolders(allowed)
  const outside = await realFolders(never)
  const admits = (real: string) =>
    inside.some((folder) => isBelow(real, folder)) && !outside.some((folder) => isBelow(real, folder))

  return {
    admits,
    async resolve(given, name) {
      const leadsUp = given.split(/[\\/]/).includes('..')
      for (const folder of leadsUp || given.trim() === '' ? [] : inside) {
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
