import type { OfficePackage } from './office-package.ts'
import { commentLine, type SheetComments } from '../sheet-documents.ts'
import { type ElementRule, SKIP_ELEMENT } from '../xml.ts'

/**
 * Reads the notes and the threaded comments of a sheet (ECMA-376 part 1, 18.7; MS-XLSX 2.6.205). For older versions
 * of Excel a thread also has a note with the same text, which is left out.
 *
 * @param people names by the ids that threads use
 */
export function readSheetComments(
  source: OfficePackage,
  sheet: string,
  people: ReadonlyMap<string, string>,
): SheetComments {
  const comments: SheetComments = new Map()
  const authors: string[] = []
  let by: string | undefined
  let cell = ''
  let text = ''

  const end = () => {
    const content = text.trim()
    const row = Number(cell.replace(/^[A-Z]+/, ''))
    if (content === '' || content.startsWith('[Threaded comment]') || !(row > 0)) return
    const line = commentLine(cell, by, content)
    source.countText(line.length)
    const lines = comments.get(row)
    if (lines) lines.push(line)
    else comments.set(row, [line])
  }
  const begin = (ref: string, author: string | undefined) => {
    cell = ref
    by = author
    text = ''
  }
  const write: ElementRule = {
    text(piece) {
      text += piece
    },
  }

  for (const part of [...source.related(sheet, 'comments'), ...source.related(sheet, 'threadedComment')]) {
    source.read(part, {
      author: { open: () => authors.push(''), text: (piece) => (authors[authors.length - 1] += piece) },
      comment: { open: ({ ref = '', authorId }) => begin(ref, authors[Number(authorId)]), close: end },
      threadedComment: {
        open: ({ ref = '', personId = '' }) => begin(ref, people.get(personId)),
        close: end,
      },
      text: write,
      t: write,
      rPh: SKIP_ELEMENT,
    })
  }
  return comments
}

/** The names of authors of threads, by id. */
export function readPeople(source: OfficePackage, workbook: string): Map<string, string> {
  const people = new Map<string, string>()
  for (const part of source.related(workbook, 'person')) {
    source.read(part, { person: { open: ({ id = '', displayName = '' }) => people.set(id, displayName) } })
  }
  return people
}
