import { WESTERN } from './code-pages.ts'
import type { Extraction } from '../extraction.ts'
import { RECORD, RecordReader, recordsFrom } from './xls-records.ts'
import { formatCode, numberFormats, type NumberFormats } from '../office/xlsx-formats.ts'

/** What all sheets of a workbook share. */
export type XlsBook = {
  /** Excel 97 and later; Excel 5 and 95 have texts in a code page. */
  isUnicode: boolean
  codePage: number
  strings: readonly string[]
  formats: NumberFormats
  sheets: XlsSheet[]
}

export type XlsSheet = { name: string; start: number; isHidden: boolean; hasCells: boolean }

/** Reads the records before the first sheet (MS-XLS 2.1.7.20.3). @throws SluiceError as reading a workbook does */
export function readXlsBook(stream: Buffer, source: Extraction): XlsBook {
  const own = new Map<string, string>()
  const formatIds: string[] = []
  const sheets: XlsSheet[] = []
  let strings: string[] = []
  let epoch1904 = false
  let isUnicode = true
  let codePage: number = WESTERN
  let isBook = false
  const shortText = (reader: RecordReader, length: number) =>
    isUnicode ? reader.text(length) : reader.bytes(length, codePage)

  for (const { type, parts } of recordsFrom(stream, 0)) {
    const reader = new RecordReader(parts)
    if (!isBook) {
      if (type !== RECORD.begin) break
      isBook = true
      isUnicode = reader.short() >= 0x600
    } else if (type === RECORD.end) break
    else if (type === RECORD.filePassword) source.encrypted()
    else if (type === RECORD.codePage) codePage = reader.short()
    else if (type === RECORD.dateMode) epoch1904 = reader.short() === 1
    else if (type === RECORD.format) {
      const id = String(reader.short())
      own.set(id, shortText(reader, isUnicode ? reader.short() : reader.byte()))
    } else if (type === RECORD.extendedFormat) {
      reader.skip(2)
      formatIds.push(String(reader.short()))
    } else if (type === RECORD.boundSheet) {
      const start = reader.long()
      const state = reader.byte()
      const hasCells = reader.byte() === 0
      sheets.push({ name: shortText(reader, reader.byte()), start, isHidden: (state & 3) !== 0, hasCells })
    } else if (type === RECORD.sharedStrings) strings = readStrings(reader, source)
  }
  if (!isBook) source.unreadable('it is not an Excel workbook')
  const codes = formatIds.map((id) => formatCode(own, id))
  return { isUnicode, codePage, strings, formats: numberFormats(codes, epoch1904), sheets }
}

function readStrings(reader: RecordReader, source: Extraction): string[] {
  reader.skip(4)
  const count = reader.long()
  const strings: string[] = []
  while (strings.length < count && !reader.isAtEnd) {
    const text = reader.text(reader.short())
    source.countText(text.length)
    strings.push(text)
  }
  return strings
}
