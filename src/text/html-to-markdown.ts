import { createRequire } from 'node:module'
import type { Cutter, Piece, TextSplitter } from '../contract/splitter.ts'
import type * as HtmlParse from '../formats/html-parse.ts'
import { HtmlText } from '../formats/html-text.ts'
import { markdownSplitter } from './markdown.ts'
import type { Sizes } from './sizes.ts'
import { splitterId } from './splitter-id.ts'

/**
 * Turns HTML into markdown and cuts that as {@link markdownSplitter} does; line numbers are those of the markdown.
 * Text without tags is cut as it is: a page read by our own HTML reader is markdown already. `open` gathers the whole
 * text, for only its end shows what it was. Throws RangeError for sizes that make no sense.
 */
export function htmlToMarkdownSplitter({ chunkSize, chunkOverlap }: Sizes): TextSplitter {
  const markdown = markdownSplitter({ chunkSize, chunkOverlap })
  const split = (text: string): Piece[] => markdown.split(isHtml(text) ? markdownOf(text) : text)
  return {
    id: splitterId('html-to-markdown', { chunkSize, chunkOverlap }),
    split,
    open(): Cutter {
      let gathered = ''
      return {
        push(part) {
          gathered += part
          return []
        },
        end: () => split(gathered),
      }
    },
  }
}

const require = createRequire(import.meta.url)

/** This module is TypeScript in a checkout and JavaScript in an installed package; so is its neighbour. */
const PARSE = `../formats/html-parse.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`

/** The text of a splitter may be as long as any document, and is parsed in the process of the server. */
const LIMITS = { depth: 1000, elements: 200_000 }

/** The markdown of HTML, nothing in it escaped; HTML that is beyond all measure is given back as it is. */
export function markdownOf(html: string): string {
  // Loaded with the first HTML: few flows cut any, and every start would wait for it.
  const { HtmlOverLimit, parseHtml, tellNodes } = require(PARSE) as typeof HtmlParse
  const page = new HtmlText()
  try {
    tellNodes(parseHtml(html, LIMITS).children, page)
  } catch (error) {
    if (error instanceof HtmlOverLimit) return html
    throw error
  }
  return page.result().text
}

/** Whether a text begins with a tag, or closes one outside of markdown's code. */
function isHtml(text: string): boolean {
  if (/^\s*<(?:!doctype\b|!--|[a-z])/i.test(text)) return true
  return /<\/[a-z][\w-]*\s*>/i.test(text.replace(/^ {0,3}(`{3,}|~{3,})[\s\S]*?^ {0,3}\1|`[^`\n]*`/gm, ''))
}
