import { HEAD_BYTES } from '../../formats/encoding.ts'
import { sniff } from '../../formats/sniff.ts'
import type { EgressFetch } from '../../kit/egress/client.ts'
import { SluiceError } from '../../kit/errors.ts'
import { charsetOf } from './body.ts'
import { withTimeLimit, type TimeLimit } from './time-limit.ts'
import type { Robots } from './robots.ts'

/** A page as it was received, or why it was skipped; neither is a failure. */
export type FetchedPage = { address: string } & (
  | { bytes: Uint8Array; encoding?: string }
  | { skipped: string }
)

export type PageFetchRules = {
  fetch: EgressFetch
  robots: Robots
  /** Whether a page may redirect to another site. */
  mayLeave: boolean
}

const REDIRECTS = 5
const HTML = /^(?:text\/html|application\/xhtml\+xml)$/

/**
 * Fetches a page and follows redirects; robots.txt is checked at each step.
 *
 * @throws SluiceError `fetch_failed`, `page_forbidden`, `file_timeout`, and the errors of a call
 */
export const fetchPage = (
  address: string,
  rules: PageFetchRules,
  timeLimit: TimeLimit,
): Promise<FetchedPage> =>
  withTimeLimit(address, timeLimit, (signal) => follow(new URL(address), rules, signal))

async function follow(start: URL, rules: PageFetchRules, signal: AbortSignal): Promise<FetchedPage> {
  const { fetch, robots, mayLeave } = rules
  const headers = { accept: 'text/html, application/xhtml+xml' }
  let url = start
  for (let hops = 0; hops <= REDIRECTS; hops++) {
    url.hash = ''
    if (!(await robots.allows(url))) throw new SluiceError('page_forbidden', { file: url.href })
    await robots.waitForSite(url, signal)
    const response = await fetch(url.href, { headers, redirect: 'manual', signal })
    const location = response.headers.get('location')
    if (response.status < 300 || response.status > 399 || location === null) return pageOf(url.href, response)
    await response.body?.cancel()
    const next = URL.parse(location, url.href)
    if (!next) throw failure(start, 'it redirects to an invalid address')
    if (next.origin !== start.origin && !mayLeave)
      return { address: start.href, skipped: 'it redirects to another site' }
    url = next
  }
  throw failure(start, `it redirects more than ${REDIRECTS} times`)
}

async function pageOf(address: string, response: Response): Promise<FetchedPage> {
  const type = response.headers.get('content-type') ?? 'text/html'
  const kind = type.split(';', 1)[0]!.trim().toLowerCase()
  if (!response.ok || !HTML.test(kind)) {
    await response.body?.cancel()
    if (!response.ok) throw failure(new URL(address), `the server answers ${response.status}`)
    return { address, skipped: `it is ${kind}, not a web page` }
  }
  const encoding = charsetOf(type)
  const bytes = await response.bytes()
  if (sniff(bytes.subarray(0, HEAD_BYTES)) !== 'text') return { address, skipped: 'its content is not text' }
  return { address, bytes, ...(encoding === undefined ? {} : { encoding }) }
}

const failure = (url: URL, reason: string) => new SluiceError('fetch_failed', { file: url.href, reason })
