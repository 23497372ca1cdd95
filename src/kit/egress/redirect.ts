import { SluiceError } from '../errors.ts'

/** The call of one hop. */
export type Hop = {
  url: URL
  method: string
  headers: Headers
  body: string | Uint8Array<ArrayBuffer> | null
}

/** Headers without data about the sender: only these are sent to another origin. */
const HARMLESS = ['accept', 'accept-language', 'content-type', 'user-agent']

const REDIRECTS = [301, 302, 303, 307, 308]

/**
 * The next hop of a redirect, as browsers follow it (Fetch standard, HTTP-redirect fetch); undefined if the answer is no
 * redirect. Headers that may hold a secret are not sent to another origin.
 *
 * @throws SluiceError `provider_failed` for a `Location` that is not a URL
 */
export function nextHop(hop: Hop, status: number, location: string | null): Hop | undefined {
  if (!REDIRECTS.includes(status) || location === null) return undefined
  const url = URL.parse(location, hop.url.href)
  if (!url)
    throw new SluiceError('provider_failed', {
      provider: hop.url.host,
      reason: 'it leads on to what is no address',
    })
  const headers = new Headers(hop.headers)
  if (url.origin !== hop.url.origin)
    for (const name of [...headers.keys()]) if (!HARMLESS.includes(name)) headers.delete(name)
  const asked = hop.method.toUpperCase()
  const becomesGet = status === 303 ? asked !== 'HEAD' : status < 303 && asked === 'POST'
  if (!becomesGet) return { ...hop, url, headers }
  headers.delete('content-type')
  headers.delete('content-length')
  return { url, method: 'GET', headers, body: null }
}
