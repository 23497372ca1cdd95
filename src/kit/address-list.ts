import ipaddr from 'ipaddr.js'
import { SluiceError } from './errors.ts'

export type AddressList = {
  /** Whether the list holds the address, itself or in a range; false for text that is not an address. */
  has(address: string): boolean
}

/**
 * Reads a list of addresses and CIDR ranges.
 *
 * @param setting the name of the setting, for the message
 * @throws SluiceError `config_invalid` for an entry that is neither
 */
export function addressList(setting: string, entries: readonly string[]): AddressList {
  const ranges = entries.map((entry) => readRange(setting, entry))
  return {
    has(address) {
      if (ranges.length === 0 || !isAddress(address)) return false
      const read = ipaddr.process(address)
      return ranges.some(([from, bits]) => from.kind() === read.kind() && read.match(from, bits))
    },
  }
}

/** Whether a text is an address as it is written in a URL, without brackets. */
export const isAddress = (text: string): boolean =>
  text.includes(':') ? ipaddr.IPv6.isValid(text) : ipaddr.IPv4.isValidFourPartDecimal(text)

function readRange(setting: string, entry: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  if (ipaddr.isValidCIDR(entry)) return ipaddr.parseCIDR(entry)
  if (isAddress(entry)) {
    const address = ipaddr.process(entry)
    return [address, address.kind() === 'ipv4' ? 32 : 128]
  }
  throw new SluiceError('config_invalid', {
    name: setting,
    reason: `${entry} is neither an address nor a range of addresses such as 10.0.0.0/8`,
  })
}
