import { type DocHeader, positionsOf, readDocHeader } from './doc-pieces.ts'
import { DocText } from './doc-story.ts'
import { Extraction } from '../extraction.ts'
import { readSummary } from './old-office-summary.ts'
import { openOldOffice } from './old-office.ts'
import type { FormatReader } from '../reader.ts'

/**
 * Reads a document of Word 97 to 2003 (MS-DOC) as one markdown text, in the form of a newer one: headers, body, text
 * boxes, notes, comments, footers; see {@link readDocx}. Hidden text, and text that was deleted by a tracked change,
 * is left out. Metadata: `title`, `author`, `created`, `modified`, if the document has them.
 */
export const readDoc: FormatReader = function* (file, _options, limits) {
  const source = new Extraction(file, limits)
  const compound = openOldOffice(file, source, ['WordDocument'])
  const header = readDocHeader(compound.stream('WordDocument')!, (name) => compound.stream(name), source)
  const text = new DocText(header, source)
  const { body, footnotes, headers, comments, endnotes, boxes } = header.parts
  const starts = { footnotes: body, headers: body + footnotes, comments: body + footnotes + headers }
  const endnoteStart = starts.comments + comments
  const boxStart = endnoteStart + endnotes

  const marks = new Map<number, string>()
  const notes = (kind: NoteKind, start: number, length: number): string[] => {
    const { prefix, references, texts, itemBytes } = kind
    const places = positionsOf(header.structure(references), itemBytes).slice(0, -1)
    for (const [index, place] of places.entries()) marks.set(place, `[^${prefix}${index + 1}]`)
    const ranges = positionsOf(header.structure(texts), 0)
    return places.flatMap((_, index) => {
      const [from, to] = [ranges[index] ?? length, ranges[index + 1] ?? length]
      const blocks = text.blocks(start + from, start + Math.min(to, length))
      if (blocks.length === 0) return []
      const author = prefix === 'c' ? authorOf(header, index) : ''
      return [`[^${prefix}${index + 1}]: ${author === '' ? '' : `${author}: `}${blocks.join('\n')}`]
    })
  }
  const below = [
    ...notes(FOOTNOTES, starts.footnotes, footnotes),
    ...notes(ENDNOTES, endnoteStart, endnotes),
    ...notes(COMMENTS, starts.comments, comments),
  ]
  const margins = readMargins(header, text, starts.headers, headers)
  const blocks = [
    ...margins.header,
    ...text.blocks(0, body, marks),
    ...text.blocks(boxStart, boxStart + boxes),
    ...below,
    ...margins.footer,
  ]
  const metadata = readSummary(compound.stream('\x05SummaryInformation'))
  yield* source.report()
  if (blocks.length > 0) yield { pageContent: blocks.join('\n\n'), metadata, last: true }
}

/** Where the notes of a kind are: the numbers of their structures, the bytes of a reference. */
type NoteKind = { prefix: string; references: number; texts: number; itemBytes: number }

const FOOTNOTES: NoteKind = { prefix: '', references: 2, texts: 3, itemBytes: 2 }
const ENDNOTES: NoteKind = { prefix: 'e', references: 46, texts: 47, itemBytes: 2 }
const COMMENTS: NoteKind = { prefix: 'c', references: 4, texts: 5, itemBytes: 30 }
const OWNERS = 36
const HEADERS = 11

/** The author of a comment (MS-DOC 2.9.8, 2.8.8). */
function authorOf({ structure }: DocHeader, comment: number): string {
  const references = structure(COMMENTS.references)
  const count = Math.floor((references.length - 4) / 34)
  const at = 4 * (count + 1) + 30 * comment + 20
  const wanted = at + 2 <= references.length ? references.readUInt16LE(at) : 0
  const owners = structure(OWNERS)
  let start = 0
  for (let index = 0; start + 2 <= owners.length; index++) {
    const end = start + 2 + 2 * owners.readUInt16LE(start)
    if (index === wanted) return owners.toString('utf16le', start + 2, end).trim()
    start = end
  }
  return ''
}

/** Headers and footers: six of each section, after six separators of notes. Without a letter they are page numbers. */
function readMargins(header: DocHeader, text: DocText, start: number, length: number) {
  const margins = { header: new Set<string>(), footer: new Set<string>() }
  const places = positionsOf(header.structure(HEADERS), 0)
  for (let index = 6; index + 1 < places.length; index++) {
    const [from, to] = [places[index]!, Math.min(places[index + 1]!, length)]
    if (from >= to) continue
    const shown = text.blocks(start + from, start + to).join('\n\n')
    const kind = [2, 3, 5].includes(index % 6) ? 'footer' : 'header'
    if (/\p{L}/u.test(shown) && !margins.header.has(shown)) margins[kind].add(shown)
  }
  return margins
}
