import type { Egress, EgressFetch } from './client.ts'

/** Names of headers, query parameters and cookies whose value is a secret. */
const SECRET_NAME = /auth|cookie|token|secret|passw|credential|key|signature/i
/** Headers that never hold a secret. */
const HARMLESS =
  /^(accept|content|if|sec|x-stainless|openai|anthropic|mcp)-|^(accept|host|user-agent|range|date|origin|referer|te|connection)$/i
/** Values of other headers count as secrets from this length on, in characters, if they have no blanks. */
const LONG = 12

/** The same client, which reports the secrets that each call sends. */
export function notingSecrets(egress: Egress, note: (secret: string) => void): Egress {
  const noting =
    (fetch: EgressFetch): EgressFetch =>
    async (input, init) => {
      for (const secret of secretsSent(input instanceof Request ? input.url : String(input), init?.headers))
        note(secret)
      return fetch(input, init)
    }
  return {
    fetch: noting(egress.fetch),
    limited: (limits) => noting(egress.limited(limits)),
    socket: egress.socket,
    forProvider: (address) => notingSecrets(egress.forProvider(address), note),
    forMcp: () => notingSecrets(egress.forMcp(), note),
    close: egress.close,
  }
}

/** The secrets in the address and the headers of a call. */
export function secretsSent(address: string, given: RequestInit['headers']): string[] {
  const url = URL.parse(address)
  const headers = headersOf(given)
  return [...[...headers].flatMap(([name, value]) => inHeader(name, value)), ...(url ? inAddress(url) : [])]
}

function headersOf(given: RequestInit['headers']): Headers {
  try {
    return new Headers(given)
  } catch {
    // A call with an invalid URL or header is not sent.
    return new Headers()
  }
}

function inHeader(name: string, value: string): string[] {
  if (HARMLESS.test(name)) return []
  if (!SECRET_NAME.test(name)) return value.length >= LONG && !/\s/.test(value) ? [value] : []
  if (name.toLowerCase() === 'cookie')
    return [value, ...value.split(/;\s*/).map((pair) => pair.slice(pair.indexOf('=') + 1))]
  const [, scheme, rest] = /^(\S+)\s+(\S+)$/.exec(value) ?? []
  if (rest === undefined) return [value]
  return [value, rest, ...(scheme!.toLowerCase() === 'basic' ? [passwordIn(rest)] : [])]
}

/** The password of `Basic`, which is the base64 form of `name:password` (RFC 7617). */
const passwordIn = (pair: string): string => {
  const text = Buffer.from(pair, 'base64').toString('utf8')
  return text.slice(text.indexOf(':') + 1)
}

/** User name and password are sent as a header (RFC 7617). */
const inAddress = (url: URL): string[] => [
  ...(url.password === '' ? [] : [decoded(url.password)]),
  ...(url.username === '' && url.password === '' ? [] : [pairOf(url)]),
  ...[...url.searchParams].flatMap(([name, value]) => (SECRET_NAME.test(name) ? [value] : [])),
]

const pairOf = ({ username, password }: URL) =>
  Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64')

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
