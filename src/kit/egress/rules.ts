import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'
import { isLoopback } from '../config.ts'
import { reasonOf, SluiceError } from '../errors.ts'
import { type Address, parseAddress, placeOf } from './place.ts'

/**
 * What a call is for. `provider`: the base address of a model, an engine or another service, which an owner typed; `mcp`: an MCP
 * server; `any`: everything else, such as tools, loaders and redirects.
 */
export type CallPurpose = 'any' | 'provider' | 'mcp'

/** Which hosts may be called. */
export type EgressRules = {
  /**
   * Checks a host by its name and all its addresses: one forbidden address is enough to refuse it.
   *
   * @throws SluiceError `egress_denied`, which names the setting that would allow it
   */
  check(host: string, port: number, addresses: readonly string[], purpose?: CallPurpose): void
  /**
   * The same without a look-up of the name: refuses what no address of the name could open. A name that only a local network
   * knows (`localhost`, `ollama`, `host.docker.internal`) counts as private.
   *
   * @throws SluiceError as `check` does
   */
  checkUnresolved(host: string, port: number, purpose?: CallPurpose): void
}

export type RuleTexts = {
  allow?: readonly string[]
  deny?: readonly string[]
  /** The hosts of MCP servers: only these may be called as such, and they need not be in `allow`. */
  mcp?: readonly string[]
  /** Whether providers may be on this machine: only if the server listens on this machine only. */
  loopback?: boolean
  /** The port that this server listens on; undefined until it does. Nothing may call it. */
  ownPort?: () => number | undefined
}

/** One entry of a list: names or addresses, of one port or of all ports. */
type Entry = { port?: number } & ({ names(host: string): boolean } | { range: [Address, number] })

/**
 * Public addresses may be called, and what `allow` adds; `deny` wins. An entry is `host`, `host:port`, `*.domain`, an
 * address (`[::1]:80` with a port) or a CIDR range. A listed name also allows its private addresses; link-local and
 * metadata addresses must be listed themselves. This machine is open to the entries, and to a provider whose address names
 * it; the port of the server itself is open to nothing.
 *
 * @throws SluiceError `config_invalid` for an invalid entry
 */
export function createEgressRules(texts: RuleTexts): EgressRules {
  const { allow = [], deny = [], mcp = [], loopback = false, ownPort } = texts
  const denied = readEntries('EGRESS_DENY', deny)
  const open = { any: readEntries('EGRESS_ALLOW', allow), mcp: readEntries('MCP_ALLOW', mcp) }

  const rules: EgressRules = {
    check(host, port, addresses, purpose = 'any') {
      const name = plainName(host)
      const place = `${isIPv6(name) ? `[${name}]` : name}:${port}`
      const refuse = (reason: string, hint: string) =>
        new SluiceError('egress_denied', { host: place, reason, hint })
      const forbidden = () =>
        refuse('EGRESS_DENY forbids it', `To allow it, take it out of the setting EGRESS_DENY`)
      const setting = purpose === 'mcp' ? 'MCP_ALLOW' : 'EGRESS_ALLOW'
      const closed = () => refuse(`${setting} does not list it`, wayIn(setting, texts, place))
      const entries = purpose === 'mcp' ? open.mcp : open.any

      if (denied.some((entry) => matchesName(entry, name, port))) throw forbidden()
      if (addresses.length === 0) throw closed()
      const named = entries.some((entry) => matchesName(entry, name, port))
      for (const text of addresses) {
        const address = parseAddress(text)
        if (!address) throw closed()
        if (denied.some((entry) => matchesAddress(entry, address, port))) throw forbidden()
        if (port === ownPort?.() && isOfThisMachine(address))
          throw refuse(
            'it is this server itself',
            'No setting allows it. A flow runs another one by the node Execute Flow',
          )
        const where = placeOf(address)
        const opened =
          (where === 'public' && purpose !== 'mcp') ||
          (where === 'loopback' && loopback && purpose === 'provider' && isLoopback(name)) ||
          (named && where !== 'forbidden') ||
          entries.some((entry) => matchesAddress(entry, address, port))
        if (!opened) throw closed()
      }
    },
    checkUnresolved(host, port, purpose = 'any') {
      const name = plainName(host)
      const listed = purpose === 'mcp' ? open.mcp : open.any
      const [assumed] = parseAddress(name) ? [name] : addressesByForm(name, purpose)
      // A listed range may hold the address of the name.
      const mayBeOpen = assumed !== name && name !== 'localhost' && listed.some(mayHoldLocalName)
      if (assumed === undefined || mayBeOpen) rules.check(host, port, [PUBLIC], 'any')
      else rules.check(host, port, [assumed], purpose)
    },
  }
  return rules
}

/** Whether an entry is of addresses that the name of a local network may have. */
const mayHoldLocalName = (entry: Entry): boolean => 'range' in entry && placeOf(entry.range[0]) !== 'loopback'

/** Any public address, for the entries that forbid a name. */
const PUBLIC = '1.1.1.1'

/** Endings of names that only a local network knows (RFC 6761, RFC 6762, RFC 8375, and the names of containers). */
const LOCAL_NAME = /^[^.]+$|\.(local|internal|lan|home\.arpa|intranet|corp|home)$/

/** What a name stands for by its form; none for a name that may be public. MCP servers are closed wherever they are. */
function addressesByForm(name: string, purpose: CallPurpose): string[] {
  if (name === 'localhost' || name.endsWith('.localhost')) return ['127.0.0.1']
  if (LOCAL_NAME.test(name)) return ['10.0.0.1']
  return purpose === 'mcp' ? [PUBLIC] : []
}

/** What to set. A list that has entries keeps them: nobody else is to read these. */
const wayIn = (setting: 'EGRESS_ALLOW' | 'MCP_ALLOW', { allow = [], mcp = [] }: RuleTexts, place: string) =>
  (setting === 'MCP_ALLOW' ? mcp : allow).length === 0
    ? `To allow it, start the server with ${setting}=${place}`
    : `To allow it, add it to the setting: ${setting}=…,${place}`

/** Whether packets to an address stay on this machine: a caller has many names for a server beside 127.0.0.1. */
const isOfThisMachine = (address: Address): boolean =>
  ['loopback', 'unspecified'].includes(address.range()) ||
  Object.values(networkInterfaces()).some((addresses) =>
    addresses?.some((own) => parseAddress(own.address)?.toString() === address.toString()),
  )

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
