import { readBlocks } from './blocks.ts'
import type { Cell, Sheet } from './xlsx.ts'

/**
 * Reads sheets from tables below headings; a heading that ends in "(hidden)" hides its sheet. What a cell is, its text
 * tells: 2026-11-02 is a day, $8.70 an amount, =E*F the product of two columns of the same row.
 */
export function readSheets(markdown: string): Sheet[] {
  const sheets: Sheet[] = []
  for (const block of readBlocks(markdown)) {
    if (block.kind === 'heading') {
      const name = block.text.replace(' (hidden)', '')
      sheets.push({ name, widths: [], rows: [], ...(name === block.text ? {} : { hidden: true }) })
    } else if (block.kind === 'table') {
      const sheet = sheets.at(-1)!
      sheet.rows = block.rows.map((row, index) => row.map((text) => cellOf(text, row, index + 1)))
      sheet.widths = block.rows[0]!.map((_, column) => longest(block.rows, column) + 2)
    }
  }
  return sheets
}

const longest = (rows: string[][], column: number) => Math.max(...rows.map((row) => row[column]!.length))

function cellOf(text: string, row: string[], line: number): Cell {
  if (text === '') return null
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return new Date(`${text}T00:00:00Z`)
  if (/^\d+$/.test(text)) return Number(text)
  if (text.startsWith('$')) return { dollars: amount(text) }
  const product = /^=([A-Z])\*([A-Z])$/.exec(text)
  if (!product) return text
  const [, a, b] = product as unknown as [string, string, string]
  const value = amount(row[a.charCodeAt(0) - 65]!) * amount(row[b.charCodeAt(0) - 65]!)
  return { formula: `${a}${line}*${b}${line}`, value: Number(value.toFixed(2)) }
}

const amount = (text: string) => Number(text.replace(/[$,]/g, ''))
