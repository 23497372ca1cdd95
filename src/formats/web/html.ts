import type { Document } from 'domhandler'
import { SluiceError } from '../../kit/errors.ts'
import { decodeText } from '../decode.ts'
import { HtmlLinks } from './html-links.ts'
import { HtmlOverLimit, parseHtml, visitNodes } from './html-parse.ts'
import { HtmlText } from './html-text.ts'
import { NoteMarks } from './note-marks.ts'
import { visitSelected } from './html-tree.ts'
import { VisibleHtml } from './html-visible.ts'
import type { FileLimits } from '../limits.ts'
import type { FormatReader } from '../reader.ts'
import { UndecodedCharacters } from '../undecoded.ts'

/**
 * Reads an HTML page as markdown (see html-text.ts); its title becomes metadata. Hidden elements are left out, and a
 * note says how many (see html-visible.ts).
 */
export const readHtml: FormatReader = async function* (file, { encoding, selector, linksFrom }, limits) {
  const { page, tree, hidden, lost } = await readPage(file, { encoding, selector }, limits)
  if (hidden > 0) {
    yield { note: `${hidden} hidden ${hidden === 1 ? 'element was' : 'elements were'} left out` }
    yield { dropped: { kind: 'hiddenElement', count: hidden } }
  }
  yield* lost.report()
  const links = linksFrom === undefined ? undefined : new HtmlLinks(linksFrom)
  if (links) visitNodes(tree.children, links)
  const { text, title } = page.result()
  if (text === '' && !links) return
  const metadata = { ...(title === '' ? {} : { title }), ...(links ? { links: links.found() } : {}) }
  yield { pageContent: text, metadata, last: true }
}

/** Reads the visible parts of a page, or those that a selector names. @throws SluiceError `file_over_limit` */
export async function readPage(
  file: { bytes: Uint8Array; name: string },
  { encoding, selector }: { encoding?: string | undefined; selector?: string | undefined },
  limits: FileLimits,
): Promise<{ page: HtmlText; tree: Document; hidden: number; lost: UndecodedCharacters }> {
  const lost = new UndecodedCharacters()
  const html = await decodeText(file.bytes, encoding ?? declaredEncoding(file.bytes), lost)
  const tree = treeOf(html, file.name, limits)
  const page = new HtmlText()
  const visible = new VisibleHtml(new NoteMarks(page))
  if (selector === undefined) visitNodes(tree.children, visible)
  else visitSelected(tree, selector, visible)
  return { page, tree, hidden: visible.leftOut, lost }
}

function treeOf(html: string, file: string, limits: FileLimits) {
  try {
    return parseHtml(html, { depth: limits.htmlDepth, elements: limits.htmlElements })
  } catch (error) {
    if (error instanceof HtmlOverLimit)
      throw new SluiceError('file_over_limit', { file, reason: error.message })
    throw error
  }
}

/** HTML: "the element containing the character encoding declaration must be within the first 1024 bytes". */
function declaredEncoding(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 1024)).toString('latin1')
  return /<meta[^>]+charset\s*=\s*["']?([\w:-]+)/i.exec(head)?.[1]?.toLowerCase()
}
