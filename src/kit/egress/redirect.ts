import { SluiceError } from '../errors.ts'

/** A call as it goes out on one hop. */
export type Hop = {
  url: URL
  method: string
  headers: Headers
  body: string | Uint8Array<ArrayBuffer> | null
}

/** Headers that say nothing of the sender: all that another origin gets to see. */
const HARMLESS = ['accept', 'accept-language', 'content-type', 'user-agent']

const REDIRECTS = [301, 302, 303, 307, 308]

/**
 * The next hop that an answer asks for, as browsers go it (Fetch standard, HTTP-redirect fetch); undefined where it
 * asks for none. What could hold a secret stays behind when the origin changes.
 *
 * @throws SluiceError `provider_failed` for a `Location` that is no URL
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
