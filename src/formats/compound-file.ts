import { SluiceError } from '../kit/errors.ts'

/** A folder of a compound file. Names are found in any case and given in lower case. */
export type CompoundFolder = {
  name: string
  has(name: string): boolean
  folders(): CompoundFolder[]
  /** The first `most` bytes of a stream, all of it unless given; undefined if it does not exist. Throws like {@link openCompoundFile}. */
  stream(name: string, most?: number): Buffer | undefined
  /** The size that the directory claims for a stream. */
  sizeOf(name: string): number | undefined
}

type Entry = {
  name: string
  type: number
  left: number
  right: number
  child: number
  start: number
  size: number
}

const SIGNATURE = 0xe011cfd0
const HEADER_BYTES = 512
const ENTRY_BYTES = 128
const FOLDER = 1
const STREAM = 2
/** Larger numbers mark ends and free sectors. */
const LAST_SECTOR = 0xfffffff9

/**
 * Opens a compound file ([MS-CFB]), a file system in a file, in which Outlook and Office before 2007 keep their streams. Chains
 * of sectors are followed within the bounds of the file: one that leads out of it or in a circle makes the file unreadable.
 *
 * @returns the folder at the top
 * @throws SluiceError `file_unreadable`
 */
export function openCompoundFile(file: { bytes: Uint8Array; name: string }): CompoundFolder {
  const bytes = Buffer.from(file.bytes.buffer, file.bytes.byteOffset, file.bytes.length)
  const fail = (reason: string): never => {
    throw new SluiceError('file_unreadable', { file: file.name, reason })
  }
  const damaged = () => fail('its table of sectors is damaged')
  if (bytes.length < HEADER_BYTES || bytes.readUInt32LE(0) !== SIGNATURE)
    fail('it is no file of Outlook or of Office before 2007')
  const shift = bytes.readUInt16LE(30)
  const miniShift = bytes.readUInt16LE(32)
  if ((shift !== 9 && shift !== 12) || miniShift > shift) damaged()
  const sectorBytes = 2 ** shift
  const sectorCount = Math.ceil(bytes.length / sectorBytes)

  function sector(index: number): Buffer {
    const start = (index + 1) * sectorBytes
    return start < bytes.length ? bytes.subarray(start, start + sectorBytes) : damaged()
  }

  /** The sectors from `start` in order, `wanted` at most. */
  function chain(table: readonly number[], start: number, wanted = Infinity): number[] {
    const found = new Set<number>()
    for (let at = start; at <= LAST_SECTOR && found.size < wanted; at = table[at] ?? damaged()) {
      if (found.has(at)) damaged()
      found.add(at)
    }
    return [...found]
  }

  /** The table of sectors: where its first sectors are is in the header, the places of the others in a chain of their own. */
  function readTable(): number[] {
    const places = numbersIn(bytes.subarray(76, HEADER_BYTES))
    let more = bytes.readUInt32LE(68)
    for (let count = 0; more <= LAST_SECTOR; count++) {
      if (count >= sectorCount) damaged()
      const numbers = numbersIn(sector(more))
      more = numbers.pop() ?? damaged()
      places.push(...numbers)
    }
    const used = places.filter((index) => index <= LAST_SECTOR)
    return used.length > sectorCount ? damaged() : used.flatMap((index) => numbersIn(sector(index)))
  }

  const table = readTable()
  const sectorsOf = (start: number, wanted?: number): Buffer =>
    Buffer.concat(chain(table, start, wanted).map(sector))
  const entries = readEntries(sectorsOf(bytes.readUInt32LE(48)))
  const root = entries[0] ?? damaged()

  /** Short streams are in a stream of their own, in smaller sectors. */
  let small: { table: number[]; bytes: Buffer } | undefined
  function readShort(start: number, length: number): Buffer {
    small ??= { table: numbersIn(sectorsOf(bytes.readUInt32LE(60))), bytes: sectorsOf(root.start) }
    const { table, bytes: all } = small
    const size = 2 ** miniShift
    const places = chain(table, start, Math.ceil(length / size))
    return Buffer.concat(places.map((index) => all.subarray(index * size, (index + 1) * size)))
  }

  function readStream({ start, size }: Entry, most: number): Buffer {
    const length = Math.min(size, most)
    if (length === 0) return Buffer.alloc(0)
    const isShort = size < bytes.readUInt32LE(56)
    const read = isShort ? readShort(start, length) : sectorsOf(start, Math.ceil(length / sectorBytes))
    return read.length < length ? damaged() : read.subarray(0, length)
  }

  function folderOf(entry: Entry): CompoundFolder {
    const inside = new Map<string, Entry>()
    for (const child of childrenOf(entry, entries)) if (!inside.has(child.name)) inside.set(child.name, child)
    const streamAt = (name: string) => {
      const found = inside.get(name.toLowerCase())
      return found?.type === STREAM ? found : undefined
    }
    return {
      name: entry.name,
      has: (name) => inside.has(name.toLowerCase()),
      folders: () => [...inside.values()].filter(({ type }) => type === FOLDER).map(folderOf),
      stream(name, most = Infinity) {
        const found = streamAt(name)
        return found && readStream(found, most)
      },
      sizeOf: (name) => streamAt(name)?.size,
    }
  }

  return folderOf(root)
}

function readEntries(directory: Buffer): Entry[] {
  const entries: Entry[] = []
  for (let at = 0; at + ENTRY_BYTES <= directory.length; at += ENTRY_BYTES) {
    const nameBytes = Math.min(62, Math.max(0, directory.readUInt16LE(at + 64) - 2)) & ~1
    entries.push({
      name: directory.toString('utf16le', at, at + nameBytes).toLowerCase(),
      type: directory[at + 66]!,
      left: directory.readUInt32LE(at + 68),
      right: directory.readUInt32LE(at + 72),
      child: directory.readUInt32LE(at + 76),
      start: directory.readUInt32LE(at + 116),
      // The upper half is only used beyond 4 GB, and may be garbage in old files.
      size: directory.readUInt32LE(at + 120),
    })
  }
  return entries
}

/** The entries of a folder: a tree in which each has two neighbours. */
function childrenOf({ child }: Entry, entries: readonly Entry[]): Entry[] {
  const found: Entry[] = []
  const seen = new Set<number>()
  const waiting = [child]
  for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
    const entry = entries[number]
    if (!entry || seen.has(number)) continue
    seen.add(number)
    found.push(entry)
    waiting.push(entry.right, entry.left)
  }
  return found
}

const numbersIn = (bytes: Buffer): number[] =>
  Array.from({ length: bytes.length >>> 2 }, (_, index) => bytes.readUInt32LE(4 * index))
