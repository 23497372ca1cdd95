/** A folder of a compound file: streams and folders by name. */
export type CompoundFolder = { [name: string]: Uint8Array | CompoundFolder }

const SECTOR = 512
const MINI = 64
/** Smaller streams are in the small sectors. */
const CUTOFF = 4096
const NONE = 0xffffffff
const END = 0xfffffffe
const TABLE = 0xfffffffd

type Row = { name: string; type: number; next: number; child: number; start: number; size: number }

/** Writes a compound file ([MS-CFB], version 3) of at most 7 MB. */
export function writeCompound(root: CompoundFolder): Buffer {
  const table: number[] = []
  const sectors: Buffer[] = []
  const minis: Buffer[] = []
  const miniTable: number[] = []
  const rows: Row[] = [{ name: 'Root Entry', type: 5, next: NONE, child: NONE, start: END, size: 0 }]

  function store(bytes: Uint8Array): number {
    const first = sectors.length
    for (let at = 0; at < bytes.length; at += SECTOR) {
      const sector = Buffer.alloc(SECTOR)
      sector.set(bytes.subarray(at, at + SECTOR))
      sectors.push(sector)
      table.push(at + SECTOR < bytes.length ? sectors.length : END)
    }
    return bytes.length === 0 ? END : first
  }

  function storeSmall(bytes: Uint8Array): number {
    const first = minis.length
    for (let at = 0; at < bytes.length; at += MINI) {
      const mini = Buffer.alloc(MINI)
      mini.set(bytes.subarray(at, at + MINI))
      minis.push(mini)
      miniTable.push(at + MINI < bytes.length ? minis.length : END)
    }
    return bytes.length === 0 ? END : first
  }

  function addAll(folder: CompoundFolder): number {
    let first = NONE
    let before: Row | undefined
    for (const [name, content] of Object.entries(folder)) {
      const number = rows.length
      const row: Row = { name, type: 1, next: NONE, child: NONE, start: 0, size: 0 }
      rows.push(row)
      if (content instanceof Uint8Array) {
        row.type = 2
        row.size = content.length
        row.start = content.length < CUTOFF ? storeSmall(content) : store(content)
      } else row.child = addAll(content)
      if (before) before.next = number
      else first = number
      before = row
    }
    return first
  }

  const top = rows[0]!
  top.child = addAll(root)
  const small = Buffer.concat(minis)
  top.start = store(small)
  top.size = small.length
  const miniStart = store(numbers(miniTable))
  const directoryStart = store(Buffer.concat(rows.map(rowBytes)))
  const tableSectors = Math.ceil((sectors.length + 109) / 128)
  const tableStart = sectors.length
  for (let n = 0; n < tableSectors; n++) table.push(TABLE)
  const padded = [...table, ...Array(tableSectors * 128 - table.length).fill(NONE)]

  const header = Buffer.alloc(SECTOR)
  header.set([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])
  header.writeUInt16LE(0x3e, 24)
  header.writeUInt16LE(3, 26)
  header.writeUInt16LE(0xfffe, 28)
  header.writeUInt16LE(9, 30)
  header.writeUInt16LE(6, 32)
  header.writeUInt32LE(tableSectors, 44)
  header.writeUInt32LE(directoryStart, 48)
  header.writeUInt32LE(CUTOFF, 56)
  header.writeUInt32LE(miniTable.length === 0 ? END : miniStart, 60)
  header.writeUInt32LE(Math.ceil(miniTable.length / 128), 64)
  header.writeUInt32LE(END, 68)
  for (let n = 0; n < 109; n++) header.writeUInt32LE(n < tableSectors ? tableStart + n : NONE, 76 + 4 * n)
  return Buffer.concat([header, ...sectors, numbers(padded)])
}

function rowBytes({ name, type, next, child, start, size }: Row): Buffer {
  const bytes = Buffer.alloc(128)
  bytes.write(name, 'utf16le')
  bytes.writeUInt16LE(2 * name.length + 2, 64)
  bytes[66] = type
  bytes[67] = 1
  bytes.writeUInt32LE(NONE, 68)
  bytes.writeUInt32LE(next, 72)
  bytes.writeUInt32LE(child, 76)
  bytes.writeUInt32LE(start, 116)
  bytes.writeUInt32LE(size, 120)
  return bytes
}

function numbers(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value, 4 * index)
  return bytes
}
