import { createRequire } from 'node:module'
import type { Cutter, Piece, TextSplitter } from '../contract/splitter.ts'
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

/** The markdown of HTML; nothing in it is escaped. */
export function markdownOf(html: string): string {
  // Loaded with the first HTML: few flows cut any, and every start would wait for it.
  const { Parser } = require('htmlparser2') as typeof import('htmlparser2')
  const page = new HtmlText()
  const parser = new Parser({
    onopentag: (name, attributes) => page.open(name, attributes),
    ontext: (text) => page.text(text),
    onclosetag: (name) => page.close(name),
  })
  parser.end(html)
  return page.result().text
}

/** Whether a text begins with a tag, or closes one outside of markdown's code. */
function isHtml(text: string): boolean {
  if (/^\s*<(?:!doctype\b|!--|[a-z])/i.test(text)) return true
  return /<\/[a-z][\w-]*\s*>/i.test(text.replace(/^ {0,3}(`{3,}|~{3,})[\s\S]*?^ {0,3}\1|`[^`\n]*`/gm, ''))
}
