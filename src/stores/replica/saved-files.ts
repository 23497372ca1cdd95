import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import type { BlobShelf } from '../../contract/blob-shelf.ts'
import { DATA_FILES } from '../../contract/data-files.ts'
import type { PublishedRun } from '../../db/postgres/index-changes.ts'
import type { LeftCopy, SavedIndex, SavedIndexes } from '../../db/postgres/saved-indexes.ts'
import { randomId } from '../../kit/hash.ts'

/** The bytes of a part of a copy in the database. */
const PART_BYTES = 4 * 2 ** 20

/** So many parts are read ahead. */
const READ_AHEAD = 3

const BELOW = `${DATA_FILES.replica}/`

/** The bytes of a copy are not those that were saved. */
export class DamagedCopy extends Error {}

/** The files of finished copies of indexes: in the bucket of the database, or in the database where it has none. */
export type SavedFiles = Pick<SavedIndexes, 'newest' | 'hasChanged' | 'age'> & {
  /**
   * Saves a copy. Other members may use it when this resolves.
   *
   * @param make makes the file, when no other member is making one; undefined where it cannot be made now
   * @returns the bytes of the copy; undefined where none was made
   */
  save(
    indexId: number,
    make: () => Promise<{ file: string; run: PublishedRun } | undefined>,
    signal: AbortSignal,
  ): Promise<number | undefined>
  /** Writes a copy into a new file. @throws DamagedCopy; what the bucket or the database throws; the reason of the signal */
  fetch(saved: SavedIndex, file: string, signal: AbortSignal): Promise<void>
  remove(saved: LeftCopy): Promise<void>
  /** Deletes the copies that nobody needs any more. */
  sweep(): Promise<void>
}

export function savedFiles(saved: SavedIndexes, bucket: BlobShelf | undefined): SavedFiles {
  async function remove({ id, blob }: LeftCopy): Promise<void> {
    if (blob !== null) await bucket?.remove([blob])
    await saved.remove(id)
  }

  /** Puts a file under a name into the bucket, or in parts into the database. */
  async function write(
    { id, blob }: LeftCopy,
    file: string,
    { size, signal }: { size: number; signal: AbortSignal },
  ): Promise<number> {
    let [checksum, part] = [0, 0]
    for await (const bytes of partsOfFile(file, size)) {
      signal.throwIfAborted()
      checksum = crc32(bytes, checksum)
      if (blob === null) await saved.writePart(id, part++, bytes)
    }
    if (blob !== null)
      await bucket!.put(blob, { size, path: file, open: () => createReadStream(file, { signal }) })
    return checksum
  }

  async function* partsOf({ id, bytes }: SavedIndex): AsyncGenerator<Uint8Array> {
    const count = Math.ceil(bytes / PART_BYTES)
    const ahead: Promise<Uint8Array | undefined>[] = []
    for (let part = 0; part < count; part++) {
      while (ahead.length < READ_AHEAD && part + ahead.length < count) {
        const next = saved.readPart(id, part + ahead.length)
        next.catch(() => {})
        ahead.push(next)
      }
      const content = await ahead.shift()
      if (!content) throw new DamagedCopy(`part ${part} of ${count} is not there`)
      yield content
    }
  }

  async function* contentOf(copy: SavedIndex): AsyncGenerator<Uint8Array> {
    if (copy.blob === null) return yield* partsOf(copy)
    const found = await bucket?.get(copy.blob)
    if (!found) throw new DamagedCopy('its file is not in the bucket')
    yield* found.content as AsyncIterable<Uint8Array>
  }

  return {
    newest: saved.newest,
    hasChanged: saved.hasChanged,
    age: saved.age,
    remove,

    async save(indexId, make, signal) {
      const blob = bucket ? `${BELOW}${indexId}-${randomId()}` : null
      const id = await saved.begin(indexId, blob)
      if (id === undefined) return undefined
      try {
        const made = await make()
        if (made) {
          const { size } = await stat(made.file)
          const checksum = await write({ id, blob }, made.file, { size, signal })
          // An integer of PostgreSQL has a sign.
          if (await saved.complete(id, { run: made.run, bytes: size, checksum: checksum | 0 })) return size
        }
      } catch (error) {
        await remove({ id, blob }).catch(() => {})
        throw error
      }
      await remove({ id, blob })
      return undefined
    },

    async fetch(copy, file, signal) {
      const handle = await open(file, 'wx', 0o600)
      try {
        let [checksum, size] = [0, 0]
        for await (const bytes of contentOf(copy)) {
          signal.throwIfAborted()
          checksum = crc32(bytes, checksum)
          size += bytes.length
          await handle.writeFile(bytes)
        }
        if (size !== copy.bytes) throw new DamagedCopy(`it has ${size} bytes in place of ${copy.bytes}`)
        if ((checksum | 0) !== copy.checksum) throw new DamagedCopy('its checksum is another one')
      } finally {
        await handle.close()
      }
    },

    async sweep() {
      for (const left of await saved.left()) await remove(left)
      if (!bucket) return
      // Listed first: a copy that is begun meanwhile has its name in the database before its file is there.
      const found: string[] = []
      for await (const batch of bucket.list(BELOW)) found.push(...batch.map(({ name }) => name))
      const known = await saved.blobs()
      await bucket.remove(found.filter((name) => !known.has(name)))
    },
  }
}

/** A file in parts of the same size, but for the last. */
async function* partsOfFile(file: string, size: number): AsyncGenerator<Uint8Array> {
  const handle = await open(file)
  try {
    for (let at = 0; at < size; ) {
      const part = new Uint8Array(Math.min(PART_BYTES, size - at))
      for (let filled = 0; filled < part.length; ) {
        const { bytesRead } = await handle.read(part, filled, part.length - filled, at + filled)
        if (bytesRead === 0) throw new Error('the file is shorter than it was')
        filled += bytesRead
      }
      yield part
      at += part.length
    }
  } finally {
    await handle.close()
  }
}
