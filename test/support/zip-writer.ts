import { crc32, deflateRawSync } from 'node:zlib'

/** How an archive may differ from an honest one. */
export type ZipQuirks = {
  /** The inflated size of every file, as the directory has it. */
  claimedSize?: number
  /** Marks the files as encrypted. */
  encrypted?: boolean
  /** Packs nothing. */
  stored?: boolean
  /** The number in the method fields, which may differ from the real method. */
  method?: number
  /** The encoding of text. */
  encoding?: 'utf8' | 'utf16le'
}

/** Builds a ZIP archive from names and contents, as the tests of readers need it. */
export function writeZip(files: Record<string, string | Uint8Array>, quirks: ZipQuirks = {}): Buffer {
  const locals: Buffer[] = []
  const centrals: Buffer[] = []
  let offset = 0
  for (const [name, content] of Object.entries(files)) {
    const bytes = typeof content === 'string' ? Buffer.from(content, quirks.encoding ?? 'utf8') : content
    const packed = quirks.stored ? bytes : deflateRawSync(bytes)
    const path = Buffer.from(name)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(quirks.encrypted ? 0x801 : 0x800, 2)
    fields.writeUInt16LE(quirks.method ?? (quirks.stored ? 0 : 8), 4)
    fields.writeUInt32LE(crc32(bytes), 10)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(quirks.claimedSize ?? bytes.length, 18)
    fields.writeUInt16LE(path.length, 22)
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    centrals.push(Buffer.from('PK\x01\x02\x14\0', 'latin1'), fields, place, path)
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), fields, path, packed])
    locals.push(local)
    offset += local.length
  }
  const directory = Buffer.concat(centrals)
  const count = Object.keys(files).length
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(count, 8)
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, directory, end])
}
