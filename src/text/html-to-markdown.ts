import { createRequire } from 'node:module'
import type { TextSplitter } from '../contract/splitter.ts'
import type * as HtmlParse from '../formats/html-parse.ts'
import { HtmlText } from '../formats/html-text.ts'
import { MAX_INLINE_CHARACTERS, convertHtmlOffThread } from './convert-html.ts'
import { isHtml } from './is-html.ts'
import { markdownSplitter } from './markdown.ts'
import type { ChunkSizes } from './chunk-sizes.ts'
import { splitterId } from './splitter-id.ts'

/**
 * Turns HTML into markdown and cuts that as {@link markdownSplitter} does; line numbers are those of the markdown.
 * Text without tags is cut as it is: a page read by our own HTML reader is markdown already. `open` cuts what `convert`
 * made of a whole document. Throws RangeError for sizes that make no sense.
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

/** The markdown of a text that may be HTML; what is none is given back as it is. */
export const convertHtml = (text: string): string => (isHtml(text) ? markdownOf(text) : text)

const require = createRequire(import.meta.url)

/** This module is TypeScript in a checkout and JavaScript in an installed package; so is its neighbour. */
const PARSE = `../formats/html-parse.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`

/** The text of a splitter may be as long as any document. */
const LIMITS = { depth: 1000, elements: 200_000 }

/** The markdown of HTML, nothing in it escaped; HTML that is beyond all measure is given back as it is. */
export function markdownOf(html: string): string {
  // Loaded with the first HTML: few flows cut any, and every start would wait for it.
  const { HtmlOverLimit, parseHtml, visitNodes: tellNodes } = require(PARSE) as typeof HtmlParse
  const page = new HtmlText()
  try {
    tellNodes(parseHtml(html, LIMITS).children, page)
  } catch (error) {
    if (error instanceof HtmlOverLimit) return html
    throw error
  }
  return page.result().text
}
