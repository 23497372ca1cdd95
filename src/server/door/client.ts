import type { IncomingMessage } from 'node:http'
import { type AddressList, addressList } from '../../kit/address-list.ts'
import { isLoopback } from '../../kit/config.ts'

/** Where a request comes from. */
export type RequestClient = {
  /** The address of the client; behind a listed proxy, the address in its header. */
  address: string
  /** Whether the request comes from this machine and no other can reach the server. */
  local: boolean
}

export type Clients = {
  of(request: IncomingMessage): RequestClient
  /** Whether the connection comes from a proxy that TRUST_PROXY lists. */
  isProxy(address: string): boolean
}

/** Headers that a proxy adds, besides all `X-Forwarded-…`. A request with one of them may come from another machine. */
const FORWARDING_HEADERS: readonly string[] = ['forwarded', 'via', 'x-real-ip']

const isForwarded = (headers: IncomingMessage['headers']): boolean => {
  for (const name in headers)
    if (name.startsWith('x-forwarded-') || FORWARDING_HEADERS.includes(name)) return true
  return false
}

/**
 * Decides where requests come from.
 *
 * - A request is local if the server listens on loopback only and no proxy forwarded it.
 * - Behind a proxy in `trusted`, the client is the last address in `X-Forwarded-For` that is not such a proxy. The request
 *   is local only if this address is loopback. Without the header it is not local.
 * - Forwarding headers of all other senders are ignored and make the request not local.
 *
 * @param host the address that the server listens on
 * @param trusted addresses and CIDR ranges of proxies
 * @throws SluiceError `config_invalid` for an entry that is no address or range
 */
export function createClients(host: string, trusted: readonly string[]): Clients {
  const loopbackOnly = isLoopback(host)
  const proxies: AddressList = addressList('TRUST_PROXY', trusted)

  return {
    isProxy: (address) => proxies.has(address),
    of({ socket, headers }) {
      const peer = plainAddress(socket.remoteAddress ?? '')
      if (!proxies.has(peer))
        return {
          address: peer,
          local: loopbackOnly && !isForwarded(headers),
        }
      const forwarded = forwardedAddress(headers['x-forwarded-for'], proxies)
      if (forwarded === undefined) return { address: peer, local: false }
      return { address: forwarded, local: loopbackOnly && isLoopback(forwarded) }
    },
  }
}

/** Each proxy appends the address of its sender: the last one that is not a listed proxy is the client. */
function forwardedAddress(header: string | string[] | undefined, proxies: AddressList): string | undefined {
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
