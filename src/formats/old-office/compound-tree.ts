import { SluiceError } from '../../kit/errors.ts'

/** A folder of a compound file. */
export type Storage = {
  name: string
  storages(): Storage[]
  /** The first `most` bytes of a stream; undefined if it does not exist. */
  stream(name: string, most: number): Buffer | undefined
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

const HEADER_BYTES = 512
const ENTRY_BYTES = 128
const MINI_BYTES = 64
const STORAGE = 1
const STREAM = 2
const ROOT = 5
/** Larger values end a chain of sectors, or mark sectors of the tables. */
const LAST_SECTOR = 0xfffffffa

/**
 * Opens a compound file ([MS-CFB]), in which Outlook and old Office keep their streams. Chains of sectors are followed
 * once around at most, so a damaged table neither ends in a loop nor reads more than there is.
 *
 * @throws SluiceError `file_unreadable`
 */
export function openCompoundTree(file: { bytes: Uint8Array; name: string }): Storage {
  const bytes = Buffer.from(file.bytes.buffer, file.bytes.byteOffset, file.bytes.length)
  const damaged = () =>
    new SluiceError('file_unreadable', { file: file.name, reason: 'its container is damaged' })
  if (bytes.length < HEADER_BYTES) throw damaged()
  const shift = bytes.readUInt16LE(30)
  if ((shift !== 9 && shift !== 12) || bytes.readUInt16LE(32) !== 6) throw damaged()
  const sectorBytes = 2 ** shift
  const sectors = Math.ceil(bytes.length / sectorBytes)
  const sector = (number: number): Buffer => {
    const at = (number + 1) * sectorBytes
    return bytes.subarray(at, at + sectorBytes)
  }

  const table = joined(tableSectors().map(sector))
  const mini = joined(chain(table, bytes.readUInt32LE(60), sectors).map(sector))
  const entries = readEntries(joined(chain(table, bytes.readUInt32LE(48), sectors).map(sector)))
  const root = entries.find(({ type }) => type === ROOT)
  if (!root) throw damaged()
  const miniSectors = chain(table, root.start, sectors)
  const cutoff = bytes.readUInt32LE(56)

  /** The numbers of the sectors that hold the table: the first are in the header, the others in a chain of their own. */
  function tableSectors(): number[] {
    const numbers = numbersIn(bytes.subarray(76, HEADER_BYTES))
    let next = bytes.readUInt32LE(68)
    for (let steps = 0; next < sectors && steps < sectors; steps++) {
      const more = numbersIn(sector(next))
      next = more.pop() ?? LAST_SECTOR
      numbers.push(...more)
    }
    return numbers.filter((number) => number < sectors).slice(0, sectors)
  }

  function readStream({ start, size }: Entry, most: number): Buffer {
    const wanted = Math.min(size, most)
    if (size >= cutoff)
      return joined(chain(table, start, Math.ceil(wanted / sectorBytes)).map(sector)).subarray(0, wanted)
    const pieces = chain(mini, start, Math.ceil(wanted / MINI_BYTES)).map((number) => {
      const at = number * MINI_BYTES
      const within = miniSectors[Math.floor(at / sectorBytes)]
      return within === undefined
        ? Buffer.alloc(0)
        : sector(within).subarray(at % sectorBytes, (at % sectorBytes) + MINI_BYTES)
    })
    return joined(pieces).subarray(0, wanted)
  }

  function storageOf(entry: Entry): Storage {
    const inside = new Map<string, Entry>()
    for (const child of childrenOf(entry, entries)) if (!inside.has(child.name)) inside.set(child.name, child)
    const streamAt = (name: string) => {
      const found = inside.get(name)
      return found?.type === STREAM ? found : undefined
    }
    return {
      name: entry.name,
      storages: () => [...inside.values()].filter(({ type }) => type === STORAGE).map(storageOf),
      stream(name, most) {
        const found = streamAt(name)
        return found && readStream(found, most)
      },
      sizeOf: (name) => streamAt(name)?.size,
    }
  }

  return storageOf(root)
}

/** The sectors from `start`, at most `most` of them and none twice. */
function chain(table: Buffer, start: number, most: number): number[] {
  const numbers: number[] = []
  const seen = new Set<number>()
  for (let next = start; next < LAST_SECTOR && numbers.length < most && !seen.has(next); ) {
    seen.add(next)
    numbers.push(next)
    next = 4 * next + 4 <= table.length ? table.readUInt32LE(4 * next) : LAST_SECTOR
  }
  return numbers
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
      // the upper half is only used beyond 4 GB, and may be garbage in old files
      size: directory.readUInt32LE(at + 120),
    })
  }
  return entries
}

/** The entries of a folder: a tree in which each node has two neighbours. */
function childrenOf({ child }: Entry, entries: readonly Entry[]): Entry[] {
  const found: Entry[] = []
  const seen = new Set<number>()
  const waiting = [child]
  while (waiting.length > 0) {
    const number = waiting.pop()!
    const entry = entries[number]
    if (!entry || seen.has(number)) continue
    seen.add(number)
    found.push(entry)
    waiting.push(entry.right, entry.left)
  }
  return found
}

const joined = (pieces: readonly Buffer[]): Buffer => Buffer.concat(pieces)

const numbersIn = (bytes: Buffer): number[] =>
  Array.from({ length: bytes.length >>> 2 }, (_, index) => bytes.readUInt32LE(4 * index))
