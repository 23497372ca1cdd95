import ipaddr from 'ipaddr.js'
import { reasonOf, SluiceError } from '../errors.ts'
import { type Address, parseAddress, placeOf } from './place.ts'

/** Which hosts may be called. */
export type EgressRules = {
  /**
   * Checks a host by its name and all its addresses: one forbidden address is enough to refuse it.
   *
   * @throws SluiceError `egress_denied`
   */
  check(host: string, port: number, addresses: readonly string[]): void
}

export type RuleTexts = {
  allow?: readonly string[]
  deny?: readonly string[]
  /** Whether this machine may be called: only if the server listens on this machine only. */
  loopback?: boolean
}

/** One entry of a list: names or addresses, of one port or of all ports. */
type Entry = { port?: number } & ({ names(host: string): boolean } | { range: [Address, number] })

/**
 * Public addresses may be called, and what `allow` adds; `deny` wins. An entry is `host`, `host:port`, `*.domain`, an
 * address (`[::1]:80` with a port) or a CIDR range. A listed name also allows its private addresses; link-local and
 * metadata addresses must be listed themselves.
 *
 * @throws SluiceError `config_invalid` for an invalid entry
 */
export function createEgressRules({ allow = [], deny = [], loopback = false }: RuleTexts): EgressRules {
  const allowed = readEntries('EGRESS_ALLOW', allow)
  const denied = readEntries('EGRESS_DENY', deny)

  const opens = (address: Address, port: number, named: boolean) => {
    const place = placeOf(address)
    if (place === 'public' || (place === 'loopback' && loopback)) return true
    if (named && place !== 'forbidden') return true
    return allowed.some((entry) => matchesAddress(entry, address, port))
  }

  return {
    check(host, port, addresses) {
      const name = plainName(host)
      const refuse = (hint: string) => new SluiceError('egress_denied', { host: name, hint })
      const forbidden = () => refuse('EGRESS_DENY forbids it')
      const closed = () =>
        refuse(`To allow it, start the server with EGRESS_ALLOW=${isIPv6(name) ? `[${name}]` : name}:${port}`)

      if (denied.some((entry) => matchesName(entry, name, port))) throw forbidden()
      if (addresses.length === 0) throw closed()
      const named = allowed.some((entry) => matchesName(entry, name, port))
      for (const text of addresses) {
        const address = parseAddress(text)
        if (!address) throw closed()
        if (denied.some((entry) => matchesAddress(entry, address, port))) throw forbidden()
        if (!opens(address, port, named)) throw closed()
      }
    },
  }
}

/**
 * Whether a list of a setting names a host as a URL writes it; the entries are those of {@link createEgressRules}.
 *
 * @throws SluiceError `config_invalid` for an invalid entry
 */
export function listsHost(
  setting: string,
  texts: readonly string[],
  { hostname, port, protocol }: URL,
): boolean {
  const at = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
  const name = plainName(hostname)
  const address = parseAddress(name)
  return readEntries(setting, texts).some((entry) =>
    address ? matchesAddress(entry, address, at) : matchesName(entry, name, at),
  )
}

/** A name for comparison: without brackets, without the dot at the end, in lower case. */
export const plainName = (host: string): string =>
  host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')

const isIPv6 = (name: string) => name.includes(':')

const fitsPort = (entry: Entry, port: number) => entry.port === undefined || entry.port === port

const matchesName = (entry: Entry, name: string, port: number) =>
  'names' in entry && fitsPort(entry, port) && entry.names(name)

const matchesAddress = (entry: Entry, address: Address, port: number) =>
  'range' in entry &&
  fitsPort(entry, port) &&
  entry.range[0].kind() === address.kind() &&
  address.match(entry.range)

function readEntries(setting: string, texts: readonly string[]): Entry[] {
  return texts.map((text) => {
    try {
      return readEntry(text.trim())
    } catch (error) {
      throw new SluiceError('config_invalid', { name: setting, reason: reasonOf(error) }, { cause: error })
    }
  })
}

function readEntry(text: string): Entry {
  if (text.includes('/')) return { range: readRange(text) }
  const { host, port } = splitPort(text)
  const ported = port === undefined ? {} : { port }
  const address = parseAddress(plainName(host))
  if (address) return { range: [address, address.kind() === 'ipv4' ? 32 : 128], ...ported }
  const name = plainName(host)
  if (!/^(\*\.)?[\p{L}\p{N}_-]+(\.[\p{L}\p{N}_-]+)*$/u.test(name))
    throw new Error(`${JSON.stringify(text)} is not a host, *.domain, address or CIDR range`)
  const ascii = new URL(`http://${name.replace(/^\*\./, '')}`).hostname
  return {
    names: name.startsWith('*.') ? (host) => host.endsWith(`.${ascii}`) : (host) => host === ascii,
    ...ported,
  }
}

function readRange(text: string): [Address, number] {
  if (!ipaddr.isValidCIDR(text)) throw new Error(`${JSON.stringify(text)} is not a CIDR range`)
  const [address, bits] = ipaddr.parseCIDR(text)
  // Addresses are checked as IPv4 if they are IPv4 in IPv6 form: the range must be converted in the same way.
  if (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= 96)
    return [address.toIPv4Address(), bits - 96]
  return [address, bits]
}

/** `host:port`; the colons of an IPv6 address without brackets are no port. */
function splitPort(text: string): { host: string; port?: number } {
  const match = /^(\[[^\]]*\]|[^:]*):(\d{1,5})$/.exec(text)
  return match ? { host: match[1]!, port: Number(match[2]) } : { host: text }
}
