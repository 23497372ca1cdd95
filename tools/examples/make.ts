import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { readBlocks } from './blocks.ts'
import { docx } from './docx.ts'
import { pdf } from './pdf.ts'
import { pptx } from './pptx.ts'
import { readSheets } from './sheets.ts'
import { xlsx } from './xlsx.ts'

/*
 * Makes the sample documents that are no plain text, from their sources beside this file.
 *
 *   node tools/examples/make.ts [DIRECTORY]      default: examples/documents
 */
const source = (name: string) => readFileSync(path.join(import.meta.dirname, 'sources', `${name}.md`), 'utf8')

const about = (title: string, subject: string, date: string) => ({
  title,
  author: 'Harbor & Pine Cooperative',
  subject,
  created: new Date(`${date}T09:00:00Z`),
})

/** The files by name. The same sources give the same bytes on any day. */
export const DOCUMENTS: Record<string, Buffer> = {
  'safety-manual.pdf': pdf(
    readBlocks(source('safety-manual')),
    about('Safety Manual', 'Seventh edition', '2026-08-24'),
  ),
  'supplier-contract.docx': docx(
    readBlocks(source('supplier-contract')),
    about('Supply Agreement HP-2026-031', 'Beverages and kitchen goods', '2026-01-19'),
  ),
  'season-review.pptx': pptx(
    readBlocks(source('season-review')),
    about('Season Review 2025–26', 'Members’ assembly', '2026-07-11'),
  ),
  'stock.xlsx': xlsx(
    readSheets(source('stock')),
    about('Stock and equipment', 'Count of November 2026', '2026-11-07'),
  ),
}

if (import.meta.main) {
  const target = process.argv[2] ?? path.join(import.meta.dirname, '../../examples/documents')
  mkdirSync(target, { recursive: true })
  for (const [name, content] of Object.entries(DOCUMENTS)) writeFileSync(path.join(target, name), content)
}
