const SECTOR = 512
const END = 0xfffffffe
const FREE = 0xffffffff
const FAT = 0xfffffffd

/** A compound file (MS-CFB) with streams at the top, all in large sectors. */
export function writeCompoundFile(streams: Readonly<Record<string, Uint8Array>>): Buffer {
  const sectors: Buffer[] = []
  const chains: number[] = []
  /** Adds bytes as a chain of sectors and returns the first one. */
  const add = (bytes: Uint8Array): number => {
    const first = sectors.length
    const count = Math.max(1, Math.ceil(bytes.length / SECTOR))
    for (let index = 0; index < count; index++) {
      const sector = Buffer.alloc(SECTOR)
      sector.set(bytes.subarray(index * SECTOR, (index + 1) * SECTOR))
      sectors.push(sector)
      chains.push(index === count - 1 ? END : first + index + 1)
    }
    return first
  }

  const names = Object.keys(streams)
  const entries = [directoryEntry('Root Entry', 5, END, 0, names.length > 0 ? 1 : FREE, FREE)]
  for (const [index, name] of names.entries()) {
    const bytes = streams[name]!
    // each is the right neighbour of the one before it
    const next = index + 2 <= names.length ? index + 2 : FREE
    entries.push(directoryEntry(name, 2, add(bytes), bytes.length, FREE, next))
  }
  const directory = add(Buffer.concat(entries))
  const fatCount = Math.ceil((sectors.length + 8) / (SECTOR / 4 - 1))
  const fatStart = sectors.length
  const table = Buffer.alloc(fatCount * SECTOR, 0xff)
  for (const [index, next] of [...chains, ...Array<number>(fatCount).fill(FAT)].entries())
    table.writeUInt32LE(next, 4 * index)

  const header = Buffer.alloc(SECTOR)
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(header)
  header.writeUInt16LE(0x3e, 24)
  header.writeUInt16LE(3, 26)
  header.writeUInt16LE(0xfffe, 28)
  header.writeUInt16LE(9, 30)
  header.writeUInt16LE(6, 32)
  header.writeUInt32LE(fatCount, 44)
  header.writeUInt32LE(directory, 48)
  // no stream is so small that it would be in small sectors
  header.writeUInt32LE(0, 56)
  header.writeUInt32LE(END, 60)
  header.writeUInt32LE(END, 68)
  header.fill(0xff, 76)
  for (let index = 0; index < fatCount; index++) header.writeUInt32LE(fatStart + index, 76 + 4 * index)
  return Buffer.concat([header, ...sectors, table])
}

function directoryEntry(
  name: string,
  type: number,
  start: number,
  size: number,
  child: number,
  right: number,
): Buffer {
  const entry = Buffer.alloc(128)
  entry.write(name, 'utf16le')
  entry.writeUInt16LE(2 * name.length + 2, 64)
  entry[66] = type
  entry.writeUInt32LE(FREE, 68)
  entry.writeUInt32LE(right, 72)
  entry.writeUInt32LE(child, 76)
  entry.writeUInt32LE(start, 116)
  entry.writeUInt32LE(size, 120)
  return entry
}
