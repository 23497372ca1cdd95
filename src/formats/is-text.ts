import { HEAD_BYTES, certainEncoding } from './encoding.ts'

/**
 * The largest shares of unusual bytes or characters in a text. Of random bytes a tenth are control characters; text
 * in a legacy encoding (Shift_JIS, KOI8-R, Windows-1252) has almost none; EBCDIC, where each line ends with one, has
 * a fiftieth.
 */
const MAX = { nuls: 0.01, controls: 0.1, controlsOfUnknown: 0.03, strangeCharacters: 0.05 }

/** Whether bytes are text in any encoding. @param head the first 64 kB of a file, or all of it */
export function isText(head: Uint8Array): boolean {
  const sample = head.subarray(0, HEAD_BYTES)
  const encoding = certainEncoding(sample)
  if (encoding !== undefined && encoding !== 'utf-8') return isWideText(sample, encoding)
  const { nuls, controls } = countControls(sample)
  if (encoding === 'utf-8')
    return nuls <= sample.length * MAX.nuls && controls <= sample.length * MAX.controls
  return nuls + controls <= sample.length * MAX.controlsOfUnknown && nuls <= sample.length * MAX.nuls
}

/**
 * Counts zero bytes and control characters. Every upload is judged, so four bytes are tested at once: most of them hold no
 * byte below 32.
 */
function countControls(sample: Uint8Array): { nuls: number; controls: number } {
  const counts = { nuls: 0, controls: 0 }
  const aligned = (4 - (sample.byteOffset & 3)) & 3
  const before = Math.min(aligned, sample.length)
  countBetween(sample, 0, before, counts)
  const words = new Uint32Array(sample.buffer, sample.byteOffset + before, (sample.length - before) >> 2)
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!
    if (((word - 0x20202020) & ~word & 0x80808080) === 0) continue
    countBetween(sample, before + 4 * at, before + 4 * at + 4, counts)
  }
  countBetween(sample, before + 4 * words.length, sample.length, counts)
  return counts
}

function countBetween(
  sample: Uint8Array,
  from: number,
  to: number,
  counts: { nuls: number; controls: number },
): void {
  for (let at = from; at < to; at++) {
    const byte = sample[at]!
    if (byte >= 32) continue
    if (byte === 0) counts.nuls++
    else if ((TEXT_CONTROLS & (1 << byte)) === 0) counts.controls++
  }
}

/** Tab, line feed, vertical tab, form feed, carriage return, escape, as bits. */
const TEXT_CONTROLS = [9, 10, 11, 12, 13, 27].reduce((bits, byte) => bits | (1 << byte), 0)

/** UTF-16 and UTF-32: any bytes decode to characters, but those of text are assigned, and few are controls. */
function isWideText(sample: Uint8Array, encoding: string): boolean {
  const characters = decodeWide(sample, encoding)
  const strange = characters.match(STRANGE)?.length ?? 0
  return strange <= characters.length * MAX.strangeCharacters
}

const STRANGE = /[\p{Cn}\p{Co}\p{Cs}\ufffd]|(?!\s)\p{Cc}/gu

function decodeWide(sample: Uint8Array, encoding: string): string {
  if (encoding.startsWith('utf-16'))
    return new TextDecoder(encoding).decode(sample.subarray(0, sample.length & ~1))
  const view = new DataView(sample.buffer, sample.byteOffset, sample.length & ~3)
  const characters: string[] = []
  for (let at = 0; at < view.byteLength; at += 4) {
    const point = view.getUint32(at, encoding === 'utf-32le')
    characters.push(point > 0x10ffff ? '\ufffd' : String.fromCodePoint(point))
  }
  return characters.join('')
}
