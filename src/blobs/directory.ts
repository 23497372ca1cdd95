import { constants, createWriteStream } from 'node:fs'
import { copyFile, link, mkdir, open, opendir, rename, rm, rmdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { BlobEntry, BlobShelf, BlobSource } from '../contract/blob-shelf.ts'
import { checkBlobName, isBlobName } from './blob-name.ts'
import { SluiceError } from '../kit/errors.ts'
import { randomId } from '../kit/hash.ts'
import { isFull } from '../kit/storage-failure.ts'
import { checked } from './source.ts'

const BATCH = 500

/** Files that are being written: no name of a blob begins with a dot. */
const PARTIAL = /^\..+\.partial$/

/** A shelf in a local directory, which is made with the first file. A name is the path of its file. */
export function blobDirectory(directory: string): BlobShelf {
  const placeOf = (name: string) => {
    checkBlobName(name)
    return path.join(directory, ...name.split('/'))
  }

  return {
    async put(name, source, { ifAbsent = false } = {}) {
      const place = placeOf(name)
      const partial = path.join(path.dirname(place), `.${path.basename(place)}.${randomId()}.partial`)
      try {
        await mkdir(path.dirname(place), { recursive: true, mode: 0o700 })
        await write(name, source, partial)
        return await publish(partial, place, ifAbsent)
      } catch (error) {
        throw isFull(error) ? new SluiceError('storage_full', {}, { cause: error }) : error
      } finally {
        await rm(partial, { force: true })
      }
    },

    async get(name, { start = 0, end, sha256 } = {}) {
      const file = await open(placeOf(name)).catch(absent)
      if (!file) return undefined
      const { size } = await file.stat()
      const last = Math.min(end ?? size, size)
      if (start >= last) {
        await file.close()
        return { content: Readable.from([]), size }
      }
      const content = file.createReadStream({ start, end: last - 1 })
      const whole = start === 0 && last === size
      if (!whole || sha256 === undefined) return { content, size }
      return { content: Readable.from(checked(name, content, { size, sha256 }), { objectMode: false }), size }
    },

    async remove(names) {
      for (const name of names) {
        const place = placeOf(name)
        await rm(place, { force: true })
        // The folder of the last one goes too, but not that of all files.
        if (name.split('/').length > 2) await rmdir(path.dirname(place)).catch(() => {})
      }
    },

    async *list(folder) {
      let batch: BlobEntry[] = []
      for await (const entry of walk(directory, folder)) {
        // Files of others, and those that are being written.
        if (!isBlobName(entry)) continue
        const found = await stat(path.join(directory, entry)).catch(absent)
        // The time of a second name is that of its file; the change of its inode is when it was put.
        if (found) batch.push({ name: entry, size: found.size, changedAt: found.ctimeMs })
        if (batch.length < BATCH) continue
        yield batch
        batch = []
      }
      if (batch.length > 0) yield batch
    },

    async sweep(before) {
      for await (const entry of walk(directory, '')) {
        if (!PARTIAL.test(path.basename(entry))) continue
        const place = path.join(directory, entry)
        const found = await stat(place).catch(absent)
        if (found && found.ctimeMs < before) await rm(place, { force: true })
      }
    },

    async close() {},
  }
}

/** Writes a source to a new file; it is durable when this resolves. */
async function write(name: string, source: BlobSource, partial: string): Promise<void> {
  // A second name for the same bytes costs no room; between file systems, or where links are refused, they are copied.
  const isLinked = source.path !== undefined && (await link(source.path, partial).then(...success))
  if (!isLinked)
    await pipeline(
      checked(name, source.open(), source),
      createWriteStream(partial, { flags: 'wx', mode: 0o600 }),
    )
  await using file = await open(partial, 'r+')
  const { size } = await file.stat()
  if (size !== source.size)
    throw new SluiceError('blob_damaged', { name, reason: `it has ${size} of ${source.size} bytes` })
  await file.datasync()
}

/** Gives a file its name, at once. False if the name is taken and `ifAbsent` is set. */
async function publish(partial: string, place: string, ifAbsent: boolean): Promise<boolean> {
  if (!ifAbsent) {
    await rename(partial, place)
    return true
  }
  try {
    await link(partial, place).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') throw error
      // Some file systems have no hard links.
      return copyFile(partial, place, constants.COPYFILE_EXCL)
    })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** The files below a folder, as names. */
async function* walk(directory: string, folder: string): AsyncGenerator<string> {
  const entries = await opendir(path.join(directory, folder)).catch(absent)
  if (!entries) return
  for await (const entry of entries) {
    if (entry.isDirectory()) yield* walk(directory, `${folder}${entry.name}/`)
    else if (entry.isFile()) yield `${folder}${entry.name}`
  }
}

const success = [() => true, () => false] as const

/** Undefined for a file or folder that is not there. */
function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
  throw error
}
