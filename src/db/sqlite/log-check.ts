import { closeSync, existsSync, openSync, readSync } from 'node:fs'
import { endianness } from 'node:os'
import path from 'node:path'
import { DATA_FILES } from '../../contract/data-files.ts'
import { SluiceError } from '../../kit/errors.ts'
import { hasServer } from '../directory.ts'
import { bootId, readMarker } from '../marker.ts'

/**
 * SQLite ignores everything that follows a damaged place of its write-ahead log, and a log that is missing. After a
 * server was killed, committed changes would then be missing without an error. Here the log is compared with its index
 * file (`-shm`), which names the last frame that was committed: https://sqlite.org/walformat.html.
 */

/** Sizes of the file format, in bytes. */
const LOG_HEADER = 32
const FRAME_HEADER = 24
const INDEX_HEADER = 48

/**
 * Refuses a database with a lost log, where no server has it open. It must run before the database is opened: SQLite
 * then writes a new index file.
 *
 * @throws SluiceError `database_log_lost`, `data_dir_unusable`
 */
export async function refuseLostLog(directory: string): Promise<void> {
  // Looking for a server takes its lock for a moment, so only if a server may have ended without closing the database.
  if (readMarker(directory)?.open && !(await hasServer(directory))) refuseLostLogOfOwner(directory)
}

/** The same for the process that has locked the directory. @throws SluiceError `database_log_lost` */
export function refuseLostLogOfOwner(directory: string): void {
  const file = path.join(directory, DATA_FILES.database)
  if (!lacksCommits(directory, file)) return
  throw new SluiceError('database_log_lost', {
    path: `${file}-wal`,
    hint: `bring a backup back with sluice restore into an empty directory; to go on without these changes, delete ${DATA_FILES.marker}`,
  })
}

function lacksCommits(directory: string, file: string): boolean {
  const marker = readMarker(directory)
  if (!marker?.open || !existsSync(file)) return false
  const log = `${file}-wal`
  const index = `${file}-shm`
  if (!existsSync(index)) return !existsSync(log)
  // A power cut may keep the index file and lose the end of the log, which is only synced for what was acknowledged.
  if (marker.boot === '' || marker.boot !== bootId() || endianness() !== 'LE') return false
  const committed = readIndex(index)
  return committed !== undefined && framesOf(log, committed) < committed.frames
}

type Committed = { frames: number; salt: Buffer }

/** The last committed frame that the database file may not hold yet. */
function readIndex(index: string): Committed | undefined {
  const bytes = Buffer.alloc(2 * INDEX_HEADER + 4)
  if (readAt(index, (read) => read(bytes, 0)) !== bytes.length) return undefined
  const header = bytes.subarray(0, INDEX_HEADER)
  const written = bytes[12] === 1 && header.equals(bytes.subarray(INDEX_HEADER, 2 * INDEX_HEADER))
  const frames = header.readUInt32LE(16)
  const carriedOver = bytes.readUInt32LE(2 * INDEX_HEADER)
  return written && frames > carriedOver ? { frames, salt: header.subarray(32, 40) } : undefined
}

/** How many frames of a log, up to those that were committed, have the right checksums. */
function framesOf(log: string, committed: Committed): number {
  if (!existsSync(log)) return 0
  return readAt(log, (read) => {
    const header = Buffer.alloc(LOG_HEADER)
    if (read(header, 0) < LOG_HEADER || !header.subarray(16, 24).equals(committed.salt)) return 0
    const littleEndian = (header.readUInt32BE(0) & 1) === 0
    const sum: Sum = [0, 0]
    addTo(sum, header.subarray(0, 24), littleEndian)
    if (!isSum(sum, header, 24)) return 0
    const frame = Buffer.alloc(FRAME_HEADER + header.readUInt32BE(8))
    for (let frames = 0; frames < committed.frames; frames++) {
      if (read(frame, LOG_HEADER + frames * frame.length) < frame.length) return frames
      addTo(sum, frame.subarray(0, 8), littleEndian)
      addTo(sum, frame.subarray(FRAME_HEADER), littleEndian)
      if (!frame.subarray(8, 16).equals(committed.salt) || !isSum(sum, frame, 16)) return frames
    }
    return committed.frames
  })
}

type Sum = [number, number]

/** Adds bytes, a multiple of eight, to a checksum of the log. */
function addTo(sum: Sum, bytes: Buffer, littleEndian: boolean): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let [first, second] = sum
  for (let at = 0; at < bytes.length; at += 8) {
    first = (first + view.getUint32(at, littleEndian) + second) >>> 0
    second = (second + view.getUint32(at + 4, littleEndian) + first) >>> 0
  }
  sum[0] = first
  sum[1] = second
}

const isSum = ([first, second]: Sum, bytes: Buffer, at: number): boolean =>
  bytes.readUInt32BE(at) === first && bytes.readUInt32BE(at + 4) === second

/** Opens a file for reading at places of it. */
function readAt<T>(file: string, work: (read: (into: Buffer, at: number) => number) => T): T {
  const descriptor = openSync(file, 'r')
  try {
    return work((into, at) => readSync(descriptor, into, 0, into.length, at))
  } finally {
    closeSync(descriptor)
  }
}
