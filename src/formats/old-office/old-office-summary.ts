import type { Metadata } from '../../contract/document.ts'
import { decodeCodePage, WESTERN } from './code-pages.ts'

/** Title, author and times of an Office file of before 2007 (MS-OLEPS 2.20). @param stream its summary, if it has one */
export function readSummary(stream: Buffer | undefined): Metadata {
  const metadata: Metadata = {}
  if (!stream || stream.length < 48) return metadata
  const set = stream.subarray(stream.readUInt32LE(44))
  const count = set.length >= 8 ? Math.min(100, set.readUInt32LE(4)) : 0
  const places = new Map<number, number>()
  for (let index = 0; index < count && 16 + 8 * index <= set.length; index++)
    places.set(set.readUInt32LE(8 + 8 * index), set.readUInt32LE(12 + 8 * index))

  const codePlace = places.get(1)
  const codePage =
    codePlace !== undefined && codePlace + 6 <= set.length ? set.readUInt16LE(codePlace + 4) : WESTERN
  for (const [id, key] of TEXTS) {
    const at = places.get(id)
    if (at === undefined || at + 8 > set.length || set.readUInt32LE(at) !== BYTE_TEXT) continue
    const length = Math.min(set.readUInt32LE(at + 4), MAX_LENGTH)
    const text = decodeCodePage(set.subarray(at + 8, at + 8 + length), codePage)
      .replaceAll('\0', '')
      .trim()
    if (text !== '') metadata[key] = text
  }
  for (const [id, key] of TIMES) {
    const at = places.get(id)
    if (at === undefined || at + 12 > set.length || set.readUInt32LE(at) !== FILE_TIME) continue
    const milliseconds = Number(set.readBigUInt64LE(at + 4) / 10_000n) - MILLISECONDS_1601_TO_1970
    if (milliseconds > 0 && milliseconds < LAST_TIME)
      metadata[key] = `${new Date(milliseconds).toISOString().slice(0, 19)}Z`
  }
  return metadata
}

const TEXTS = [
  [2, 'title'],
  [4, 'author'],
] as const
const TIMES = [
  [12, 'created'],
  [13, 'modified'],
] as const
const BYTE_TEXT = 30
const FILE_TIME = 64
const MAX_LENGTH = 1000
const MILLISECONDS_1601_TO_1970 = 11_644_473_600_000
const LAST_TIME = Date.UTC(9999, 11, 31)
