import { writeZip } from '../../test/support/zip-writer.ts'
import type { About } from './blocks.ts'
import { escapeXml, opening, type Part, RELATIONS, relations, withContentTypes } from './office.ts'

/** A cell: text, number, date, an amount in dollars, or a formula with the value it had when last computed. */
export type Cell = string | number | Date | { dollars: number } | { formula: string; value: number } | null

export type Sheet = { name: string; hidden?: true; widths: number[]; rows: Cell[][] }

const SPREADSHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const TYPE = 'officedocument.spreadsheetml'

/** Rows of the table of cell formats below. */
const FORMATS = { plain: 0, head: 1, date: 2, dollars: 3 }

/** Writes a workbook; the first row of a sheet is its head. Texts are shared between cells, as Excel does it. */
export function xlsx(sheets: Sheet[], about: About): Buffer {
  const texts = new Map<string, number>()
  const part = (name: string, type: string, xml: string): Part => ({
    path: `xl/${name}.xml`,
    type: `${TYPE}.${type}`,
    xml,
  })
  const pages = sheets.map((sheet, index) =>
    part(`worksheets/sheet${index + 1}`, 'worksheet', worksheet(sheet, texts)),
  )
  return writeZip(
    withContentTypes([
      ...opening('xl/workbook.xml', about),
      part('workbook', 'sheet.main', workbook(sheets)),
      relations('xl/_rels/workbook.xml.rels', [
        ...sheets.map((_, index): [string, string, string] => [
          `rId${index + 1}`,
          'worksheet',
          `worksheets/sheet${index + 1}.xml`,
        ]),
        ['rIdStyles', 'styles', 'styles.xml'],
        ['rIdTexts', 'sharedStrings', 'sharedStrings.xml'],
      ]),
      part('styles', 'styles', STYLES),
      part('sharedStrings', 'sharedStrings', sharedStrings(texts)),
      ...pages,
    ]),
  )
}

function workbook(sheets: Sheet[]): string {
  const list = sheets.map(
    ({ name, hidden }, index) =>
      `<sheet name="${escapeXml(name)}" sheetId="${index + 1}"${hidden ? ' state="hidden"' : ''} r:id="rId${index + 1}"/>`,
  )
  return `<workbook xmlns="${SPREADSHEET}" xmlns:r="${RELATIONS}"><sheets>${list.join('')}</sheets></workbook>`
}

function worksheet({ widths, rows }: Sheet, texts: Map<string, number>): string {
  const columns = widths.map(
    (width, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`,
  )
  const body = rows.map((row, y) => {
    const cells = row.map((cell, x) =>
      cellXml(cell, `${String.fromCharCode(65 + x)}${y + 1}`, y === 0, texts),
    )
    return `<row r="${y + 1}">${cells.join('')}</row>`
  })
  return `<worksheet xmlns="${SPREADSHEET}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" state="frozen"/></sheetView></sheetViews><cols>${columns.join('')}</cols><sheetData>${body.join('')}</sheetData></worksheet>`
}

function cellXml(cell: Cell, place: string, head: boolean, texts: Map<string, number>): string {
  if (cell === null) return ''
  if (typeof cell === 'string') {
    const index = texts.get(cell) ?? texts.size
    texts.set(cell, index)
    return `<c r="${place}" s="${head ? FORMATS.head : FORMATS.plain}" t="s"><v>${index}</v></c>`
  }
  if (typeof cell === 'number') return `<c r="${place}"><v>${cell}</v></c>`
  if (cell instanceof Date) return `<c r="${place}" s="${FORMATS.date}"><v>${serial(cell)}</v></c>`
  if ('dollars' in cell) return `<c r="${place}" s="${FORMATS.dollars}"><v>${cell.dollars}</v></c>`
  return `<c r="${place}" s="${FORMATS.dollars}"><f>${escapeXml(cell.formula)}</f><v>${cell.value}</v></c>`
}

/** A day as Excel counts it: 1 is the first of January 1900, and 1900 is taken for a leap year. */
const serial = (date: Date) => Math.round(date.getTime() / 86_400_000) + 25_569

const sharedStrings = (texts: Map<string, number>) =>
  `<sst xmlns="${SPREADSHEET}" uniqueCount="${texts.size}">${[...texts.keys()].map((text) => `<si><t>${escapeXml(text)}</t></si>`).join('')}</sst>`

const STYLES = `<styleSheet xmlns="${SPREADSHEET}"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="&quot;$&quot;#,##0.00"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Liberation Sans"/></font><font><b/><sz val="11"/><name val="Liberation Sans"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="4"><xf/><xf fontId="1" applyFont="1"/><xf numFmtId="164" applyNumberFormat="1"/><xf numFmtId="165" applyNumberFormat="1"/></cellXfs></styleSheet>`
