import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { OCR_LIMITS } from './ocr.ts'
import { type ReadPage, textOfTsv } from './ocr-text.ts'
import { drawPage } from './page-raster.ts'
import { type Matrix, picturesOf } from './pdf-pictures.ts'
import type { Note, ReaderHelp } from '../reader.ts'

/** Has the pages of a PDF read that have no text, and tells what came of it. */
export type Scans = {
  /** The text of a page; undefined where there is none, or it cannot be read. */
  read(pageNumber: number): Promise<ReadPage | undefined>
  /** What can be said of all pages, after the last one. */
  notes(): Note[]
  /** What is lacking to read them; undefined where nothing is. */
  lacking: string | undefined
}

/** Less is no text but the noise of a photo: scans that a person can read have more. */
const LEAST_CONFIDENCE = 0.3

/** How many pages a note names. */
const NAMED = 20

export function scansOf(pdf: PDFDocumentProxy, { ocr }: ReaderHelp): Scans {
  const began = process.cpuUsage()
  const unread = new Map<string, number[]>()
  /** Reasons of the program, which may read the same page when the machine has more time for it. */
  const passing = new Set<string>()
  let read = 0
  let tried = 0
  let failures = 0
  let confidence = 0

  /** Why no more pages are tried; undefined while they are. */
  function end(most: number): string | undefined {
    if (tried >= most) return `at most ${most} pages of a file are read by OCR`
    if (failures >= OCR_LIMITS.failures) return 'OCR failed for the pages before'
    const { user, system } = process.cpuUsage(began)
    return (user + system) / 1e6 > OCR_LIMITS.pictureSeconds ? 'the pictures before took too long' : undefined
  }

  const note = (pageNumber: number, reason: string) =>
    void unread.set(reason, [...(unread.get(reason) ?? []), pageNumber])

  return {
    lacking: ocr && 'lacking' in ocr.offer ? ocr.offer.lacking : undefined,

    async read(pageNumber) {
      if (!ocr || 'lacking' in ocr.offer) return undefined
      const over = end(ocr.offer.pages)
      if (over !== undefined) return note(pageNumber, over)
      const { raster, isMissingLarge } = await rasterOf(pdf, pageNumber)
      if (!raster) {
        // A page without pictures may be blank: nothing is said of it.
        const large = `a picture has more than ${OCR_LIMITS.picturePixels / 1e6} million pixels`
        return isMissingLarge ? note(pageNumber, large) : undefined
      }
      tried++
      const answer = await ocr.ask(raster)
      if ('failed' in answer) {
        failures++
        passing.add(answer.failed)
        return note(pageNumber, answer.failed)
      }
      failures = 0
      const page = textOfTsv(answer.tsv)
      if (page.text === '' || page.confidence < LEAST_CONFIDENCE)
        return note(pageNumber, 'nothing legible was found')
      read++
      confidence += page.confidence
      return page
    },

    notes() {
      const notes: Note[] = []
      if (read > 0 && ocr && 'languages' in ocr.offer) {
        const mean = (confidence / read).toFixed(2)
        notes.push({
          note: `${read} of ${pdf.numPages} pages read by OCR (${ocr.offer.languages}), confidence ${mean}`,
        })
      }
      for (const [reason, pages] of unread) {
        const more = pages.length > NAMED ? ` and ${pages.length - NAMED} more` : ''
        const which = `${pages.length === 1 ? 'page' : 'pages'} ${pages.slice(0, NAMED).join(', ')}${more}`
        notes.push({
          note: `no text, and not read by OCR: ${which} (${reason})`,
          ...(passing.has(reason) ? { passing: true } : {}),
        })
      }
      return notes
    },
  }
}

async function rasterOf(pdf: PDFDocumentProxy, pageNumber: number) {
  const page = await pdf.getPage(pageNumber)
  try {
    const { pictures, isMissingLarge } = await picturesOf(page)
    const { width, height, transform } = page.getViewport({ scale: 1 })
    const frame = { width, height, transform: transform as unknown as Matrix }
    return { raster: drawPage(pictures, frame), isMissingLarge }
  } catch {
    return { raster: undefined, isMissingLarge: false }
  } finally {
    page.cleanup()
  }
}
