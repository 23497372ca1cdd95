import path from 'node:path'
import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import type { BlobShelf } from '../../contract/blob-shelf.ts'
import { DATA_FILES } from '../../contract/data-files.ts'
import type { PublishedRun } from '../../db/postgres/index-changes.ts'
import type { LeftCopy, SavedIndex, SavedIndexes } from '../../db/postgres/saved-indexes.ts'
import { SCHEMA_VERSION } from '../../db/sqlite/migrations.ts'
import { randomId } from '../../kit/hash.ts'
import { DamagedCopy, packFiles, type PackedFiles, unpackFiles } from './packed-files.ts'

/** Which copies this version reads: those of its schema, packed as `packed-files.ts` does. */
export const COPY_FORMAT = SCHEMA_VERSION * 10 + 1

/** The bytes of a part of a copy: so it is kept in the database, and so it is read from a bucket, which sends one stream slower than several. */
const PART_BYTES = 4 * 2 ** 20

/** So many parts are read ahead. */
const READ_AHEAD = 3

const BELOW = `${DATA_FILES.replica}/`

/** The files of a copy: its database, and the image of its vectors where there is one. */
const isOfCopy = (name: string): boolean =>
  name === DATA_FILES.database ||
  (/^[\w-]+\/[\w.-]+\.vectors$/.test(name) && path.dirname(name) === DATA_FILES.vectorImages)

/** A copy that was made: its files, by their names below a folder, and the run that it is of. */
export type MadeCopy = { folder: string; names: string[]; run: PublishedRun }

/** The files of finished copies of indexes: in the bucket of the database, or in the database where it has none. */
export type SavedFiles = Pick<SavedIndexes, 'newest' | 'hasChanged' | 'age'> & {
  /**
   * Saves a copy. Other members may use it when this resolves.
   *
   * @param make makes the files of the copy, when no other member is making one; undefined where it cannot be made now
   * @returns the bytes of the copy; undefined where none was made
   */
  save(
    indexId: number,
    make: () => Promise<MadeCopy | undefined>,
    signal: AbortSignal,
  ): Promise<number | undefined>
  /** Writes the files of a copy into a folder. @throws DamagedCopy; what the bucket or the database throws; the reason of the signal */
  fetch(saved: SavedIndex, folder: string, signal: AbortSignal): Promise<void>
  remove(saved: LeftCopy): Promise<void>
  /** Deletes the copies that nobody needs any more. */
  sweep(): Promise<void>
}

export function savedFiles(saved: SavedIndexes, bucket: BlobShelf | undefined): SavedFiles {
  async function remove({ id, blob }: LeftCopy): Promise<void> {
    if (blob !== null) await bucket?.remove([blob])
    await saved.remove(id)
  }

  /** Puts a copy under a name into the bucket, or in parts into the database. Returns its checksum. */
  async function write({ id, blob }: LeftCopy, packed: PackedFiles, signal: AbortSignal): Promise<number> {
    let [checksum, part] = [0, 0]
    for await (const bytes of partsOfStream(packed.read(signal))) {
      signal.throwIfAborted()
      checksum = crc32(bytes, checksum)
      if (blob === null) await saved.writePart(id, part++, bytes)
    }
    if (blob !== null)
      await bucket!.put(blob, { size: packed.size, open: () => Readable.from(packed.read(signal)) })
    return checksum
  }

  async function partOf({ id, blob, bytes }: SavedIndex, part: number): Promise<Uint8Array> {
    const start = part * PART_BYTES
    const end = Math.min(start + PART_BYTES, bytes)
    const found = blob === null ? await saved.readPart(id, part) : await bucket?.get(blob, { start, end })
    if (!found) throw new DamagedCopy(`bytes ${start} to ${end} of ${bytes} are not there`)
    return found instanceof Uint8Array ? found : bytesOf(found.content, end - start)
  }

  async function* contentOf(copy: SavedIndex): AsyncGenerator<Uint8Array> {
    const count = Math.ceil(copy.bytes / PART_BYTES)
    const ahead: Promise<Uint8Array>[] = []
    for (let part = 0; part < count; part++) {
      while (ahead.length < READ_AHEAD && part + ahead.length < count) {
        const next = partOf(copy, part + ahead.length)
        next.catch(() => {})
        ahead.push(next)
      }
      yield await ahead.shift()!
    }
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
          const packed = await packFiles(made.folder, made.names)
          const { size } = packed
          const checksum = await write({ id, blob }, packed, signal)
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

    async fetch(copy, folder, signal) {
      let [checksum, size] = [0, 0]
      async function* summed(): AsyncGenerator<Uint8Array> {
        for await (const bytes of contentOf(copy)) {
          signal.throwIfAborted()
          checksum = crc32(bytes, checksum)
          size += bytes.length
          yield bytes
        }
      }
      await unpackFiles(summed(), folder, isOfCopy)
      if (size !== copy.bytes) throw new DamagedCopy(`it has ${size} bytes in place of ${copy.bytes}`)
      if ((checksum | 0) !== copy.checksum) throw new DamagedCopy('its checksum is another one')
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

/** All bytes of a stream, which ends early where it has no more. */
async function bytesOf(content: AsyncIterable<Uint8Array>, most: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(most)
  let at = 0
  for await (const piece of content) {
    if (at + piece.length > most)
      throw new DamagedCopy(`its file has more than the ${most} bytes that were asked for`)
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes.subarray(0, at)
}

/** A stream in parts of the same size, but for the last. */
async function* partsOfStream(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let [part, filled] = [new Uint8Array(PART_BYTES), 0]
  for await (const piece of content)
    for (let at = 0; at < piece.length; ) {
      const taken = piece.subarray(at, at + part.length - filled)
      part.set(taken, filled)
      at += taken.length
      filled += taken.length
      if (filled < part.length) continue
      yield part
      ;[part, filled] = [new Uint8Array(PART_BYTES), 0]
    }
  if (filled > 0) yield part.subarray(0, filled)
}
