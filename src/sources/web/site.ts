import type { FileParser, ParsedBatch } from '../../contract/file-parser.ts'
import type { LoaderItem } from '../../contract/loader.ts'
import type { Egress } from '../../kit/egress/client.ts'
import { reasonOf, SluiceError } from '../../kit/errors.ts'
import { failingItem } from '../failing-item.ts'
import { withTemporaryFile } from '../temporary-file.ts'
import { MAX_PAGES } from './address.ts'
import { Frontier, type CrawlStep } from './frontier.ts'
import { fetchPage } from './page.ts'
import { Robots } from './robots.ts'
import type { SitemapEntry } from './sitemap.ts'

export type SiteOptions = {
  /** Id of the node, for messages. */
  node: string
  /** The first page, or a sitemap. */
  address: string
  /** What is read besides the page itself. */
  method: 'webCrawl' | 'scrapeXMLSitemap' | undefined
  /** Pages that the flow lists. If there are any, only they are read. */
  selected: readonly string[]
  /** The most pages, 0 for all; never more than {@link MAX_PAGES}. */
  limit: number
  selector: string | undefined
}

export type SiteServices = {
  egress: Egress
  parser: FileParser
  scratch: string
  limits?: Partial<SiteLimits>
}

/** How long a page may take, in milliseconds, and how large it may be. */
export type SiteLimits = { pageMs: number; pageBytes: number }

const LIMITS: SiteLimits = { pageMs: 60_000, pageBytes: 20 * 2 ** 20 }

/** How many pages are fetched at once. */
const AT_ONCE = 2

/**
 * The pages of a site as items, in the order in which they were found. A crawl is breadth first and stays on the site
 * where it begins. At most two pages are fetched in advance, so that few are in memory.
 *
 * @throws SluiceError `input_invalid` for an invalid selector
 */
export async function* siteItems(
  options: SiteOptions,
  services: SiteServices,
  signal: AbortSignal,
): AsyncGenerator<LoaderItem> {
  await refuseBadSelector(options)
  const stop = new AbortController()
  const { frontier, visit } = createCrawl(options, services, AbortSignal.any([signal, stop.signal]))
  const most = options.limit === 0 ? MAX_PAGES : Math.min(options.limit, MAX_PAGES)
  const pending: Promise<Visit>[] = []
  let pages = 0
  try {
    for (let visits = 0; ; ) {
      while (pending.length < AT_ONCE && pages < most && visits < MAX_PAGES) {
        const step = await frontier.next()
        if (!step) break
        pages++
        visits++
        pending.push(visit(step))
      }
      const made = await pending.shift()
      signal.throwIfAborted()
      if (!made) break
      if (!made.isPage) pages--
      if (made.item) yield made.item
    }
    for (const [name, count] of frontier.forbidden)
      yield noteItem(name, `it forbids ${count} of the pages found`)
  } finally {
    stop.abort()
  }
}

/**
 * Loads the parser of selectors only for a flow that has one: it would block the event loop for long enough to notice.
 *
 * @throws SluiceError `input_invalid` for a selector that cannot be read
 */
export async function refuseBadSelector({
  selector,
  node,
}: Pick<SiteOptions, 'selector' | 'node'>): Promise<void> {
  if (selector === undefined) return
  const { checkSelector } = await import('../../formats/web/html-tree.ts')
  try {
    checkSelector(selector)
  } catch (error) {
    throw new SluiceError('input_invalid', {
      node,
      input: 'Selector (CSS)',
      reason: reasonOf(error),
      nodeId: node,
      inputName: 'selector',
    })
  }
}

/** The result of one step; without an item if it led to a page that was read before. */
type Visit = { item?: LoaderItem; isPage: boolean }

function createCrawl(
  { address, method, selected, selector }: SiteOptions,
  services: SiteServices,
  signal: AbortSignal,
) {
  const { pageMs, pageBytes } = { ...LIMITS, ...services.limits }
  const timeLimit = { ms: pageMs, signal }
  const fetchUpTo = (responseBytes: number) =>
    services.egress.limited({ responseBytes, headersMs: pageMs, idleMs: pageMs })
  const fetch = fetchUpTo(pageBytes)
  const robots = new Robots(fetch, timeLimit)
  const isCrawl = selected.length === 0 && method === 'webCrawl'
  const isList = selected.length === 0 && method === 'scrapeXMLSitemap'
  /** The XML parser is loaded only where a sitemap is read. */
  async function* listed(): AsyncGenerator<SitemapEntry> {
    const { SITEMAP_BYTES, sitemapPages } = await import('./sitemap.ts')
    yield* sitemapPages(address, { fetch: fetchUpTo(SITEMAP_BYTES), robots }, timeLimit)
  }
  const frontier = isList
    ? new Frontier(robots, [], listed())
    : new Frontier(robots, selected.length > 0 ? selected : [address])
  /** The origin that a crawl stays on: that of its first page, after redirects. */
  let site: string | undefined

  async function visit(step: CrawlStep): Promise<Visit> {
    if ('error' in step) return { item: failingItem({ ...step, discoversOthers: true }), isPage: false }
    try {
      return await read(step.address)
    } catch (error) {
      const failed = { name: step.address, error: error as Error }
      return { item: failingItem(isCrawl ? { ...failed, discoversOthers: true } : failed), isPage: true }
    }
  }

  async function read(requested: string): Promise<Visit> {
    const mayLeave = !isCrawl || site === undefined
    const page = await fetchPage(requested, { fetch, robots, mayLeave }, timeLimit)
    const { address } = page
    if (address !== requested && !frontier.claim(address)) return { isPage: false }
    if ('skipped' in page) return { item: noteItem(address, page.skipped), isPage: false }
    site ??= new URL(address).origin
    const content: ParsedBatch = { parts: [], notes: [] }
    const options = {
      ...(selector === undefined ? {} : { selector }),
      ...(page.encoding === undefined ? {} : { encoding: page.encoding }),
      ...(isCrawl ? { linksFrom: address } : {}),
    }
    const parse = (path: string) =>
      services.parser.parse({ path, name: address, type: 'html', options }, signal)
    for await (const batch of withTemporaryFile(services.scratch, address, page.bytes, parse)) {
      content.notes.push(...batch.notes)
      for (const {
        metadata: { links, ...own },
        ...part
      } of batch.parts) {
        for (const link of (links ?? []) as string[]) if (new URL(link).origin === site) frontier.add(link)
        if (part.pageContent !== '') content.parts.push({ ...part, metadata: { source: address, ...own } })
      }
    }
    return { item: pageItem(address, content), isPage: true }
  }

  return { frontier, visit }
}

const pageItem = (address: string, content: ParsedBatch): LoaderItem => ({
  name: address,
  source: address,
  async *read() {
    yield content
  },
})

/** An item that has only a note: why an address was left out. */
const noteItem = (address: string, reason: string): LoaderItem => ({
  name: address,
  source: address,
  async *read() {
    yield { parts: [], notes: [reason] }
  },
})
