import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { DocumentPart } from '../../src/contract/document.ts'
import { FILE_TYPES, type FileType } from '../../src/contract/file-parser.ts'
import { textOfParts } from '../../test/support/corpus-docs.ts'

/** What a reader gives for a file; `pages` if it counts them. */
export type Extracted = { text: string; pages?: number }

type FormatReader = {
  types: readonly FileType[]
  /** Loads the library, so that its time is not that of the first file. */
  load(): Promise<(file: string) => Promise<Extracted>>
}

const require = createRequire(import.meta.url)

/** Our readers and those that are compared with them, each as its documentation shows it. */
export const FORMAT_READERS: Record<string, FormatReader> = {
  sluice: {
    types: FILE_TYPES,
    async load() {
      const ours = await import('../../src/formats/read-file.ts')
      return async (file) => {
        const type = path.extname(file).slice(1) as FileType
        const parts: DocumentPart[] = []
        for await (const item of ours.readFileParts({ path: file, name: path.basename(file), type }))
          if ('pageContent' in item) parts.push(item)
        return { text: textOfParts(type, parts) }
      }
    },
  },
  'pdf.js alone': {
    types: ['pdf'],
    async load() {
      const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs')
      const library = path.dirname(fileURLToPath(import.meta.resolve('pdfjs-dist/package.json')))
      const [cMapUrl, standardFontDataUrl, wasmUrl, iccUrl] = ['cmaps', 'standard_fonts', 'wasm', 'iccs'].map(
        (folder) => path.join(library, folder, path.sep),
      ) as [string, string, string, string]
      const data = { cMapUrl, standardFontDataUrl, wasmUrl, iccUrl, cMapPacked: true }
      const options = { ...data, verbosity: 0, useSystemFonts: false, disableFontFace: true }
      return async (file) => {
        const pdf = await getDocument({ ...options, data: new Uint8Array(await readFile(file)) }).promise
        const pages: string[] = []
        for (let number = 1; number <= pdf.numPages; number++) {
          const page = await pdf.getPage(number)
          const { items } = await page.getTextContent()
          page.cleanup()
          pages.push(
            items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join(''),
          )
        }
        await pdf.loadingTask.destroy()
        return { text: pages.join('\n'), pages: pages.length }
      }
    },
  },
  unpdf: {
    types: ['pdf'],
    async load() {
      const { extractText } = await import('unpdf')
      return async (file) => {
        const { text, totalPages } = await extractText(new Uint8Array(await readFile(file)))
        return { text: text.join('\n'), pages: totalPages }
      }
    },
  },
  'pdf-parse 1': {
    types: ['pdf'],
    async load() {
      // The main module of the package reads a file of its own tests if it is not loaded by `require`.
      type Parse = (bytes: Uint8Array) => Promise<{ text: string; numpages: number }>
      const parse: Parse = require('pdf-parse/lib/pdf-parse.js')
      return async (file) => {
        // A copy: its pdf.js reads a Buffer that shares its memory from the wrong place, and calls the file damaged.
        const { text, numpages } = await parse(Uint8Array.from(await readFile(file)))
        return { text, pages: numpages }
      }
    },
  },
  mammoth: {
    types: ['docx'],
    async load() {
      const { default: mammoth } = await import('mammoth')
      return async (file) => ({ text: (await mammoth.extractRawText({ path: file })).value })
    },
  },
  'word-extractor': {
    types: ['docx'],
    async load() {
      type Word = Record<'getBody' | 'getFootnotes' | 'getEndnotes', () => string>
      const WordExtractor: new () => { extract(file: string): Promise<Word> } = require('word-extractor')
      return async (file) => {
        const word = await new WordExtractor().extract(file)
        return { text: [word.getBody(), word.getFootnotes(), word.getEndnotes()].join('\n') }
      }
    },
  },
  SheetJS: {
    types: ['xlsx', 'csv'],
    async load() {
      const { read, utils } = await import('xlsx')
      return async (file) => {
        const { Sheets, SheetNames } = read(await readFile(file), { type: 'buffer' })
        const rows = SheetNames.map((name) => utils.sheet_to_csv(Sheets[name]!))
        // A CSV file gets a sheet with a name that is not in the file.
        const names = file.endsWith('.csv') ? [] : SheetNames
        return { text: rows.flatMap((text, index) => [names[index] ?? '', text]).join('\n') }
      }
    },
  },
  'csv-parse': {
    types: ['csv'],
    async load() {
      const { parse } = await import('csv-parse/sync')
      const options = { bom: true, relax_quotes: true, relax_column_count: true } as const
      return async (file) => {
        const rows: string[][] = parse(await readFile(file), options)
        return { text: rows.map((row) => row.join('\t')).join('\n') }
      }
    },
  },
}
