import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { TextSplitter } from '../contract/splitter.ts'
import type * as HtmlParse from '../formats/web/html-parse.ts'
import { HtmlText } from '../formats/web/html-text.ts'
import { besideModule } from '../kit/module.ts'
import { MAX_INLINE_CHARACTERS, convertHtmlOffThread } from './convert-html.ts'
import { isHtml } from './is-html.ts'
import { markdownSplitter } from './markdown.ts'
import type { ChunkSizes } from './chunk-sizes.ts'
import { splitterId } from './splitter-id.ts'

/**
 * Converts HTML to markdown and cuts that as {@link markdownSplitter} does; line numbers are those of the markdown.
 * Text without tags is cut as it is: a page read by our own HTML reader is markdown already. `open` expects the
 * result of `convert` for a whole document.
 *
 * @throws RangeError for invalid sizes
 */
export function htmlToMarkdownSplitter({ chunkSize, chunkOverlap }: ChunkSizes): TextSplitter {
  const markdown = markdownSplitter({ chunkSize, chunkOverlap })
  return {
    id: splitterId('html-to-markdown', { chunkSize, chunkOverlap }),
    split: (text) => markdown.split(convertHtml(text)),
    open: markdown.open,
    convert: async (text, signal) =>
      text.length <= MAX_INLINE_CHARACTERS ? convertHtml(text) : convertHtmlOffThread(text, signal),
  }
}

/** The markdown of a text that may be HTML; any other text is returned unchanged. */
export const convertHtml = (text: string): string => (isHtml(text) ? markdownOf(text) : text)

const require = createRequire(import.meta.url)

const PARSE = fileURLToPath(besideModule(import.meta.url, '../formats/web/html-parse'))

/** A text may have the length of a whole document, so parsing is limited. */
const PARSE_LIMITS = { depth: 1000, elements: 200_000 }

/** The markdown of HTML, with nothing escaped; HTML beyond the limits is returned unchanged. */
export function markdownOf(html: string): string {
  // Loaded at the first HTML: few flows need it, and it would slow down every start.
  const { HtmlOverLimit, parseHtml, visitNodes: tellNodes } = require(PARSE) as typeof HtmlParse
  const page = new HtmlText()
  try {
    tellNodes(parseHtml(html, PARSE_LIMITS).children, page)
  } catch (error) {
    if (error instanceof HtmlOverLimit) return html
    throw error
  }
  return page.result().text
}
