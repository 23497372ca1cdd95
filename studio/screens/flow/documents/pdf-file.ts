import { getDocument, type PDFDocumentProxy, PDFWorker, TextLayer, VerbosityLevel } from 'pdfjs-dist'
import { startPdfWorker } from './pdf-worker.ts'

/** A drawn page: elements that are not in the document yet, and the text of each element of the text layer. */
export type DrawnPage = {
  canvas: HTMLCanvasElement
  layer: HTMLElement
  divs: HTMLElement[]
  texts: string[]
}

/** The most pixels of a drawn page: larger ones are drawn with fewer pixels and look less sharp. */
const MOST_PIXELS = 16_000_000

/**
 * Opens a PDF in a worker of its own. Scripts in the file do not run, and nothing that it names is loaded.
 *
 * @param signal ends the worker, also after the file was opened
 * @throws Error with a sentence that can be shown
 */
export async function openPdf(bytes: ArrayBuffer, signal: AbortSignal): Promise<PDFDocumentProxy> {
  signal.throwIfAborted()
  const thread = startPdfWorker()
  signal.addEventListener('abort', () => thread.terminate())
  const broken = new Promise<never>((_resolve, reject) => {
    thread.addEventListener('error', () => reject(new Error('The reader of PDF files could not be started.')))
  })
  // The types of pdf.js allow no port, though its documentation does.
  const worker = PDFWorker.create({ port: thread } as unknown as Parameters<typeof PDFWorker.create>[0])
  const task = getDocument({
    data: new Uint8Array(bytes),
    worker,
    verbosity: VerbosityLevel.ERRORS,
    enableXfa: false,
    disableWorkerRendering: true,
  })
  try {
    return await Promise.race([task.promise, broken])
  } catch (error) {
    thread.terminate()
    throw new Error(sentenceOf(error), { cause: error })
  }
}

function sentenceOf(error: unknown): string {
  const { name, message } = error instanceof Error ? error : { name: '', message: String(error) }
  if (name === 'PasswordException') return 'The file needs a password, so its pages cannot be shown.'
  if (name === 'InvalidPDFException') return 'The file cannot be read as a PDF: it may be damaged.'
  return message
}

/** Draws a page and its text layer with a width in CSS pixels. @throws where the signal ends it */
export async function drawPage(
  pdf: PDFDocumentProxy,
  number: number,
  width: number,
  signal: AbortSignal,
): Promise<DrawnPage> {
  const page = await pdf.getPage(number)
  signal.throwIfAborted()
  const viewport = page.getViewport({ scale: width / page.getViewport({ scale: 1 }).width })
  const most = Math.sqrt(MOST_PIXELS / (viewport.width * viewport.height))
  const ratio = Math.min(globalThis.devicePixelRatio || 1, most)
  const canvas = document.createElement('canvas')
  canvas.width = Math.floor(viewport.width * ratio)
  canvas.height = Math.floor(viewport.height * ratio)
  canvas.style.width = `${viewport.width}px`
  canvas.style.height = `${viewport.height}px`
  canvas.setAttribute('aria-hidden', 'true')
  const drawing = page.render({ canvas, viewport, transform: [ratio, 0, 0, ratio, 0, 0] })
  const cancel = () => drawing.cancel()
  signal.addEventListener('abort', cancel)
  await drawing.promise
  signal.removeEventListener('abort', cancel)

  const layer = document.createElement('div')
  layer.style.setProperty('--total-scale-factor', String(viewport.scale))
  const text = new TextLayer({ textContentSource: await page.getTextContent(), container: layer, viewport })
  await text.render()
  signal.throwIfAborted()
  return { canvas, layer, divs: text.textDivs as HTMLElement[], texts: text.textContentItemsStr as string[] }
}
