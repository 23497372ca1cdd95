import { stripVTControlCharacters } from 'node:util'
import type { Metadata } from '../../contract/document.ts'
import { SluiceError } from '../../kit/errors.ts'
import { fewTold } from '../few-told.ts'
import { readHtml } from '../web/html.ts'
import { type JsonEvents, type JsonPath, JsonScanner } from './json-scanner.ts'
import type { FileLimits } from '../limits.ts'
import { LimitedText, type NotebookCell, NotebookCells, type NotebookOutput } from './notebook-cells.ts'
import type { ReaderItem, StreamFile, StreamReader } from '../reader.ts'
import { textPieces } from '../text.ts'

/**
 * Reads a notebook of Jupyter (nbformat 2 to 4), a document per cell: markdown as it is, code between fences, then
 * the text that it printed or gave, an error with its traceback. Pictures are left out. Metadata: `cell`, its number
 * from 1, and `cellType`; `language` and `kernel` of the notebook. The file may have any length: of long outputs the
 * beginning is read, and a note says so.
 *
 * @throws SluiceError `file_unreadable` for what is not a notebook, `file_over_limit` if it is nested too deep
 */
export const readNotebook: StreamReader = (file, _options, limits) => fewTold(cellsOf(file, limits))

async function* cellsOf(file: StreamFile, limits: FileLimits): AsyncGenerator<ReaderItem> {
  // the facts about a notebook stand behind its cells
  const facts = new NotebookFacts()
  for await (const _ of scanned(file, facts, limits));
  if (!facts.hasCells) throw unreadable(file, 'it is not a notebook: it has no list of cells')
  const about = facts.metadata()
  const cells = new NotebookCells(limits)
  for await (const _ of scanned(file, cells, limits))
    for (const cell of cells.complete.splice(0)) yield* documentOf(cell, about, limits)
  if (cells.outputsLeftOut > 0) yield { note: `${cells.outputsLeftOut} outputs of its cells were left out` }
}

/** Passes over the file; yields after each piece of it. */
async function* scanned(file: StreamFile, events: JsonEvents, limits: FileLimits): AsyncGenerator<void> {
  const scanner = new JsonScanner(events, limits.jsonDepth)
  try {
    for await (const piece of textPieces(file)) {
      scanner.push(piece)
      yield
    }
  } catch (error) {
    if (error instanceof RangeError)
      throw new SluiceError('file_over_limit', { file: file.name, reason: 'its JSON is nested too deep' })
    if (error instanceof SyntaxError) throw unreadable(file, 'it is not valid JSON')
    throw error
  }
  if (!scanner.isComplete) throw unreadable(file, 'it is not valid JSON: it ends too early')
}

const unreadable = (file: StreamFile, reason: string): SluiceError =>
  new SluiceError('file_unreadable', { file: file.name, reason })

class NotebookFacts implements JsonEvents {
  hasCells = false
  readonly #found = new Map<string, LimitedText>()

  open(path: JsonPath): void {
    if (path.length === 1 && path[0] === 'cells') this.hasCells = true
    if (path.length === 3 && path[0] === 'worksheets' && path[2] === 'cells') this.hasCells = true
  }

  close(): void {}

  text(path: JsonPath): ((piece: string) => void) | undefined {
    if (path[0] !== 'metadata' || path.length > 3) return undefined
    const key = path.slice(1).join('.')
    if (!FACTS.has(key)) return undefined
    const text = new LimitedText({ left: 200 })
    this.#found.set(key, text)
    return (piece) => text.add(piece)
  }

