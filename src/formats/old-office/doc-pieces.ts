import { decodeCodePage, WESTERN } from './code-pages.ts'
import type { Extraction } from '../extraction.ts'

/** A run of the text that stands together in the file. */
export type DocPiece = {
  /** Positions in the text, in characters: from `start` to before `end`. */
  start: number
  end: number
  /** The place of its first character in the file, in bytes, and the bytes of a character. */
  place: number
  size: 1 | 2
}

/** The parts of the text that follow each other, as numbers of characters (MS-DOC 2.5.4). */
export type DocParts = Record<'body' | 'footnotes' | 'headers' | 'comments' | 'endnotes' | 'boxes', number>

/** What the beginning of a document says (MS-DOC 2.5.1). */
export type DocHeader = {
  stream: Buffer
  parts: DocParts
  /** The bytes of a structure of the table stream, by its number in FibRgFcLcb97. */
  structure(index: number): Buffer
  /** The table stream from the place of a structure on, of any length. */
  behind(index: number): Buffer
}

/** @param tableOf reads the table stream by its name */
export function readDocHeader(
  stream: Buffer,
  tableOf: (name: string) => Buffer | undefined,
  source: Extraction,
): DocHeader {
  if (stream.length < 1024 || stream.readUInt16LE(0) !== WORD_97) {
    source.unreadable('it is in a format of Word before 1997; save it as .docx')
  }
  const flags = stream.readUInt16LE(10)
  if (flags & 0x100) source.encrypted()
  const table = tableOf(flags & 0x200 ? '1Table' : '0Table')
  if (!table) return source.unreadable('its table of text is missing')
  const count = (at: number) => Math.max(0, stream.readInt32LE(at))
  const start = (index: number) => stream.readUInt32LE(FIRST_PAIR + 8 * index)
  const length = (index: number) => stream.readUInt32LE(FIRST_PAIR + 8 * index + 4)
  const pairs = stream.readUInt16LE(152)
  return {
    stream,
    parts: {
      body: count(76),
      footnotes: count(80),
      headers: count(84),
      comments: count(92),
      endnotes: count(96),
      boxes: count(100),
    },
    structure: (index) =>
      index < pairs ? table.subarray(start(index), start(index) + length(index)) : Buffer.alloc(0),
    behind: (index) => (index < pairs ? table.subarray(start(index) + length(index)) : Buffer.alloc(0)),
  }
}

const WORD_97 = 0xa5ec
const FIRST_PAIR = 154

/** The pieces of the text (MS-DOC 2.9.38). @param clx the structure that lists them */
export function readPieces(clx: Buffer, source: Extraction): DocPiece[] {
  let at = 0
  while (at + 3 <= clx.length && clx[at] === 1) at += 3 + clx.readUInt16LE(at + 1)
  if (clx[at] !== 2 || at + 5 > clx.length) source.unreadable('its table of text is damaged')
  const plc = clx.subarray(at + 5)
  const count = Math.floor((plc.length - 4) / 12)
  const pieces: DocPiece[] = []
  for (let index = 0; index < count; index++) {
    const [start, end] = [plc.readUInt32LE(4 * index), plc.readUInt32LE(4 * index + 4)]
    const place = plc.readUInt32LE(4 * (count + 1) + 8 * index + 2)
    const isNarrow = (place & 0x40000000) !== 0
    const bytes = place & 0x3fffffff
    if (end < start) source.unreadable('its table of text is damaged')
    pieces.push({ start, end, place: isNarrow ? bytes >>> 1 : bytes, size: isNarrow ? 1 : 2 })
  }
  return pieces
}

/** The characters of a part of a piece. */
export const pieceText = (bytes: Buffer, size: 1 | 2): string =>
  size === 1 ? decodeCodePage(bytes, WESTERN) : bytes.toString('utf16le')

/** The positions of a structure that begins with them, and has items of a size after them (MS-DOC 2.2.2). */
export function positionsOf(plc: Buffer, itemBytes: number): number[] {
  const count = Math.floor((plc.length - 4) / (4 + itemBytes))
  return Array.from({ length: Math.max(0, count + 1) }, (_, index) => plc.readUInt32LE(4 * index))
}
