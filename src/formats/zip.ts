import { inflateRawSync } from 'node:zlib'
import { reasonOf, SluiceError } from '../kit/errors.ts'
import { passwordUseless } from './file-locked.ts'
import type { FileLimits } from './limits.ts'
import { entryDataStart, readZipDirectory, type ZipEntry } from './zip-directory.ts'

/**
 * A ZIP archive in memory. Names are compared as in Office: case, a leading slash and the kind of slash do not
 * matter.
 */
export type Zip = {
  has(name: string): boolean
  /** The inflated bytes of a file, undefined if it does not exist. Throws like {@link openZip}. */
  read(name: string): Uint8Array | undefined
}

/**
 * Opens an archive by its central directory (APPNOTE.TXT 6.3.10). A file is inflated when it is read, and every
 * inflated byte counts against the limits: the declared sizes are only a hint.
 *
 * @throws SluiceError `file_unreadable`, `file_encrypted`, `file_over_limit`
 */
export function openZip(file: { bytes: Uint8Array; name: string }, limits: FileLimits): Zip {
  const archive = Buffer.from(file.bytes.buffer, file.bytes.byteOffset, file.bytes.length)
  const overLimit = (reason: string) => new SluiceError('file_over_limit', { file: file.name, reason })
  const unreadable = (reason: string, cause?: unknown) =>
    new SluiceError('file_unreadable', { file: file.name, reason }, { cause })

  const entries = new Map<string, ZipEntry>()
  for (const entry of directory()) {
    const key = keyOf(entry.name)
    if (!entries.has(key)) entries.set(key, entry)
  }
  let bytesLeft = limits.zipBytes

  function directory(): ZipEntry[] {
    const { count, declared, entries } = parse(() => readZipDirectory(archive, limits.zipEntries))
    if (count > limits.zipEntries) throw overLimit(`it holds ${count} files`)
    if (declared > limits.zipBytes) throw overLimit(`it would be ${declared} bytes unpacked`)
    return entries
  }

  function inflate(entry: ZipEntry): Uint8Array {
    if (entry.encrypted) throw passwordUseless(file.name)
    const start = parse(() => entryDataStart(archive, entry))
    const packed = archive.subarray(start, start + entry.packedSize)
    const allowed = Math.min(
      limits.zipEntryBytes,
      bytesLeft,
      Math.max(RATIO_CHECKED_FROM, packed.length * limits.zipRatio),
    )
    if (entry.size > allowed) throw overLimit(`${entry.name} inside it is too large`)
    if (entry.method === STORED) return packed
    if (entry.method !== DEFLATED) throw unreadable(`${entry.name} inside it is packed by an unknown method`)
    try {
      return inflateRawSync(packed, { maxOutputLength: Math.max(1, allowed) })
    } catch (error) {
      if (error instanceof RangeError) throw overLimit(`${entry.name} inside it is too large`)
      throw unreadable(`${entry.name} inside it is damaged`, error)
    }
  }

  /**
   * An offset outside the archive makes Buffer throw a RangeError: the file is damaged, it is not an internal error.
   */
  function parse<T>(read: () => T): T {
    try {
      return read()
    } catch (error) {
      throw unreadable(error instanceof RangeError ? 'its ZIP directory is damaged' : reasonOf(error), error)
    }
  }

  return {
    has: (name) => entries.has(keyOf(name)),
    read(name) {
      const entry = entries.get(keyOf(name))
      if (!entry) return undefined
      const bytes = inflate(entry)
      bytesLeft -= bytes.length
      return bytes
    },
  }
}

const STORED = 0
const DEFLATED = 8

/** The ratio is checked above this size: a small file of one repeated sentence may have any ratio. */
const RATIO_CHECKED_FROM = 2 ** 20

const keyOf = (name: string): string => name.replaceAll('\\', '/').replace(/^\//, '').toLowerCase()
