import { crc32, deflateRawSync } from 'node:zlib'

/** 1980-01-01, the earliest date a ZIP knows: the same parts give the same bytes on any day. */
const DATE = (1 << 5) | 1

/** Packs parts into a ZIP (APPNOTE 6.3), in the given order, compressed. */
export function zip(parts: Iterable<readonly [name: string, content: string]>): Buffer {
  const bodies: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, content] of parts) {
    const raw = Buffer.from(content)
    const packed = deflateRawSync(raw)
    const path = Buffer.from(name)

    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0) // version needed: 2.0
    common.writeUInt16LE(8, 4) // deflate
    common.writeUInt16LE(DATE, 8)
    common.writeUInt32LE(crc32(raw), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(raw.length, 18)
    common.writeUInt16LE(path.length, 22)

    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    directory.push(Buffer.from('PK\x01\x02\x14\0', 'latin1'), common, place, path)

    const body = [Buffer.from('PK\x03\x04', 'latin1'), common, path, packed]
    bodies.push(...body)
    offset += body.reduce((sum, { length }) => sum + length, 0)
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  const count = directory.length / 4
  end.writeUInt16LE(count, 8)
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...bodies, central, end])
}
