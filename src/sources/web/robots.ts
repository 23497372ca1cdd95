import { setTimeout as sleep } from 'node:timers/promises'
import type { EgressFetch } from '../../kit/egress/client.ts'
import { SluiceError } from '../../kit/errors.ts'
import { firstBytes } from './body.ts'
import { withTimeLimit, type TimeLimit } from './time-limit.ts'
import { readRobots } from './robots-rules.ts'

/** The name by which a robots.txt may speak to us. */
const AGENT = 'sluice'

/** "The parsing limit MUST be at least 500 kibibytes" (RFC 9309, 2.5). */
const ROBOTS_BYTES = 512 * 1024

/** The most that a site may ask us to wait between two pages. */
const LONGEST_DELAY_MS = 10_000

type Rules = { allows(url: URL): Promise<boolean>; delayMs: number; sitemaps: string[] }

const NO_RULES: Rules = { allows: async () => true, delayMs: 0, sitemaps: [] }

/** What the robots.txt of the sites that one run visits say (RFC 9309), each read once. */
export class Robots {
  readonly #fetch: EgressFetch
  readonly #patience: TimeLimit
  readonly #rules = new Map<string, Promise<Rules>>()
  readonly #free = new Map<string, number>()

  constructor(fetch: EgressFetch, patience: TimeLimit) {
    this.#fetch = fetch
    this.#patience = patience
  }

  /**
   * Whether a page may be read.
   *
   * @throws SluiceError `fetch_failed` where the site cannot say so: then nobody may; and what a call throws
   */
  async allows(url: URL): Promise<boolean> {
    return (await this.#rulesOf(url)).allows(url)
  }

  /** The sitemaps that a site names. */
  async sitemaps(url: URL): Promise<string[]> {
    return (await this.#rulesOf(url)).sitemaps
  }

  /** Waits for as long as the site wants us to leave between two pages. */
  async waitTurn(url: URL, signal: AbortSignal): Promise<void> {
    const { delayMs } = await this.#rulesOf(url)
    if (delayMs === 0) return
    const now = performance.now()
    const mine = Math.max(now, this.#free.get(url.origin) ?? 0)
    this.#free.set(url.origin, mine + delayMs)
    await sleep(mine - now, undefined, { signal })
  }

  #rulesOf(url: URL): Promise<Rules> {
    let rules = this.#rules.get(url.origin)
    if (!rules) {
      const address = new URL('/robots.txt', url).href
      rules = withTimeLimit(address, this.#patience, (signal) => this.#read(address, signal))
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
    const { allows, delay, sitemaps } = readRobots(text, AGENT)
    return {
      allows: (url) => allows(url.pathname + url.search),
      delayMs: Math.min(Math.max(delay, 0) * 1000, LONGEST_DELAY_MS),
      sitemaps,
    }
  }
}
