import { INTO } from '../../documents/citation.ts'
import type { Metadata } from '../../contract/document.ts'
import { headingTitle } from './line-reader.ts'
import type { Heads } from './sluice-algorithm.ts'

/** The longest head, in UTF-16 units; outer headings are left out of a longer one. */
const LONGEST_HEAD = 240
/** The end of a longer file name is kept. */
const LONGEST_FILE = 100

/** Names that programs give sheets. */
const UNNAMED_SHEET = /^(?:sheet|tabelle|feuil|hoja|foglio|blad|planilha|ark|лист|シート)? ?\d*$/i

/**
 * How heads of a document are made. Code has the name of its file in front, since it tells what a module is for; a row the name
 * of its sheet and the title of its table.
 */
export function headsOf(
  metadata: Metadata,
  { isRecord, file }: { isRecord: boolean; file: string | undefined },
): Heads {
  const outer = isRecord ? recordTitles(metadata) : file === undefined ? [] : [file.slice(-LONGEST_FILE)]
  return ({ headings, above }) => {
    const titles = outer.length === 0 ? above : [...outer, ...above]
    const path = isRecord ? above : headings
    const about: ReturnType<Heads> = {}
    if (titles.length > 0) about.head = headOf(titles)
    if (path.length > 0) about.headings = path
    return about
  }
}

function headOf(titles: string[]): string {
  let head = titles.join(INTO)
  for (let outer = 1; head.length > LONGEST_HEAD && outer < titles.length; outer++)
    head = titles.slice(outer).join(INTO)
  return head
}

function recordTitles({ worksheet, tableTitle }: Metadata): string[] {
  const titles = []
  if (typeof worksheet === 'string' && !UNNAMED_SHEET.test(worksheet)) titles.push(headingTitle(worksheet))
  if (typeof tableTitle === 'string') titles.push(headingTitle(tableTitle))
  return titles
}
