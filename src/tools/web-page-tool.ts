import type { LoaderItem } from '../contract/loader.ts'
import type { Tool } from '../contract/tool.ts'
import { reasonOf, SluiceError } from '../kit/errors.ts'
import { webAddress } from '../sources/web/address.ts'
import type { SiteOptions, SiteServices } from '../sources/web/site.ts'
import { cutAnswer } from './call.ts'

export type WebPages = {
  /** A name that providers accept. */
  name: string
  description: string
  /** Which pages are read besides the one that the model names. */
  method: SiteOptions['method']
  /** The most pages of one call. */
  maxPages: number
  /** The longest that one page may take, in milliseconds. */
  pageMs: number
  /** The most characters that the model reads. */
  maxCharacters: number
  /** Id of the node, for messages. */
  node: string
}

/** The longest that all pages of one call may take, in milliseconds. */
const ALL_PAGES_MS = 120_000
const PAGE_BYTES = 5 * 2 ** 20

/** Reads web pages for a model: it gives an address and reads the texts. Pages are fetched as those of loaders, robots.txt included. */
export function webPageTool(pages: WebPages, services: SiteServices): Tool {
  const { name, description, method, maxPages, pageMs, maxCharacters, node } = pages
  return {
    name,
    description,
    parameters: {
      type: 'object',
      properties: { input: { type: 'string', description: 'The address of the page: https://…' } },
      required: ['input'],
      additionalProperties: false,
    },
    async call({ input }, signal) {
      if (typeof input !== 'string' || input.trim() === '')
        return { output: 'Nothing was read: input is missing', failed: true }
      let address: string
      try {
        address = webAddress(input)
      } catch (error) {
        return { output: `Nothing was read: ${reasonOf(error)}`, failed: true }
      }
      // Loaded late: it would slow down every start.
      const { siteItems } = await import('../sources/web/site.ts')
      const late = AbortSignal.timeout(ALL_PAGES_MS)
      const ended = AbortSignal.any([signal, late])
      const options = { node, address, method, selected: [], selector: undefined, limit: maxPages }
      const texts: string[] = []
      let read = 0
      try {
        const limits = { pageMs, pageBytes: PAGE_BYTES }
        for await (const item of siteItems(options, { ...services, limits }, ended)) {
          const page = await pageText(item, ended)
          if (page.wasRead) read++
          texts.push(page.text)
        }
      } catch (error) {
        signal.throwIfAborted()
        if (!late.aborted && !(error instanceof SluiceError)) throw error
        texts.push(late.aborted ? 'The time is over: further pages were not read' : reasonOf(error))
      }
      const output = cutAnswer(texts.join('\n\n') || 'No page was found', maxCharacters)
      return { output, ...(read === 0 ? { failed: true } : {}) }
    },
  }
}

/** The address and the text of a page, or why it was not read. */
async function pageText(item: LoaderItem, signal: AbortSignal): Promise<{ text: string; wasRead: boolean }> {
  const texts: string[] = []
  const notes: string[] = []
  try {
    for await (const { parts, notes: said } of item.read(signal)) {
      texts.push(...parts.map(({ pageContent }) => pageContent))
      notes.push(...said)
    }
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error
    return { text: `${item.name}\n(not read: ${error.message})`, wasRead: false }
  }
  const lines = [item.name, ...texts, ...notes.map((note) => `(${note})`)]
  return { text: lines.join('\n'), wasRead: texts.length > 0 }
}
