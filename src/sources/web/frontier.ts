import type { Robots } from './robots.ts'
import type { SitemapEntry } from './sitemap.ts'

/** Where to go next, or a list of pages that could not be read. */
export type CrawlStep = { address: string } | Exclude<SitemapEntry, string>

/** Beyond so many addresses a site has no end. */
const MAX_KNOWN = 100_000

/** The addresses of one run in the order in which they were found, each once. */
export class Frontier {
  readonly #robots: Robots
  readonly #listed: AsyncIterator<SitemapEntry> | undefined
  readonly #found: { address: string; isChosen: boolean }[]
  /** The place in the list that is next. */
  #at = 0
  readonly #seen: Set<string>
  readonly #forbidden = new Map<string, number>()

  /**
   * @param chosen pages that somebody named: whether they may be read is found out there
   * @param listed pages that a sitemap lists
   */
  constructor(robots: Robots, chosen: readonly string[], listed?: AsyncIterator<SitemapEntry>) {
    this.#robots = robots
    this.#listed = listed
    this.#found = chosen.map((address) => ({ address: withoutFragment(address), isChosen: true }))
    this.#seen = new Set(this.#found.map(({ address }) => address))
  }

  /** How many of the found pages each robots.txt forbids, by its address. */
  get forbidden(): ReadonlyMap<string, number> {
    return this.#forbidden
  }

  add(address: string): void {
    if (this.#seen.size < MAX_KNOWN && this.claim(address)) this.#found.push({ address, isChosen: false })
  }

  /** Whether nobody has come to this address before. */
  claim(address: string): boolean {
    if (this.#seen.has(address)) return false
    this.#seen.add(address)
    return true
  }

  /** The next step; undefined where nothing more is known so far. */
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
    // A site that cannot say fails the page itself, which then says why.
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