  metadata(): Metadata {
    const first = (...keys: string[]) =>
      keys.map((key) => this.#found.get(key)?.text.trim()).find((text) => text)
    const language = first('language_info.name', 'kernelspec.language', 'language')
    const kernel = first('kernelspec.display_name', 'kernelspec.name')
    const title = first('title')
    return { ...(title && { title }), ...(language && { language }), ...(kernel && { kernel }) }
  }
}

const FACTS: ReadonlySet<string> = new Set([
  'kernelspec.display_name',
  'kernelspec.language',
  'kernelspec.name',
  'language',
  'language_info.name',
  'title',
])

async function* documentOf(
  cell: NotebookCell,
  about: Metadata,
  limits: FileLimits,
): AsyncGenerator<ReaderItem> {
  const { number, source, outputs } = cell
  const type = cell.type.text
  const written = source.text.replace(/\r\n?/g, '\n').trim()
  const results = new LimitedText({ left: limits.notebookOutput })
  let cut = source.cut
  for (const output of outputs) {
    const found = await outputText(output, limits)
    cut += found.cut
    if (found.text !== '') results.add(results.text === '' ? found.text : `\n${found.text}`)
  }
  cut += results.cut
  const language = typeof about.language === 'string' ? about.language : ''
  const blocks = [
    written === '' || type !== 'code' ? headed(type, written) : fenced(written, language),
    results.text === '' ? '' : `Output:\n\n${fenced(results.text, '')}`,
  ].filter((block) => block !== '')
  const metadata = { cell: number, cellType: type || 'unknown', ...about }
  if (blocks.length > 0) yield { pageContent: blocks.join('\n\n'), metadata, last: true }

  const place = { part: `cell ${number}` }
  const pictures = cell.pictures + outputs.filter(({ hasPicture }) => hasPicture).length
  if (pictures > 0) yield { dropped: { kind: 'picture', count: pictures, place } }
  if (cut === 0) return
  const what = source.cut > 0 ? 'text' : 'output'
  yield { note: `the ${what} of cell ${number} is long: ${cut} characters of it were left out` }
  yield { dropped: { kind: 'cutText', count: cut, place } }
}

const headed = (type: string, written: string): string =>
  type === 'heading' && written !== '' ? `# ${written}` : written

/** Between fences that are longer than any in the text. */
function fenced(text: string, language: string): string {
  const inside = text.match(/`{3,}/g) ?? []
  const fence = '`'.repeat(inside.reduce((most, ticks) => Math.max(most, ticks.length + 1), 3))
  return `${fence}${language}\n${text}\n${fence}`
}

/** What an object is called that has no text: `<Figure size 640x480 with 1 Axes>`. */
const ONLY_A_NAME = /^<[^<>\n]+>$/

/** The text of an output: its plain form, unless that only names an object that has another. */
async function outputText(
  { plain, markdown, latex, html, error, traceback, hasPicture }: NotebookOutput,
  limits: FileLimits,
): Promise<{ text: string; cut: number }> {
  for (const form of [traceback, error, plain, markdown, latex]) {
    const text = shown(form.text)
    if (form === plain && ONLY_A_NAME.test(text)) continue
    if (text !== '' || form.cut > 0) return { text, cut: form.cut }
  }
  const text = await fromHtml(html.text, limits)
  return { text: text || (hasPicture ? '' : shown(plain.text)), cut: html.cut }
}

/** As a terminal shows it: without colours, and of a line that was written again (a progress bar) the last state. */
function shown(text: string): string {
  if (text === '') return ''
  const lines = stripVTControlCharacters(text).replaceAll('\r\n', '\n').split('\n')
  return lines
    .map((line) => {
      const whole = line.replace(/\r+$/, '')
      return whole.slice(whole.lastIndexOf('\r') + 1).trimEnd()
    })
    .join('\n')
    .trim()
}

async function fromHtml(html: string, limits: FileLimits): Promise<string> {
  if (html.trim() === '') return ''
  try {
    let text = ''
    for await (const item of readHtml(
      { bytes: Buffer.from(html), name: 'output' },
      { encoding: 'utf-8' },
      limits,
    ))
      if ('pageContent' in item) text += item.pageContent
    return text.trim()
  } catch (error) {
    if (error instanceof SluiceError) return ''
    throw error
  }
}
