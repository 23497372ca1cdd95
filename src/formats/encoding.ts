import { isAscii, isUtf8 } from 'node:buffer'

/** Bytes at the beginning of a file from which its type and its encoding are detected. */
export const HEAD_BYTES = 64 * 1024

/** The label of an encoding, as the WHATWG Encoding Standard or iconv names it, in lower case. */
export type CharacterEncoding = string

/** Used if nothing points to another encoding. */
const USUAL_LEGACY: CharacterEncoding = 'windows-1252'

/**
 * The encoding that the bytes at the beginning of a text prove: by a byte order mark, NULs in the pattern of UTF-16,
 * or valid UTF-8. Undefined if it can only be guessed.
 */
export function certainEncoding(head: Uint8Array): CharacterEncoding | undefined {
  const marked = MARKS.find(([mark]) => mark.every((byte, index) => head[index] === byte))
  if (marked) return marked[1]
  const wide = wideWithoutMark(head)
  if (wide) return wide
  const whole = wholeCharacters(head)
  return isUtf8(whole) && !switchesCharacterSets(whole) ? 'utf-8' : undefined
}

/** The most probable encoding, by the statistics of characters. */
export async function guessEncoding(head: Uint8Array): Promise<CharacterEncoding> {
  // Loading takes 7 MB and 100 ms, so it happens at the first file that needs it. For a whole file, detection could
  // take minutes.
  const { detect } = await import('jschardet')
  return detect(head.subarray(0, HEAD_BYTES)).encoding?.toLowerCase() ?? USUAL_LEGACY
}

/** The piece without an incomplete UTF-8 character at its end: at most three bytes less. */
export function wholeCharacters<T extends Uint8Array>(piece: T): T {
  for (let back = 1; back <= 3 && back <= piece.length; back++) {
    const byte = piece[piece.length - back]!
    if (byte < 0x80) break
    if (byte < 0xc0) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
    return length > back ? (piece.subarray(0, -back) as T) : piece
  }
  return piece
}

const MARKS: readonly (readonly [mark: readonly number[], encoding: CharacterEncoding])[] = [
  [[0xff, 0xfe, 0, 0], 'utf-32le'],
  [[0, 0, 0xfe, 0xff], 'utf-32be'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
  [[0xef, 0xbb, 0xbf], 'utf-8'],
]

/** UTF-16 without a byte order mark: in most languages every second byte is NUL, always on the same side. */
function wideWithoutMark(head: Uint8Array): CharacterEncoding | undefined {
  const sample = head.subarray(0, 4096)
  const nuls = [0, 0]
  for (let index = 0; index < sample.length; index++) if (sample[index] === 0) nuls[index % 2]!++
  const [even, odd] = nuls.map((count) => count / sample.length) as [number, number]
  if (odd > 0.2 && even < 0.02) return 'utf-16le'
  if (even > 0.2 && odd < 0.02) return 'utf-16be'
  return undefined
}

/** ISO-2022 (Japanese, Korean, Chinese mail) is ASCII with escape sequences that select another character set. */
function switchesCharacterSets(bytes: Uint8Array): boolean {
  if (!bytes.includes(0x1b) || !isAscii(bytes)) return false
  const text = latin1(bytes)
  return SWITCHES.some((letters) => text.includes(`\x1b${letters}`))
}

/** ECMA-35 designations; terminal colours, the usual reason for an escape, begin with `[`. */
const SWITCHES = ['$@', '$A', '$B', '$(', '$)', '(I', '(J']

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
