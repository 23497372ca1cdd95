import { plainName } from './rules.ts'

/** The place that a URL calls, as `host:port`: the name without brackets and in lower case, the port also where it is the usual one. */
export const placeIn = ({ hostname, port, protocol }: URL): string =>
  `${plainName(hostname)}:${port || (protocol === 'https:' ? 443 : 80)}`

/** The place of a base address, or of `host:port`; undefined for what is neither. */
export function placeAt(address: string): string | undefined {
  const url = URL.parse(address.trim())
  if (url && /^https?:$/.test(url.protocol)) return placeIn(url)
  const [, host, port] = /^(.+):(\d{1,5})$/.exec(address.trim()) ?? []
  return host === undefined ? undefined : `${plainName(host)}:${Number(port)}`
}
