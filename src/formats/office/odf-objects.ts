import path from 'node:path/posix'
import { renderBlock, type StoryBlock } from '../story-block.ts'
import { ODF_CONTENT } from './odf-package.ts'
import type { OfficePackage } from './office-package.ts'
import { type ElementRules, SKIP_ELEMENT } from '../xml.ts'

/**
 * The text of an object inside an OpenDocument file: of a chart its titles and its numbers as a table, of an equation
 * the line that its author typed, of a sheet its cells.
 *
 * @param href its folder in the archive, `./Object 1`
 */
export function readOdfObject(source: OfficePackage, href: string): string[] {
  const part = path.join(href, ODF_CONTENT)
  if (href === '' || part.startsWith('..') || !source.has(part)) return []
  const { titles, rows, equation } = readObject(source, part)
  if (equation !== '') return [equation]
  return [...titles, ...(rows.length > 0 ? [renderBlock(rows)] : [])]
}

/** The titles of a chart inside a sheet, whose numbers are those of cells. */
export function odfChartTitles(source: OfficePackage, href: string): string[] {
  const part = path.join(href, ODF_CONTENT)
  return href === '' || part.startsWith('..') ? [] : readObject(source, part).titles
}

function readObject(source: OfficePackage, part: string) {
  const titles: string[] = []
  const rows: StoryBlock[][][] = []
  let row: StoryBlock[][] = []
  let text = ''
  let equation = ''
  const write = (piece: string) => {
    source.countText(piece.length)
    text += piece
  }
  const title = {
    open: () => (text = ''),
    close: () => {
      if (text.trim() !== '') titles.push(text.trim())
      text = ''
    },
  }
  const rules: ElementRules = {
    p: { text: write },
    span: { text: write },
    title,
    subtitle: title,
    'table-row': {
      open: () => (row = []),
      close: () => {
        while (row.at(-1)?.length === 0) row.pop()
        if (row.length > 0) rows.push(row)
      },
    },
    'table-cell': {
      open: () => (text = ''),
      close: () => {
        row.push(text.trim() === '' ? [] : [text.trim()])
        text = ''
      },
    },
    legend: SKIP_ELEMENT,
    annotation: {
      text(piece) {
        source.countText(piece.length)
        equation += piece
      },
    },
  }
  source.read(part, rules)
  return { titles, rows, equation: equation.trim() }
}
