import ipaddr from 'ipaddr.js'

export type Address = ipaddr.IPv4 | ipaddr.IPv6

/**
 * The kind of network of an address: public, this machine, private, or none of them (link-local, multicast, reserved, a
 * tunnel that hides another address, the metadata services of clouds).
 */
export type NetworkPlace = 'public' | 'loopback' | 'private' | 'forbidden'

/** Services of clouds that give the machine's credentials to any caller, at addresses that look ordinary. */
const METADATA = ['168.63.129.16', '100.100.100.200', 'fd00:ec2::254', 'fd20:ce::254']

/** Reads an address; an IPv4 address that is written as an IPv6 one (RFC 4291, 2.5.5.2) is the IPv4 address. */
export function parseAddress(text: string): Address | undefined {
  const plain = text.includes(':') && text.includes('.') ? inHexadecimal(text) : text
  return ipaddr.isValid(plain) ? ipaddr.process(plain) : undefined
}

/** The library reads `::8.8.8.8` as `::ffff:8.8.8.8`, which is another address; a URL does not. */
function inHexadecimal(text: string): string {
  const url = `http://[${text}]`
  return URL.canParse(url) ? new URL(url).hostname.slice(1, -1) : ''
}

export function placeOf(address: Address): NetworkPlace {
  if (METADATA.includes(address.toString())) return 'forbidden'
  switch (address.range()) {
    case 'loopback':
      return 'loopback'
    case 'private':
    case 'carrierGradeNat':
    case 'uniqueLocal':
      return 'private'
    case 'unicast':
      return isAssigned(address) ? 'public' : 'forbidden'
    default:
      return 'forbidden'
  }
}

/** Only 2000::/3 of IPv6 is public; the rest has `::1.2.3.4` and other ways around a check. */
const isAssigned = (address: Address) => !('parts' in address) || (address.parts[0]! & 0xe000) === 0x2000
