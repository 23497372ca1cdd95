import { createReadStream } from 'node:fs'
import path from 'node:path'
import type { BlobShelf } from '../contract/blob-shelf.ts'
import { DATA_FILES } from '../contract/data-files.ts'
import { untilSuccess } from '../kit/until-success.ts'
import { moveFiles } from './move.ts'

const { uploads, originals, dryRuns } = DATA_FILES

export type LeftFiles = {
  /** The data directory, and its path. */
  from: BlobShelf
  home: string
  to: BlobShelf
}

/** Moves the files of a time before BLOB_URL was set, at a start with the bucket there. @returns as `moveFiles` */
export const moveAllFiles = ({ from, home, to }: LeftFiles) =>
  moveFiles({ from, home }, to, [uploads, originals, dryRuns])

/**
 * Moves the same files once a bucket answers that was away at the start. Meanwhile the folder of uploads has new ones too, and
 * jobs read theirs there: of these only the uploads of earlier jobs are copied, and stay until their jobs have ended.
 *
 * @param check fails while the bucket is away
 * @param jobFolders the folders of the jobs that the start has found
 */
export function moveWhenBack(
  { from, home, to }: LeftFiles,
  check: () => Promise<void>,
  jobFolders: readonly string[],
  onMoved: (moved: { files: number; bytes: number }) => void,
): { end(): void } {
  const attempts = untilSuccess(async () => {
    await check()
    for (const folder of jobFolders)
      for await (const batch of from.list(`${uploads}/${folder}/`))
        for (const { name, size } of batch) {
          const file = path.join(home, name)
          // Others are still being received or fetched.
          if (/\/\d+$/.test(name))
            await to.put(name, { size, path: file, open: () => createReadStream(file) }, { ifAbsent: true })
        }
    onMoved(await moveFiles({ from, home }, to, [originals, dryRuns]))
  })
  attempts.start()
  return attempts
}
