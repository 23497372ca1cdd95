import { writeCompound } from './compound-writer.ts'

/** A record of a workbook (MS-XLS 2.1.4). */
export function xlsRecord(type: number, ...parts: (number[] | Uint8Array)[]): Buffer {
  const data = Buffer.concat(parts.map((part) => Buffer.from(part)))
  const head = Buffer.alloc(4)
  head.writeUInt16LE(type, 0)
  head.writeUInt16LE(data.length, 2)
  return Buffer.concat([head, data])
}

export const shorts = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(2 * values.length)
  for (const [index, value] of values.entries()) bytes.writeUInt16LE(value, 2 * index)
  return bytes
}
export const long = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value >>> 0)
  return bytes
}
export const double = (value: number): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleLE(value)
  return bytes
}
/** Characters with their options before them. */
export const xlsText = (text: string, wide = false): Buffer =>
  Buffer.concat([Buffer.from([wide ? 1 : 0]), Buffer.from(text, wide ? 'utf16le' : 'latin1')])

const END = xlsRecord(0x0a)
const begin = (kind: number, version = 0x600) =>
  xlsRecord(0x809, shorts(version, kind, 0, 0), long(0), long(0))

type Sheet = { name: string; records: Buffer[]; state?: number; kind?: number }
type Extras = {
  /** Records of the whole workbook. */
  globals?: Buffer[]
  /** 0x500 for Excel 5 and 95. */
  version?: number
  stream?: string
}

/** The stream of a workbook. */
export function xlsStream(sheets: readonly Sheet[], { globals = [], version = 0x600 }: Extras = {}): Buffer {
  const nameOf = (name: string) => (version < 0x600 ? Buffer.from(name, 'latin1') : xlsText(name, true))
  const lists = (places: readonly number[]) =>
    sheets.map(({ name, state = 0, kind = 0 }, index) =>
      xlsRecord(0x85, long(places[index] ?? 0), [state, kind, name.length], nameOf(name)),
    )
  const bodies = sheets.map(({ records }) => Buffer.concat([begin(0x10, version), ...records, END]))
  const head = (places: readonly number[]) =>
    Buffer.concat([begin(5, version), ...globals, ...lists(places), END])
  let at = head([]).length
  const places = bodies.map((body) => {
    const place = at
    at += body.length
    return place
  })
  return Buffer.concat([head(places), ...bodies])
}

/** A workbook of Excel 97, or 95. */
export const xlsFile = (sheets: readonly Sheet[], extras: Extras = {}): Buffer =>
  writeCompound({ [extras.stream ?? 'Workbook']: xlsStream(sheets, extras) })

/** A cell with its own text. */
export const xlsLabel = (row: number, column: number, text: string): Buffer =>
  xlsRecord(0x204, shorts(row, column, 0, text.length), xlsText(text))

export const xlsNumber = (row: number, column: number, value: number, style = 0): Buffer =>
  xlsRecord(0x203, shorts(row, column, style), double(value))
