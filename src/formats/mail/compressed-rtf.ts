import { crc32 } from 'node:zlib'

/** What both sides know before the first byte ([MS-OXRTFCP] 2.1.2.1). */
const BEGINNING = Buffer.from(
  '{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx',
  'latin1',
)
const WINDOW = 4096
const HEADER_BYTES = 16

const COMPRESSED = 0x75465a4c
const UNCOMPRESSED = 0x414c454d

/** Rich text out of a property of an Outlook mail; `isWhole` where nothing of it is missing or changed. */
export type UnpackedRtf = { bytes: Buffer; isWhole: boolean }

/**
 * Unpacks the rich text of an Outlook mail ([MS-OXRTFCP]).
 *
 * @param most bytes of the result; the rest is left out
 * @returns undefined where it is no such text
 */
export function unpackRtf(packed: Buffer, most: number): UnpackedRtf | undefined {
  if (packed.length < HEADER_BYTES) return undefined
  const size = packed.readUInt32LE(4)
  const kind = packed.readUInt32LE(8)
  const content = packed.subarray(HEADER_BYTES, 4 + packed.readUInt32LE(0))
  if (kind === UNCOMPRESSED) {
    const bytes = content.subarray(0, Math.min(size, most))
    return { bytes, isWhole: bytes.length === size }
  }
  if (kind !== COMPRESSED) return undefined
  const bytes = unpack(content, Math.min(size, most))
  return { bytes, isWhole: bytes.length === size && checksum(content) === packed.readUInt32LE(12) }
}

/** The checksum of a zip file without its two negations. */
const checksum = (bytes: Buffer): number => (crc32(bytes, 0xffffffff) ^ 0xffffffff) >>> 0

function unpack(packed: Buffer, size: number): Buffer {
  const window = new Uint8Array(WINDOW)
  window.set(BEGINNING)
  let at = BEGINNING.length
  const bytes = Buffer.alloc(size)
  let written = 0
  const put = (byte: number) => {
    if (written < size) bytes[written++] = byte
    window[at++ % WINDOW] = byte
  }
  let read = 0
  while (read < packed.length && written < size) {
    const flags = packed[read++]!
    for (let bit = 1; bit < 256 && read < packed.length; bit <<= 1) {
      if ((flags & bit) === 0) {
        put(packed[read++]!)
      } else {
        if (read + 2 > packed.length) return bytes.subarray(0, written)
        const reference = packed.readUInt16BE(read)
        read += 2
        const from = reference >> 4
        // A reference to what comes next says that this is the end.
        if (from === at % WINDOW) return bytes.subarray(0, written)
        for (let step = 0; step < (reference & 15) + 2; step++) put(window[(from + step) % WINDOW]!)
      }
    }
  }
  return bytes.subarray(0, written)
}
