/** One file of an archive, as the central directory describes it. */
export type ZipEntry = {
  name: string
  method: number
  encrypted: boolean
  packedSize: number
  /** As declared in the archive; the real size is known only after inflating. */
  size: number
  /** Where its local header begins; the packed bytes follow it. */
  headerStart: number
}

export type ZipDirectory = {
  count: number
  /** Sum of all declared sizes. */
  declared: number
  entries: ZipEntry[]
}

/**
 * Reads the central directory (APPNOTE.TXT 6.3.10, sections 4.3.12 to 4.3.16), including ZIP64 and archives after
 * other bytes. With more than `maxEntries` the entries are counted but not read.
 *
 * @throws Error with a sentence about the archive, RangeError if an offset points outside of it
 */
export function readZipDirectory(archive: Buffer, maxEntries: number): ZipDirectory {
  const { count, start, shift } = findDirectory(archive)
  const entries: ZipEntry[] = []
  let declared = 0
  if (count <= maxEntries) {
    let position = start
    for (let index = 0; index < count; index++) {
      const { entry, next } = readEntry(archive, position, shift)
      entries.push(entry)
      declared += entry.size
      position = next
    }
  }
  return { count, declared, entries }
}

const END = 0x06054b50
const END_LENGTH = 22
const ZIP64_LOCATOR = 0x07064b50
const ZIP64_LOCATOR_LENGTH = 20
const ZIP64_END = 0x06064b50
const CENTRAL = 0x02014b50
const CENTRAL_LENGTH = 46
const LOCAL = 0x04034b50
const LOCAL_LENGTH = 30
const MAX_COMMENT = 0xffff
const ZIP64 = 0xffffffff

/** Where the packed bytes of a file begin. Throws like {@link readZipDirectory}. */
export function entryDataStart(archive: Buffer, { headerStart }: ZipEntry): number {
  if (archive.readUInt32LE(headerStart) !== LOCAL) throw new Error('its ZIP directory is damaged')
  const nameLength = archive.readUInt16LE(headerStart + 26)
  const extraLength = archive.readUInt16LE(headerStart + 28)
  return headerStart + LOCAL_LENGTH + nameLength + extraLength
}

/** `shift` is the number of bytes before the archive, which all its offsets leave out. */
function findDirectory(archive: Buffer): { count: number; start: number; shift: number } {
  const end = findEnd(archive)
  const count = archive.readUInt16LE(end + 10)
  const size = archive.readUInt32LE(end + 12)
  const start = archive.readUInt32LE(end + 16)
  const locator = end - ZIP64_LOCATOR_LENGTH
  const isZip64 = (count === 0xffff || start === ZIP64) && locator >= 0
  if (isZip64 && archive.readUInt32LE(locator) === ZIP64_LOCATOR) {
    const end64 = readUInt64(archive, locator + 8)
    if (archive.readUInt32LE(end64) !== ZIP64_END) throw new Error('its ZIP directory is damaged')
    return { count: readUInt64(archive, end64 + 32), start: readUInt64(archive, end64 + 48), shift: 0 }
  }
  const isShifted = start + size < end && archive.readUInt32LE(start) !== CENTRAL
  const shift = isShifted ? end - size - start : 0
  return { count, start: start + shift, shift }
}

/** Position of the end record, searched backward over the comment: in real files its declared length may be wrong. */
function findEnd(archive: Buffer): number {
  const earliest = Math.max(0, archive.length - END_LENGTH - MAX_COMMENT)
  for (let position = archive.length - END_LENGTH; position >= earliest; position--) {
    if (archive.readUInt32LE(position) === END) return position
  }
  throw new Error('it is not a ZIP archive, or its end is missing')
}

function readEntry(archive: Buffer, position: number, shift: number): { entry: ZipEntry; next: number } {
  if (archive.readUInt32LE(position) !== CENTRAL) throw new Error('its ZIP directory is damaged')
  const flags = archive.readUInt16LE(position + 8)
  const nameEnd = position + CENTRAL_LENGTH + archive.readUInt16LE(position + 28)
  const extraEnd = nameEnd + archive.readUInt16LE(position + 30)
  const sizes = {
    size: archive.readUInt32LE(position + 24),
    packedSize: archive.readUInt32LE(position + 20),
    headerStart: archive.readUInt32LE(position + 42),
  }
  widenSizes(sizes, archive.subarray(nameEnd, extraEnd))
  const entry = {
    name: archive.toString(flags & 0x800 ? 'utf8' : 'latin1', position + CENTRAL_LENGTH, nameEnd),
    method: archive.readUInt16LE(position + 10),
    encrypted: (flags & 1) === 1,
    packedSize: sizes.packedSize,
    size: sizes.size,
    headerStart: sizes.headerStart + shift,
  }
  return { entry, next: extraEnd + archive.readUInt16LE(position + 32) }
}

/** ZIP64 keeps those of the three numbers that do not fit into 32 bits in an extra field, in this order. */
function widenSizes(sizes: { size: number; packedSize: number; headerStart: number }, extra: Buffer): void {
  let position = 0
  while (position + 4 <= extra.length && extra.readUInt16LE(position) !== 1) {
    position += 4 + extra.readUInt16LE(position + 2)
  }
  position += 4
  for (const key of ['size', 'packedSize', 'headerStart'] as const) {
    if (sizes[key] !== ZIP64) continue
    sizes[key] = readUInt64(extra, position)
    position += 8
  }
}

const readUInt64 = (bytes: Buffer, position: number): number => Number(bytes.readBigUInt64LE(position))
