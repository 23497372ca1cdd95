import { chartTitleRules } from './office-drawing.ts'
import type { OfficePackage } from './office-package.ts'
import type { FloatingText } from '../sheet-documents.ts'
import { type ElementRule, SKIP_ELEMENT } from '../xml.ts'

/** A sheet: the name that a reader sees, and its part of the file. */
export type SheetPart = { name: string; part: string }

/**
 * Reads the texts above the cells of a sheet (ECMA-376 part 1, 20.5): text boxes and other shapes with text, the
 * titles of charts, SmartArt. The numbers of a chart are those of cells, so they are not read again.
 */
export function readFloatingTexts(source: OfficePackage, sheet: SheetPart): FloatingText[] {
  const found: FloatingText[] = []
  for (const part of source.related(sheet.part, 'drawing')) {
    let row: number | undefined
    let inFrom = false
    let lines: string[] | undefined
    let line = ''
    const put = (text: string) => {
      if (text.trim() !== '') found.push({ text: text.trim(), row })
    }
    const write = (text: string) => {
      source.countText(text.length)
      line += text
    }
    const anchor: ElementRule = { open: () => (row = undefined) }
    source.read(part, {
      twoCellAnchor: anchor,
      oneCellAnchor: anchor,
      absoluteAnchor: anchor,
      from: { open: () => (inFrom = true), close: () => (inFrom = false) },
      row: {
        text(text) {
          const number = Number(text)
          if (inFrom && Number.isInteger(number) && number >= 0) row = number + 1
        },
      },
      txBody: {
        open: () => (lines = []),
        close() {
          put((lines ?? []).join('\n'))
          lines = undefined
        },
      },
      p: {
        open: () => (line = ''),
        close: () => line.trim() !== '' && lines?.push(line.trim()),
      },
      t: { text: write },
      br: { open: () => write('\n') },
      pic: { open: () => source.drop('picture', { sheet: sheet.name }) },
      ...chartTitleRules(source, part, put),
      extLst: SKIP_ELEMENT,
    })
  }
  return found
}
