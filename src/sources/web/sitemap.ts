import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { FILE_LIMITS } from '../../formats/limits.ts'
import { type ElementRules, readXmlInSteps, SKIP_ELEMENT } from '../../formats/xml.ts'
import type { EgressFetch } from '../../kit/egress/client.ts'
import { SluiceError } from '../../kit/errors.ts'
import { withTimeLimit, type TimeLimit } from './time-limit.ts'
import type { Robots } from './robots.ts'

/** "No larger than 50MB uncompressed" (sitemaps.org). */
export const SITEMAP_BYTES = 50 * 2 ** 20

/** The most sitemaps that are read from one address, through indexes. */
const MAX_SITEMAPS = 1000

/** The longest address of a page, in characters. */
const LONGEST = 4096

export type SitemapRules = { fetch: EgressFetch; robots: Robots }

/** The address of a page, or a sitemap that could not be read. */
export type SitemapEntry = string | { name: string; error: Error }

/**
 * The pages of a sitemap, and of the sitemaps that it names, in their order (sitemaps.org). For any other address, the
 * sitemaps of its site are read: those that its robots.txt names, or `/sitemap.xml`.
 */
export async function* sitemapPages(
  address: string,
  rules: SitemapRules,
  timeLimit: TimeLimit,
): AsyncGenerator<SitemapEntry> {
  const seen = new Set([address])
  // Iteration over a set includes what is added meanwhile.
  for (const next of seen) {
    try {
      const { isSitemap, pages, sitemaps } = await withTimeLimit(next, timeLimit, (signal) =>
        readSitemap(next, rules, signal),
      )
      const named = isSitemap ? sitemaps : next === address ? await sitemapsOf(next, rules) : []
      if (!isSitemap && named.length === 0)
        throw new SluiceError('fetch_failed', { file: next, reason: 'it is not a sitemap' })
      for (const one of named) if (seen.size < MAX_SITEMAPS) seen.add(one)
      yield* pages
    } catch (error) {
      timeLimit.signal.throwIfAborted()
      yield { name: next, error: error as Error }
    }
  }
}

async function sitemapsOf(address: string, { robots }: SitemapRules): Promise<string[]> {
  const url = new URL(address)
  const named = await robots.sitemaps(url)
  const usual = new URL('/sitemap.xml', url).href
  return (named.length > 0 ? named : [usual]).filter((one) => one !== address)
}

type Sitemap = { isSitemap: boolean; pages: string[]; sitemaps: string[] }

async function readSitemap(
  address: string,
  { fetch, robots }: SitemapRules,
  signal: AbortSignal,
): Promise<Sitemap> {
  const url = new URL(address)
  if (!(await robots.allows(url))) throw new SluiceError('page_forbidden', { file: address })
  const response = await fetch(address, { signal })
  if (!response.ok) {
    await response.body?.cancel()
    throw new SluiceError('fetch_failed', {
      file: address,
      reason: `the server answers ${response.status}`,
    })
  }
  const bytes = await unzipped(await response.bytes(), address)
  // An HTML page must not be parsed as XML.
  if (!LOOKS_LIKE_SITEMAP.test(Buffer.from(bytes.subarray(0, 2048)).toString('latin1')))
    return { isSitemap: false, pages: [], sitemaps: [] }
  return parseSitemap(bytes, address)
}

const LOOKS_LIKE_SITEMAP = /<(?:[\w-]{1,20}:)?(?:urlset|sitemapindex)\b/

async function unzipped(bytes: Uint8Array, address: string): Promise<Uint8Array> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: SITEMAP_BYTES })
  } catch (error) {
    throw new SluiceError(
      'fetch_failed',
      { file: address, reason: 'it is damaged or too large' },
      { cause: error },
    )
  }
}

async function parseSitemap(bytes: Uint8Array, address: string): Promise<Sitemap> {
  const found: Sitemap = { isSitemap: false, pages: [], sitemaps: [] }
  let list: string[] = found.pages
  let location = ''
  const root = {
    open() {
      found.isSitemap = true
    },
  }
  const entryOf = (entries: string[]) => ({
    open() {
      list = entries
    },
  })
  const rules: ElementRules = {
    urlset: root,
    sitemapindex: root,
    url: entryOf(found.pages),
    sitemap: entryOf(found.sitemaps),
    loc: {
      open() {
        location = ''
      },
      text(text) {
        location += text
      },
      close() {
        const url = location.length > LONGEST ? null : URL.parse(location.trim(), address)
        if (url && /^https?:$/.test(url.protocol)) list.push(url.href)
      },
    },
    // Images and videos of a page have a `loc` of their own.
    image: SKIP_ELEMENT,
    video: SKIP_ELEMENT,
  }
  const place = { file: address, part: 'the list' }
  for (const _ of readXmlInSteps(bytes, rules, FILE_LIMITS, place)) await setImmediate()
  return found
}
