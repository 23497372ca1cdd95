import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { BlobShelf } from '../../contract/blob-shelf.ts'
import { DATA_FILES } from '../../contract/data-files.ts'
import type { UploadedFile } from '../../contract/loader.ts'
import type { ShelvedFile, UploadShelf } from '../../contract/upload-shelf.ts'
import type { Clock } from '../../kit/clock.ts'
import { SluiceError } from '../../kit/errors.ts'
import { randomId } from '../../kit/hash.ts'
import { isFull } from '../../kit/storage-failure.ts'
import { foldersIn, uploadPath } from './upload-shelf.ts'

/** A folder is given to `folders` when its last file has this age, in milliseconds: its job is stored soon after it. */
const SETTLED_MS = 3_600_000

/** How many files of a folder are sent or fetched at the same time. */
const AT_ONCE = 4

const BELOW = `${DATA_FILES.uploads}/`

const nameOf = (folder: string, place: number) => `${BELOW}${folder}/${place}`

/**
 * Uploads on a shelf that several servers use. The copies in the local upload directory stay until the job has ended, so that this
 * server fetches none back; another one, or this one after a restart, does.
 *
 * @param spool the upload directory
 * @param check as of {@link UploadShelf}; `checkNow` the same
 */
export function blobUploadShelf(
  blobs: BlobShelf,
  spool: string,
  {
    clock = Date.now,
    check = async () => {},
    checkNow = check,
  }: { clock?: Clock; check?: () => Promise<void>; checkNow?: () => Promise<void> } = {},
): UploadShelf {
  async function isHere(folder: string, { size }: ShelvedFile, place: number): Promise<boolean> {
    const local = await stat(uploadPath(spool, folder, place)).catch(() => undefined)
    return local?.size === size
  }

  async function fetchOne(folder: string, file: ShelvedFile, place: number): Promise<UploadedFile> {
    const at = uploadPath(spool, folder, place)
    const fetched = { ...file, path: at }
    if (await isHere(folder, file, place)) return fetched
    const found = await blobs.get(nameOf(folder, place), { sha256: file.sha256 })
    if (!found) throw new SluiceError('blob_missing', { file: file.name })
    const partial = `${at}.${randomId()}.partial`
    try {
      await mkdir(path.dirname(at), { recursive: true, mode: 0o700 })
      await pipeline(found.content, createWriteStream(partial, { flags: 'wx', mode: 0o600 }))
      await rename(partial, at)
      return fetched
    } catch (error) {
      found.content.destroy()
      await rm(partial, { force: true })
      throw isFull(error) ? new SluiceError('storage_full', {}, { cause: error }) : error
    }
  }

  const dropCopies = (folder: string) => rm(path.join(spool, folder), { recursive: true, force: true })

  return {
    isLocal: false,

    check,
    checkNow,

    async keep(folder, files) {
      await inTurns(files, async ({ size, sha256 }, place) => {
        const from = uploadPath(spool, folder, place)
        await blobs.put(nameOf(folder, place), {
          path: from,
          size,
          sha256,
          open: () => createReadStream(from),
        })
      })
    },

    async fetch(folder, files) {
      const here = await inTurns(files, (file, place) => isHere(folder, file, place))
      // It says soon that the place is away; a read tries for longer.
      if (here.includes(false)) await checkNow()
      return inTurns(files, (file, place) => fetchOne(folder, file, place))
    },

    dropCopies,

    copies: () => foldersIn(spool),

    async remove(folder) {
      await dropCopies(folder)
      for await (const batch of blobs.list(`${BELOW}${folder}/`))
        await blobs.remove(batch.map(({ name }) => name))
    },

    async folders() {
      const newest = new Map<string, number>()
      for await (const batch of blobs.list(BELOW))
        for (const { name, changedAt } of batch) {
          const folder = name.slice(BELOW.length).split('/', 1)[0]!
          newest.set(folder, Math.max(newest.get(folder) ?? 0, changedAt))
        }
      const settled = clock() - SETTLED_MS
      return [...newest].filter(([, changedAt]) => changedAt < settled).map(([folder]) => folder)
    },
  }
}

/** Does some work for each row, several at a time. After a failure no more are begun. */
async function inTurns<T, R>(rows: readonly T[], work: (row: T, place: number) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  let next = 0
  const run = async () => {
    try {
      while (next < rows.length) {
        const place = next++
        results[place] = await work(rows[place]!, place)
      }
    } catch (error) {
      next = rows.length
      throw error
    }
  }
  const runs = await Promise.allSettled(Array.from({ length: AT_ONCE }, () => run()))
  const failed = runs.find((one) => one.status === 'rejected')
  if (failed) throw failed.reason
  return results
}
