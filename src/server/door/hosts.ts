import type { IncomingMessage } from 'node:http'
import { hostname } from 'node:os'
import { isAddress } from '../../kit/address-list.ts'
import { isLoopback } from '../../kit/config.ts'
import { SluiceError } from '../../kit/errors.ts'

/**
 * Checks the `Host` of a request, against DNS rebinding: the owner of a web site can point its name to this server, and
 * browsers then take its pages for pages of this server. Only the name in `Host` differs.
 *
 * A server on loopback accepts the names and addresses of loopback. A server on other addresses accepts every address,
 * names without a dot (no web site has one) and the name of the machine. `allowed` adds names; `*.domain` is for all names
 * below a domain, `*` for all names.
 *
 * @param bound the address that the server listens on
 */
export function createHostCheck(
  bound: string,
  allowed: readonly string[],
): (request: IncomingMessage) => void {
  const own = new Set([bound, hostname(), ...allowed].map((name) => name.toLowerCase()))
  const domains = allowed.filter((name) => name.startsWith('*.')).map((name) => name.slice(1).toLowerCase())
  const loopbackOnly = isLoopback(bound)

  const isOurs = (name: string): boolean =>
    isLoopback(name) ||
    own.has(name) ||
    (!loopbackOnly && (isAddress(name.replace(/^\[|\]$/g, '')) || !name.includes('.'))) ||
    domains.some((domain) => name.endsWith(domain))

  // Accepted values of the header, which need no second check.
  const known = new Set<string>()
  return (request) => {
    const { host } = request.headers
    if (host === undefined) {
      // HTTP/1.0 has no such header, and no browser uses it.
      if (request.httpVersion === '1.0') return
      throw new SluiceError('host_invalid', { reason: 'it is missing' })
    }
    if (countOf(request.rawHeaders) > 1)
      throw new SluiceError('host_invalid', { reason: 'there are several' })
    if (own.has('*') || known.has(host)) return
    const name = nameOf(host)
    if (name === undefined) throw new SluiceError('host_invalid', { reason: 'it is not a name or address' })
    if (!isOurs(name))
      throw new SluiceError('host_refused', {
        host: name.slice(0, 255),
        hint: 'Behind a proxy or another name of this machine: list the name in ALLOWED_HOSTS',
      })
    if (known.size < 100) known.add(host)
  }
}

/** The name without port and final dot, in lower case; undefined if it is not valid. */
function nameOf(host: string): string | undefined {
  const name = /^(\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i.exec(host)?.[1]
  return name?.toLowerCase().replace(/\.$/, '')
}

function countOf(rawHeaders: readonly string[]): number {
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]!.length === 4 && rawHeaders[i]!.toLowerCase() === 'host') count++
  return count
}
