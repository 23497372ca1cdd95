import type { IncomingMessage } from 'node:http'
import { type AddressList, addressList } from '../../kit/address-list.ts'
import { isLoopback } from '../../kit/config.ts'

/** Who sent a request, as far as the network says it. */
export type RequestClient = {
  /** The address of the client; behind a listed proxy the one that the proxy names. */
  address: string
  /** Whether the request comes from this machine and no other can reach the server. */
  local: boolean
}

export type Clients = {
  of(request: IncomingMessage): RequestClient
  /** Whether the connection comes from a proxy that TRUST_PROXY lists. */
  isProxy(address: string): boolean
}

/** Headers that a proxy adds. A request with one of them may come from another machine. */
export const FORWARDING_HEADERS: readonly string[] = [
  'x-forwarded-for',
  'forwarded',
  'via',
  'x-real-ip',
  'x-forwarded-host',
  'x-forwarded-proto',
]

/**
 * The one place that decides where a request comes from.
 *
 * - A request is local where the server listens on loopback only and no proxy had a part in it.
 * - A proxy that `trusted` lists names the client in `X-Forwarded-For`: the last address that is not a listed proxy.
 *   What it sends is local only if that address is loopback; without the header it is not local.
 * - From all other senders forwarding headers are ignored, and make the request not local.
 *
 * @param host the address that the server listens on
 * @param trusted addresses and CIDR ranges of proxies
 * @throws SluiceError `config_invalid` for an entry that is none
 */
export function createClients(host: string, trusted: readonly string[]): Clients {
  const onlyHere = isLoopback(host)
  const proxies: AddressList = addressList('TRUST_PROXY', trusted)

  return {
    isProxy: (address) => proxies.has(address),
    of({ socket, headers }) {
      const peer = plainAddress(socket.remoteAddress ?? '')
      if (!proxies.has(peer))
        return {
          address: peer,
          local: onlyHere && !FORWARDING_HEADERS.some((name) => headers[name] !== undefined),
        }
      const named = namedClient(headers['x-forwarded-for'], proxies)
      if (named === undefined) return { address: peer, local: false }
      return { address: named, local: onlyHere && isLoopback(named) }
    },
  }
}

/** Each proxy appends the address that it saw: the last one that is not a proxy of ours is the client. */
function namedClient(header: string | string[] | undefined, proxies: AddressList): string | undefined {
  const hops = [header ?? []]
    .flat()
    .join(',')
    .split(',')
    .map((hop) => plainAddress(hop.trim()))
    .filter(Boolean)
  return hops.findLast((hop) => !proxies.has(hop)) ?? hops[0]
}

/** An address without brackets, port, zone, or the IPv6 form of an IPv4 address. */
export function plainAddress(text: string): string {
  const bracketed = /^\[([^\]]*)\]/.exec(text)?.[1]
  const bare = bracketed ?? (/^\d+(\.\d+){3}:\d+$/.test(text) ? text.slice(0, text.lastIndexOf(':')) : text)
  return bare.split('%', 1)[0]!.replace(/^::ffff:(?=\d+\.)/i, '')
}
