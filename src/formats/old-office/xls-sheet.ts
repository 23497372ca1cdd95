import type { Extraction } from '../extraction.ts'
import { commentLine, type FloatingText, type SheetComments } from '../sheet-documents.ts'
import type { XlsBook, XlsSheet } from './xls-book.ts'
import { RECORD, RecordReader, recordsFrom } from './xls-records.ts'
import { columnLetters, type SheetCell, type SheetRow } from '../office/xlsx-cell.ts'
import { type MergedArea, MergedCells } from '../office/xlsx-merges.ts'

/** The cells of a sheet by rows, its comments, and the texts above its cells. */
export type XlsContent = { rows: SheetRow[]; comments: SheetComments; floating: FloatingText[] }

type Note = { row: number; column: number; object: number; author: string }

/**
 * Reads the records of a sheet (MS-XLS 2.1.7.20.5).
 *
 * @param countCells called with the number of cells read; throws if the workbook has too many
 */
export function readXlsSheet(
  stream: Buffer,
  { start }: XlsSheet,
  book: XlsBook,
  source: Extraction,
  countCells: (count: number) => void,
): XlsContent {
  const rows = new Map<number, SheetCell[]>()
  const areas: MergedArea[] = []
  const notes: Note[] = []
  const texts = new Map<number, string>()
  const comments: SheetComments = new Map()
  let object: { id: number; isNote: boolean } = { id: -1, isNote: false }
  /** The formula whose text comes in a later record. */
  let pending: { row: number; column: number } | undefined
  let depth = 0

  const put = (row: number, column: number, content: Omit<SheetCell, 'column'> | undefined) => {
    countCells(1)
    if (!content || content.text.trim() === '') return
    const cells = rows.get(row) ?? []
    if (cells.length === 0) rows.set(row, cells)
    cells.push({ column, ...content })
  }
  const text = (content: string) => ({ text: content, value: content })
  const number = (value: number, style: number) =>
    Number.isFinite(value) ? book.formats.apply(value, style) : undefined
  const string = (reader: RecordReader) => {
    const length = reader.short()
    return book.isUnicode ? reader.text(length) : reader.bytes(length, book.codePage)
  }
  const note = (row: number, column: number, author: string, content: string) => {
    if (content.trim() === '') return
    const line = commentLine(`${columnLetters(column)}${row + 1}`, author, content.trim())
    source.countText(line.length)
    comments.set(row + 1, [...(comments.get(row + 1) ?? []), line])
  }

  for (const { type, parts } of recordsFrom(stream, start)) {
    if (type === RECORD.begin) depth++
    else if (type === RECORD.end && --depth <= 0) break
    // charts inside a sheet are streams of records of their own
    if (depth !== 1) continue
    const reader = new RecordReader(parts)
    switch (type) {
      case RECORD.labelShared: {
        const [row, column] = [reader.short(), reader.short()]
        reader.skip(2)
        put(row, column, text(book.strings[reader.long()] ?? ''))
        break
      }
      case RECORD.label:
      case RECORD.richString: {
        const [row, column] = [reader.short(), reader.short()]
        reader.skip(2)
        put(row, column, text(string(reader)))
        break
      }
      case RECORD.number: {
        const [row, column, style] = [reader.short(), reader.short(), reader.short()]
        put(row, column, number(doubleOf(parts[0]!, 6), style))
        break
      }
      case RECORD.rk: {
        const [row, column, style] = [reader.short(), reader.short(), reader.short()]
        put(row, column, number(compressedNumber(reader.long()), style))
        break
      }
      case RECORD.multipleRk: {
        const row = reader.short()
        const first = reader.short()
        const count = Math.floor((parts[0]!.length - 6) / 6)
        for (let index = 0; index < count; index++) {
          const style = reader.short()
          put(row, first + index, number(compressedNumber(reader.long()), style))
        }
        break
      }
      case RECORD.formula: {
        const [row, column, style] = [reader.short(), reader.short(), reader.short()]
        const [kind, , value, , , , high] = Array.from({ length: 7 }, () => reader.byte())
        pending = undefined
        if (high !== 0xff || reader.byte() !== 0xff) put(row, column, number(doubleOf(parts[0]!, 6), style))
        else if (kind === 0) pending = { row, column }
        else if (kind === 1) put(row, column, boolean(value!))
        else if (kind === 2) put(row, column, text(ERRORS[value!] ?? '#ERROR!'))
        break
      }
      case RECORD.string:
        if (pending) put(pending.row, pending.column, text(string(reader)))
        pending = undefined
        break
      case RECORD.boolean: {
        const [row, column] = [reader.short(), reader.short()]
        reader.skip(2)
        const value = reader.byte()
        put(row, column, reader.byte() === 1 ? text(ERRORS[value] ?? '#ERROR!') : boolean(value))
        break
      }
      case RECORD.mergedCells:
        for (let left = reader.short(); left > 0 && !reader.isAtEnd && areas.length < MAX_AREAS; left--) {
          const [top, bottom, column] = [reader.short(), reader.short(), reader.short()]
          reader.skip(2)
          if (bottom > top) areas.push({ top: top + 1, bottom: bottom + 1, column })
        }
        break
      case RECORD.object: {
        reader.skip(4)
        const kind = reader.short()
        object = { id: reader.short(), isNote: kind === NOTE_OBJECT }
        break
      }
      case RECORD.textObject: {
        reader.skip(10)
        const length = reader.short()
        const content = new RecordReader(parts.slice(1))
        const wide = length > 0 && (content.byte() & 1) === 1
        const found = content.characters(length, wide).replaceAll('\r', '\n')
        source.countText(found.length)
        texts.set(object.isNote ? object.id : -1 - texts.size, found)
        break
      }
      case RECORD.note: {
        const [row, column] = [reader.short(), reader.short()]
        if (book.isUnicode) {
          reader.skip(2)
          notes.push({ row, column, object: reader.short(), author: string(reader) })
        } else note(row, column, '', string(reader))
      }
    }
  }
  for (const { row, column, object: id, author } of notes)
    note(row, column, author.trim(), texts.get(id) ?? '')
  const merged = new MergedCells(areas.sort((a, b) => a.top - b.top))
  const sorted = [...rows].sort(([a], [b]) => a - b)
  return {
    rows: sorted.map(([index, cells]) => {
      const row = { number: index + 1, cells: cells.sort((a, b) => a.column - b.column) }
      countCells(merged.fill(row))
      return row
    }),
    comments,
    floating: [...texts]
      .filter(([id, content]) => id < 0 && content.trim() !== '')
      .map(([, content]) => ({ text: content.trim(), row: undefined })),
  }
}

const NOTE_OBJECT = 0x19
/** As in newer workbooks: each costs memory. */
const MAX_AREAS = 200_000

const boolean = (value: number) =>
  value === 1 ? { text: 'TRUE', value: true } : { text: 'FALSE', value: false }

const doubleOf = (bytes: Buffer, at: number): number =>
  at + 8 <= bytes.length ? bytes.readDoubleLE(at) : Number.NaN

/** A number in 30 bits (MS-XLS 2.5.217): a whole one, or the upper half of a double; two bits say which, and whether it is a hundredth. */
function compressedNumber(bits: number): number {
  const upper = Buffer.alloc(8)
  upper.writeUInt32LE((bits & 0xfffffffc) >>> 0, 4)
  const value = bits & 2 ? (bits | 0) >> 2 : upper.readDoubleLE(0)
  return bits & 1 ? value / 100 : value
}

const ERRORS: Readonly<Record<number, string | undefined>> = {
  0: '#NULL!',
  7: '#DIV/0!',
  15: '#VALUE!',
  23: '#REF!',
  29: '#NAME?',
  36: '#NUM!',
  42: '#N/A',
}
