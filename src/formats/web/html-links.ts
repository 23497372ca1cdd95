import type { HtmlListener } from './html-parse.ts'

/** The most links that are taken from a page, and the longest address in characters. */
const MAX = 10_000
const LONGEST = 4096

/** Collects the links of a page: absolute http and https addresses without fragments, each once. */
export class HtmlLinks implements HtmlListener {
  #base: string
  #hasBase = false
  readonly #hrefs: string[] = []

  /** @param address of the page itself */
  constructor(address: string) {
    this.#base = address
  }

  open(name: string, { href, rel }: Record<string, string>): void {
    if (href === undefined) return
    if (name === 'base' && !this.#hasBase) {
      this.#hasBase = true
      this.#base = URL.parse(href, this.#base)?.href ?? this.#base
    }
    if (name !== 'a' && name !== 'area') return
    if (href.length > LONGEST || this.#hrefs.length === MAX) return
    if (!rel?.toLowerCase().split(/\s+/).includes('nofollow')) this.#hrefs.push(href)
  }

  text(): void {}

  close(): void {}

  found(): string[] {
    const addresses = this.#hrefs.flatMap((href) => {
      const url = URL.parse(href.trim(), this.#base)
      if (!url || !/^https?:$/.test(url.protocol)) return []
      url.hash = ''
      return [url.href]
    })
    return [...new Set(addresses)]
  }
}
