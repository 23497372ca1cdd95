import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { DocumentPart } from '../../src/contract/document.ts'
import { FILE_TYPES, type FileType } from '../../src/contract/file-parser.ts'
import { wordsOf } from './text-score.ts'

/** A document of the corpus and its text by another tool or by its author. */
export type ExpectedText = { file: string; name: string; type: FileType; wanted: string }

/** A score of a shorter text means nothing: one word more or less is a tenth of it. */
const FEWEST_WORDS = 20

/** The rows of the manifest of a folder of documents, by the names of its columns. */
export function manifestOf(docs: string): Record<string, string>[] {
  const [header = '', ...rows] = readFileSync(path.join(docs, 'manifest.tsv'), 'utf8').trim().split('\n')
  const columns = header.split('\t')
  return rows.map((row) => {
    const cells = row.split('\t')
    return Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? '']))
  })
}

/** Every document with an expected text beside it that is long enough to be scored. */
export function expectedTexts(docs: string): ExpectedText[] {
  return manifestOf(docs).flatMap(({ path: name = '', expected = '' }) => {
    const type = FILE_TYPES.find((known) => name.startsWith(`${known}/`))
    const text = expected.split(';').find((found) => /\.(md|txt)$/.test(found))
    const [file, wantedFile] = [path.join(docs, name), path.join(docs, text ?? '')]
    if (type === undefined || text === undefined || !existsSync(file) || !existsSync(wantedFile)) return []
    const wanted = readFileSync(wantedFile, 'utf8')
    return wordsOf(wanted).length < FEWEST_WORDS ? [] : [{ file, name, type, wanted }]
  })
}

/** The output of our readers for a file, as one text to compare with those of other tools. */
export const textOfParts = (type: FileType, parts: readonly DocumentPart[]): string =>
  (ROWS.has(type) ? rowTexts(parts) : parts.map(({ pageContent }) => pageContent)).join('\n')

/** The types that are read as rows with the names of their columns. */
const ROWS: ReadonlySet<FileType> = new Set(['csv', 'ods', 'xls', 'xlsx'])

/** Rows of tables; the name of a sheet or column, which each of them repeats, counts where it first appears. */
function rowTexts(parts: readonly DocumentPart[]): string[] {
  const seen = new Set<string>()
  return parts.map(({ pageContent, metadata }) => {
    const sheet = String(metadata.worksheet ?? '')
    const fresh: string[] = []
    const meet = (name: string, key: string) => {
      if (!seen.has(key)) fresh.push(name)
      seen.add(key)
    }
    meet(sheet, sheet)
    const values = pageContent.replace(/^(?:- )?([^\n]*?):(?: |$)/gm, (_, name: string) => {
      meet(name, `${sheet}\n${name}`)
      return ''
    })
    return [...fresh, values].join('\n')
  })
}
