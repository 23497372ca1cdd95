import type { FileLimits } from './limits.ts'
import type { HtmlListener } from './web/html-parse.ts'

/** A tag of those that calendars write. `a < b` and `<ada@example.com>` are none. */
const TAG = /<\/?(?:a|b|br|div|em|font|h[1-6]|html|i|li|ol|p|span|strong|table|td|tr|u|ul)(?:\s[^<>]*)?\/?>/i
const BLOCK = /<(?:br|div|html|li|p|td)\b/i

/**
 * The text of a description. Google, Outlook and others write HTML where the standard has plain text: then as markdown, like a page,
 * and with the addresses of links, which are those of meetings. A text that is nested too deeply stays as it is.
 */
export async function describedText(text: string, limits: FileLimits): Promise<string> {
  if (!TAG.test(text)) return text
  const [{ HtmlOverLimit, parseHtml, visitNodes }, { HtmlText }] = await Promise.all([
    import('./web/html-parse.ts'),
    import('./web/html-text.ts'),
  ])
  // Without elements for lines, the line breaks of the text are meant.
  const html = BLOCK.test(text) ? text : text.replaceAll('\n', '<br>')
  const page = new HtmlText()
  try {
    const { children } = parseHtml(html, { depth: limits.htmlDepth, elements: limits.htmlElements })
    visitNodes(children, new LinkAddresses(page))
  } catch (error) {
    if (error instanceof HtmlOverLimit) return text
    throw error
  }
  return page.result().text
}

/** Writes the address of a link behind its text, where that does not show it. */
class LinkAddresses implements HtmlListener {
  readonly #listener: HtmlListener
  #address: string | undefined
  #shown = ''

  constructor(listener: HtmlListener) {
    this.#listener = listener
  }

  open(name: string, attributes: Record<string, string>): void {
    if (name === 'a') {
      this.#address = attributes.href
      this.#shown = ''
    }
    this.#listener.open(name, attributes)
  }

  text(text: string): void {
    if (this.#address !== undefined) this.#shown += text
    this.#listener.text(text)
  }

  close(name: string): void {
    this.#listener.close(name)
    if (name !== 'a' || this.#address === undefined) return
    const address = this.#address.trim()
    this.#address = undefined
    if (/^\w+:\/\//.test(address) && !this.#shown.includes(address)) this.#listener.text(` (${address})`)
  }
}
