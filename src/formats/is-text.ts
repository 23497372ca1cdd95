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

/** Counts zero bytes and control characters, by index: every upload is judged, and iterating takes three times as long. */
function countControls(sample: Uint8Array): { nuls: number; controls: number } {
  let nuls = 0
  let controls = 0
  for (let at = 0; at < sample.length; at++) {
    const byte = sample[at]!
    if (byte >= 32) continue
    if (byte === 0) nuls++
    else if ((TEXT_CONTROLS & (1 << byte)) === 0) controls++
  }
  return { nuls, controls }
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
