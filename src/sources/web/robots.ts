import { setTimeout as sleep } from 'node:timers/promises'
import type { EgressFetch } from '../../kit/egress/client.ts'
import { SluiceError } from '../../kit/errors.ts'
import { firstBytes } from './body.ts'
import { withTimeLimit, type TimeLimit } from './time-limit.ts'
import { readRobots } from './robots-rules.ts'

/** Our user agent in a robots.txt. */
const AGENT = 'sluice'

/** "The parsing limit MUST be at least 500 kibibytes" (RFC 9309, 2.5). */
const ROBOTS_BYTES = 512 * 1024

/** The longest crawl delay that is respected. */
const LONGEST_DELAY_MS = 10_000

type Rules = { allows(url: URL): Promise<boolean>; delayMs: number; sitemaps: string[] }

const NO_RULES: Rules = { allows: async () => true, delayMs: 0, sitemaps: [] }

/** The robots.txt files (RFC 9309) of the sites of one crawl, each read once. */
export class Robots {
  readonly #fetch: EgressFetch
  readonly #timeLimit: TimeLimit
  readonly #rules = new Map<string, Promise<Rules>>()
  readonly #nextStart = new Map<string, number>()

  constructor(fetch: EgressFetch, timeLimit: TimeLimit) {
    this.#fetch = fetch
    this.#timeLimit = timeLimit
  }

  /**
   * Whether a page may be read.
   *
   * @throws SluiceError `fetch_failed` if robots.txt cannot be read, so that no page is read; and the errors of a call
   */
  async allows(url: URL): Promise<boolean> {
    return (await this.#rulesOf(url)).allows(url)
  }

  /** The sitemaps that the robots.txt of a site names. */
  async sitemaps(url: URL): Promise<string[]> {
    return (await this.#rulesOf(url)).sitemaps
  }

  /** Waits for the crawl delay of the site. */
  async waitForSite(url: URL, signal: AbortSignal): Promise<void> {
    const { delayMs } = await this.#rulesOf(url)
    if (delayMs === 0) return
    const now = performance.now()
    const start = Math.max(now, this.#nextStart.get(url.origin) ?? 0)
    this.#nextStart.set(url.origin, start + delayMs)
    await sleep(start - now, undefined, { signal })
  }

  #rulesOf(url: URL): Promise<Rules> {
    let rules = this.#rules.get(url.origin)
    if (!rules) {
      const address = new URL('/robots.txt', url).href
      rules = withTimeLimit(address, this.#timeLimit, (signal) => this.#read(address, signal))
      this.#rules.set(url.origin, rules)
    }
    return rules
  }

  async #read(address: string, signal: AbortSignal): Promise<Rules> {
    const response = await this.#fetch(address, { signal })
    if (response.status >= 500) {
      await response.body?.cancel()
      throw new SluiceError('fetch_failed', {
        file: address,
        reason: `the server answers ${response.status}`,
      })
    }
    if (!response.ok) {
      await response.body?.cancel()
      return NO_RULES
    }
    const text = new TextDecoder().decode(await firstBytes(response, ROBOTS_BYTES))
    const { allows, delay, sitemaps } = await readRobots(text, AGENT)
    return {
      allows: (url) => allows(url.pathname + url.search),
      delayMs: Math.min(Math.max(delay, 0) * 1000, LONGEST_DELAY_MS),
      sitemaps,
    }
  }
}
