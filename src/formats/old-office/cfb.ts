import { SluiceError } from '../../kit/errors.ts'

/** A compound file (MS-CFB): a file system in a file, of the Office formats before 2007. */
export type CompoundFile = {
  /** The names of the streams and storages at the top. */
  names: ReadonlySet<string>
  /** The bytes of a stream at the top, undefined if there is none. Throws like {@link openCompoundFile}. */
  read(name: string): Buffer | undefined
}

/**
 * Opens a compound file in memory. Chains of sectors are followed within the bounds of the file: one that leads out of it
 * or in a circle makes the file unreadable.
 *
 * @throws SluiceError `file_unreadable`
 */
export function openCompoundFile(file: { bytes: Uint8Array; name: string }): CompoundFile {
  const bytes = Buffer.from(file.bytes.buffer, file.bytes.byteOffset, file.bytes.length)
  const damaged = (): never => {
    throw new SluiceError('file_unreadable', { file: file.name, reason: 'its table of sectors is damaged' })
  }
  if (bytes.length < HEADER_BYTES || bytes.readUInt32LE(0) !== SIGNATURE) {
    throw new SluiceError('file_unreadable', {
      file: file.name,
      reason: 'it is not an Office file of before 2007',
    })
  }
  const shift = bytes.readUInt16LE(30)
  const miniShift = bytes.readUInt16LE(32)
  if ((shift !== 9 && shift !== 12) || miniShift > shift) damaged()
  const sectorBytes = 2 ** shift
  const sectorCount = Math.ceil(bytes.length / sectorBytes)
  const sector = (index: number): Buffer => {
    const start = (index + 1) * sectorBytes
    if (start >= bytes.length) damaged()
    return bytes.subarray(start, start + sectorBytes)
  }

  /** The sectors of a chain, in order. */
  const chain = (start: number, next: (index: number) => number, most: number): number[] => {
    const found: number[] = []
    for (let index = start; index <= LAST_SECTOR; index = next(index)) {
      if (found.length >= most) damaged()
      found.push(index)
    }
    return found
  }
  const fat = readFat()
  const nextSector = (index: number): number => fat[index] ?? damaged()
  const sectorsOf = (start: number): Buffer => {
    const parts = chain(start, nextSector, sectorCount).map(sector)
    return Buffer.concat(parts)
  }

  function readFat(): Uint32Array {
    const places: number[] = []
    for (let index = 0; index < 109; index++) places.push(bytes.readUInt32LE(76 + 4 * index))
    let more = bytes.readUInt32LE(68)
    for (let count = 0; more <= LAST_SECTOR; count++) {
      if (count >= sectorCount) damaged()
      const part = sector(more)
      for (let at = 0; at + 8 <= part.length; at += 4) places.push(part.readUInt32LE(at))
      more = part.length === sectorBytes ? part.readUInt32LE(sectorBytes - 4) : FREE
    }
    const used = places.filter((index) => index <= LAST_SECTOR)
    if (used.length > sectorCount) damaged()
    const table = new Uint32Array((used.length * sectorBytes) / 4).fill(FREE)
    for (const [position, index] of used.entries()) {
      const part = sector(index)
      for (let at = 0; at + 4 <= part.length; at += 4)
        table[(position * sectorBytes + at) / 4] = part.readUInt32LE(at)
    }
    return table
  }

  const directory = sectorsOf(bytes.readUInt32LE(48))
  const entry = (id: number) => {
    const at = id * ENTRY_BYTES
    if (at + ENTRY_BYTES > directory.length) return damaged()
    const nameBytes = Math.min(64, directory.readUInt16LE(at + 64))
    return {
      name: directory.toString('utf16le', at, at + Math.max(0, nameBytes - 2)),
      isStream: directory[at + 66] === 2,
      left: directory.readUInt32LE(at + 68),
      right: directory.readUInt32LE(at + 72),
      child: directory.readUInt32LE(at + 76),
      start: directory.readUInt32LE(at + 116),
      size: directory.readUInt32LE(at + 120),
    }
  }
  const root = entry(0)
  const entries = new Map<string, ReturnType<typeof entry>>()
  const seen = new Set<number>()
  const waiting = [root.child]
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (id > LAST_SECTOR || seen.has(id)) continue
    seen.add(id)
    const found = entry(id)
    entries.set(found.name, found)
    waiting.push(found.left, found.right)
  }

  /** Short streams are in a stream of their own, in smaller sectors. */
  let small: { table: Buffer; bytes: Buffer } | undefined
  function readSmall(start: number): Buffer {
    small ??= { table: sectorsOf(bytes.readUInt32LE(60)), bytes: sectorsOf(root.start) }
    const { table, bytes: all } = small
    const size = 2 ** miniShift
    const next = (index: number) =>
      4 * index + 4 <= table.length ? table.readUInt32LE(4 * index) : damaged()
    const parts = chain(start, next, Math.ceil(all.length / size) + 1).map((index) =>
      all.subarray(index * size, (index + 1) * size),
    )
    return Buffer.concat(parts)
  }

  return {
    names: new Set(entries.keys()),
    read(name) {
      const found = entries.get(name)
      if (!found?.isStream) return undefined
      const { start, size } = found
      if (size === 0) return Buffer.alloc(0)
      const all = size < bytes.readUInt32LE(56) ? readSmall(start) : sectorsOf(start)
      return all.length < size ? damaged() : all.subarray(0, size)
    },
  }
}

const SIGNATURE = 0xe011cfd0
const HEADER_BYTES = 512
const ENTRY_BYTES = 128
/** Larger numbers of sectors mark ends and free sectors. */
const LAST_SECTOR = 0xfffffff9
const FREE = 0xffffffff
