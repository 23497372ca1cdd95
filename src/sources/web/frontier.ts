import type { Robots } from './robots.ts'
import type { SitemapEntry } from './sitemap.ts'

/** The next address, or a sitemap that could not be read. */
export type CrawlStep = { address: string } | Exclude<SitemapEntry, string>

/** A site with more addresses counts as endless: no more are added. */
const MAX_KNOWN = 100_000

/** The addresses of one crawl in the order in which they were found, each once. */
export class Frontier {
  readonly #robots: Robots
  readonly #listed: AsyncIterator<SitemapEntry> | undefined
  readonly #found: { address: string; isChosen: boolean }[]
  /** Index of the next address. */
  #at = 0
  readonly #seen: Set<string>
  readonly #forbidden = new Map<string, number>()

  /**
   * @param chosen pages that the flow names: robots.txt is checked when they are fetched
   * @param listed pages of a sitemap
   */
  constructor(robots: Robots, chosen: readonly string[], listed?: AsyncIterator<SitemapEntry>) {
    this.#robots = robots
    this.#listed = listed
    this.#found = chosen.map((address) => ({ address: withoutFragment(address), isChosen: true }))
    this.#seen = new Set(this.#found.map(({ address }) => address))
  }

  /** How many of the found pages each robots.txt forbids, by the address of the robots.txt. */
  get forbidden(): ReadonlyMap<string, number> {
    return this.#forbidden
  }

  /** Adds an address that a page or a sitemap names. */
  add(address: string): void {
    if (this.#seen.size < MAX_KNOWN && this.claim(address)) this.#found.push({ address, isChosen: false })
  }

  /** Marks an address as seen; false if it was seen before. */
  claim(address: string): boolean {
    if (this.#seen.has(address)) return false
    this.#seen.add(address)
    return true
  }

  /** The next step; undefined if there is none yet. */
  async next(): Promise<CrawlStep | undefined> {
    while (true) {
      const found = this.#found[this.#at]
      if (found) {
        this.#at++
        if (found.isChosen || (await this.#mayRead(found.address))) return found
        continue
      }
      if (this.#seen.size >= MAX_KNOWN) return undefined
      const entry = await this.#listed?.next()
      if (!entry || entry.done) return undefined
      if (typeof entry.value !== 'string') return entry.value
      this.add(withoutFragment(entry.value))
    }
  }

  async #mayRead(address: string): Promise<boolean> {
    const url = new URL(address)
    // If robots.txt cannot be read, fetching the page fails with the reason.
    const allowed = await this.#robots.allows(url).catch(() => true)
    const robots = new URL('/robots.txt', url).href
    if (!allowed) this.#forbidden.set(robots, (this.#forbidden.get(robots) ?? 0) + 1)
    return allowed
  }
}

function withoutFragment(address: string): string {
  const url = new URL(address)
  url.hash = ''
  return url.href
}
