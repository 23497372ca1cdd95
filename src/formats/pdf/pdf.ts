import path from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  getDocument,
  InvalidPDFException,
  PasswordException,
  type PDFDocumentProxy,
} from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { Metadata } from '../../contract/document.ts'
import { SluiceError } from '../../kit/errors.ts'
import type { Json, JsonObject } from '../../kit/json.ts'
import { passwordMissing, passwordWrong } from '../file-locked.ts'
import { type PageText, pageTexts } from './pdf-pages.ts'
import { scansOf } from './pdf-scans.ts'
import { formTexts } from './pdf-xfa.ts'
import { OCR_LIMITS } from './ocr.ts'
import type { DroppedItem, FormatReader, Note, ReaderItem } from '../reader.ts'

/**
 * Reads a PDF: a document per page with `loc.pageNumber`, or one document of all pages. Pages without text are read by
 * OCR where the parent process has it, with `ocr.confidence`; else they are skipped, and if most pages are, a note says so. Pages are yielded while the file is read, a few pages late, because
 * running headers are found by comparing pages.
 *
 * Metadata `pdf` has the page count and the info dictionary. Flowise adds the version of its PDF library; we do not,
 * because a library update would then change the metadata of every chunk.
 */
export const readPdf: FormatReader = async function* (file, options, limits, help = {}) {
  const pdf = await open(file, options.password)
  try {
    const totalPages = pdf.numPages
    if (totalPages > limits.pdfPages) {
      const reason = `it has ${totalPages} pages, the limit is ${limits.pdfPages}`
      throw new SluiceError('file_over_limit', { file: file.name, reason })
    }
    const info = await infoOf(pdf)
    const metadata = { pdf: { info, totalPages } }
    const pages = pdf.isPureXfa
      ? formTexts(pdf)
      : pageTexts(pdf, file.name, info.IsXFAPresent === true, scansOf(pdf, help))
    yield* options.usage === 'perFile' ? oneDocument(pages, metadata) : documentPerPage(pages, metadata)
  } finally {
    await pdf.loadingTask.destroy()
  }
}

/** In characters. A longer text of the info dictionary is not a title, and would be copied into every chunk. */
const LONGEST_INFO = 500

const LIBRARY = path.dirname(fileURLToPath(import.meta.resolve('pdfjs-dist/package.json')))

/**
 * A folder of pdf.js's own data (character maps, metrics of the standard fonts, decoders), with the slash at the end
 * that pdf.js requires.
 */
const data = (folder: string): string => path.join(LIBRARY, folder, path.sep)

async function open(
  file: { bytes: Uint8Array; name: string },
  password?: string,
  enableXfa = true,
): Promise<PDFDocumentProxy> {
  const task = getDocument({
    // a copy, because pdf.js detaches the buffer
    data: Uint8Array.from(file.bytes),
    ...(password === undefined ? {} : { password }),
    verbosity: 0,
    useSystemFonts: false,
    disableFontFace: true,
    stopAtErrors: false,
    enableXfa,
    // Pictures are decoded only of pages without text.
    maxImageSize: OCR_LIMITS.picturePixels,
    cMapUrl: data('cmaps'),
    cMapPacked: true,
    standardFontDataUrl: data('standard_fonts'),
    wasmUrl: data('wasm'),
    iccUrl: data('iccs'),
  })
  try {
    return await task.promise
  } catch (error) {
    if (error instanceof PasswordException)
      throw password === undefined ? passwordMissing(file.name) : passwordWrong(file.name)
    // a broken form must not prevent reading the pages
    if (enableXfa && !(error instanceof InvalidPDFException)) return await open(file, password, false)
    const reason = /encrypt/.test(String(error))
      ? 'its kind of encryption is not supported'
      : 'it is damaged or incomplete'
    throw new SluiceError('file_unreadable', { file: file.name, reason })
  }
}

/** Title, author, dates: the texts, numbers and booleans of the info dictionary. */
async function infoOf(pdf: PDFDocumentProxy): Promise<JsonObject> {
  const { info } = await pdf.getMetadata().catch(() => ({ info: {} }))
  const kept: [string, Json][] = []
  for (const [key, value] of Object.entries(info)) {
    if (typeof value === 'string' && value !== '') kept.push([key, value.slice(0, LONGEST_INFO)])
    if (typeof value === 'number' || typeof value === 'boolean') kept.push([key, value])
  }
  return Object.fromEntries(kept)
}

async function* documentPerPage(
  pages: AsyncIterable<PageText | Note | DroppedItem>,
  metadata: Metadata,
): AsyncGenerator<ReaderItem> {
  for await (const page of pages) {
    if (!('text' in page)) yield page
    else {
      const { pageNumber, text, confidence } = page
      const ocr = confidence === undefined ? {} : { ocr: { confidence } }
      yield { pageContent: text, metadata: { ...metadata, loc: { pageNumber }, ...ocr }, last: true }
    }
  }
}

/** All pages as parts of one document, with an empty line between them. */
async function* oneDocument(
  pages: AsyncIterable<PageText | Note | DroppedItem>,
  metadata: Metadata,
): AsyncGenerator<ReaderItem> {
  let held: string | undefined
  for await (const page of pages) {
    if (!('text' in page)) yield page
    else {
      if (held !== undefined) yield { pageContent: `${held}\n\n`, metadata, last: false }
      held = page.text
    }
  }
  if (held !== undefined) yield { pageContent: held, metadata, last: true }
}
