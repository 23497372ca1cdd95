import { inflateRawSync } from 'node:zlib'
import { reasonOf, SluiceError } from '../kit/errors.ts'
import type { FileLimits } from './limits.ts'
import { entryDataStart, readZipDirectory, type ZipEntry } from './zip-directory.ts'

/** A ZIP archive held in memory. Names are found as Office finds them: without regard to case or slashes. */
export type Zip = {
  has(name: string): boolean
  /** The inflated bytes of a file, undefined where there is none. Throws like {@link openZip}. */
  read(name: string): Uint8Array | undefined
}

/**
 * Opens an archive by its central directory (APPNOTE.TXT 6.3.10). Nothing is inflated before it is asked for, and
 * every byte counts against the limits while it is inflated: what the directory says about sizes is only a hint.
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
    const { count, declared, entries } = understand(() => readZipDirectory(archive, limits.zipEntries))
    if (count > limits.zipEntries) throw overLimit(`it holds ${count} files`)
    if (declared > limits.zipBytes) throw overLimit(`it would be ${declared} bytes unpacked`)
    return entries
  }

  function inflate(entry: ZipEntry): Uint8Array {
    if (entry.encrypted) throw new SluiceError('file_encrypted', { file: file.name })
    const start = understand(() => entryDataStart(archive, entry))
    const packed = archive.subarray(start, start + entry.packedSize)
    const allowed = Math.min(
      limits.zipEntryBytes,
      bytesLeft,
      Math.max(RATIO_COUNTS_FROM, packed.length * limits.zipRatio),
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

  /** A directory that points outside the archive makes Buffer throw; that is the file's fault, not ours. */
  function understand<T>(read: () => T): T {
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

/** Small files of one repeated sentence honestly reach any ratio. */
const RATIO_COUNTS_FROM = 2 ** 20

const keyOf = (name: string): string => name.replaceAll('\\', '/').replace(/^\//, '').toLowerCase()
