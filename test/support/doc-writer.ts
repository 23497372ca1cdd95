import { writeCompound } from './compound-writer.ts'
import { long, shorts } from './xls-writer.ts'

export type DocParagraph = {
  /** Its text with the mark at its end: `\r`, `\x07` at the end of a cell or row. */
  text: string
  /** The index of its style. */
  style?: number
  /** Changes of its properties, as bytes. */
  changes?: number[]
}

/** Characters whose properties differ: positions in the text, and the changes. */
export type DocRun = { from: number; to: number; changes: number[] }

type Extras = {
  runs?: readonly DocRun[]
  /** The numbers of the built-in styles; all are normal text by default. */
  styles?: readonly number[]
  /** Lengths of the parts after the body, in their order: notes, headers, comments, endnotes, text boxes. */
  parts?: Partial<Record<'footnotes' | 'headers' | 'comments' | 'endnotes' | 'boxes', number>>
  /** Structures of the table stream by their numbers. */
  structures?: Record<number, Uint8Array>
  /** Lists, and their levels, which follow the structure and are no part of it. */
  lists?: { structure: Uint8Array; levels: Uint8Array }
  flags?: number
  magic?: number
  streams?: Record<string, Uint8Array>
  /** How often the only piece of the text is listed. */
  repeatPiece?: number
}

const TEXT_START = 2048

/** A document of Word 97 (MS-DOC) whose text is one piece of two bytes a character. */
export function docFile(paragraphs: readonly DocParagraph[], extras: Extras = {}): Buffer {
  const { parts = {}, structures = {}, flags = 0, magic = 0xa5ec, streams = {}, repeatPiece = 1 } = extras
  const text = paragraphs.map((paragraph) => paragraph.text).join('')
  const bytes = Buffer.from(text, 'utf16le')
  const textEnd = TEXT_START + bytes.length
  const pagesStart = Math.ceil(textEnd / 512) * 512
  const place = (position: number) => TEXT_START + 2 * position

  let position = 0
  const ends = paragraphs.map((paragraph) => {
    position += paragraph.text.length
    return place(position)
  })
  const paragraphPage = propertyPage(
    [TEXT_START, ...ends],
    paragraphs.map(({ style = 0, changes = [] }) => {
      const properties = Buffer.concat([shorts(style), Buffer.from(changes)])
      const padded = properties.length % 2 === 0 ? Buffer.concat([properties, Buffer.alloc(1)]) : properties
      return Buffer.concat([Buffer.from([(padded.length + 1) / 2]), padded])
    }),
    13,
  )
  const runs = spread(extras.runs ?? [], text.length)
  const characterPage = propertyPage(
    [TEXT_START, ...runs.map(({ to }) => place(to))],
    runs.map(({ changes }) => Buffer.from([changes.length, ...changes])),
    1,
  )

  const count = repeatPiece
  const pieces = Buffer.concat([
    ...Array.from({ length: count + 1 }, (_, index) => long(index * text.length)),
    ...Array.from({ length: count }, () => Buffer.concat([shorts(0), long(TEXT_START), shorts(0)])),
  ])
  const page = pagesStart / 512
  const own: Record<number, Uint8Array> = {
    1: styleSheet(extras.styles ?? [0]),
    12: Buffer.concat([long(TEXT_START), long(textEnd), long(page + 1)]),
    13: Buffer.concat([long(TEXT_START), long(textEnd), long(page)]),
    33: Buffer.concat([Buffer.from([2]), long(pieces.length), pieces]),
    ...(extras.lists ? { 73: extras.lists.structure } : {}),
    ...structures,
  }

  const table: Buffer[] = []
  let tableLength = 0
  const header = Buffer.alloc(TEXT_START)
  header.writeUInt16LE(magic, 0)
  header.writeUInt16LE(0xc1, 2)
  header.writeUInt16LE(0x200 | flags, 10)
  const { footnotes = 0, headers = 0, comments = 0, endnotes = 0, boxes = 0 } = parts
  const body = text.length * count - footnotes - headers - comments - endnotes - boxes
  for (const [index, length] of [body, footnotes, headers, 0, comments, endnotes, boxes].entries())
    header.writeInt32LE(length, 76 + 4 * index)
  header.writeUInt16LE(93, 152)
  for (const [index, structure] of Object.entries(own)) {
    header.writeUInt32LE(tableLength, 154 + 8 * Number(index))
    header.writeUInt32LE(structure.length, 158 + 8 * Number(index))
    table.push(Buffer.from(structure))
    tableLength += structure.length
    if (Number(index) !== 73 || !extras.lists) continue
    table.push(Buffer.from(extras.lists.levels))
    tableLength += extras.lists.levels.length
  }
  const stream = Buffer.alloc(pagesStart + 1024)
  header.copy(stream)
  bytes.copy(stream, TEXT_START)
  paragraphPage.copy(stream, pagesStart)
  characterPage.copy(stream, pagesStart + 512)
  return writeCompound({ WordDocument: stream, '1Table': Buffer.concat(table), ...streams })
}

/** A page of properties: places, then an item of a size for each run with the place of its properties, which come last. */
function propertyPage(places: readonly number[], properties: readonly Buffer[], itemBytes: number): Buffer {
  const page = Buffer.alloc(512)
  for (const [index, place] of places.entries()) page.writeUInt32LE(place, 4 * index)
  let at = 510
  for (const [index, bytes] of properties.entries()) {
    at = (at - bytes.length) & ~1
    bytes.copy(page, at)
    page[4 * places.length + itemBytes * index] = at / 2
  }
  page[511] = properties.length
  return page
}

/** The runs with those between them, which have no changes. */
function spread(runs: readonly DocRun[], length: number): { to: number; changes: number[] }[] {
  const all: { to: number; changes: number[] }[] = []
  let at = 0
  for (const { from, to, changes } of runs) {
    if (from > at) all.push({ to: from, changes: [] })
    all.push({ to, changes })
    at = to
  }
  return [...all, { to: length, changes: [] }]
}

function styleSheet(ids: readonly number[]): Buffer {
  const styles = ids.map((id) => {
    // a paragraph style without a base style, with an empty name and no properties
    const style = Buffer.concat([
      shorts(id, 1 | (0xfff << 4), 1, 0, 0),
      shorts(0, 0),
      shorts(2, 0),
      shorts(0),
    ])
    return Buffer.concat([shorts(style.length), style])
  })
  return Buffer.concat([shorts(4, ids.length, 10), ...styles])
}
