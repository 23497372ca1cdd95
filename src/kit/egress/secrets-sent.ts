import type { Egress, EgressFetch } from './client.ts'
import { decoded } from './decoded.ts'
import { secretsInBody } from './secrets-in-body.ts'

/** Names of headers, query parameters and cookies whose value is a secret. */
const SECRET_NAME = /auth|cookie|token|secret|passw|credential|key|signature/i
/** Headers that never hold a secret, unless their name says so. */
const HARMLESS =
  /^(accept|content|if|sec|x-stainless|openai|anthropic|mcp)-|^(accept|host|user-agent|range|date|origin|referer|te|connection)$/i
/** Values of other headers count as secrets from this length on, in characters, and so do words with a digit in them. */
const LONG = 12
/** The same for words within the value of a header whose name says that it is secret. */
const SHORT = 8

/** The same client, which reports the secrets that each call sends. */
export function notingSecrets(egress: Egress, note: (secret: string) => void): Egress {
  const noting =
    (fetch: EgressFetch): EgressFetch =>
    async (input, init) => {
      const address = input instanceof Request ? input.url : String(input)
      for (const secret of secretsSent(address, init?.headers, init?.body)) note(secret)
      return fetch(input, init)
    }
  return {
    fetch: noting(egress.fetch),
    limited: (limits) => noting(egress.limited(limits)),
    socket: egress.socket,
    forProvider: (...place) => notingSecrets(egress.forProvider(...place), note),
    forMcp: () => notingSecrets(egress.forMcp(), note),
    checkPlace: egress.checkPlace,
    close: egress.close,
  }
}

/** The secrets in the address, the headers and the body of a call. Of a body: the texts of fields such as `password`. */
export function secretsSent(
  address: string,
  given: RequestInit['headers'],
  body?: RequestInit['body'],
): string[] {
  const url = URL.parse(address)
  const headers = headersOf(given)
  return [
    ...[...headers].flatMap(([name, value]) => inHeader(name, value)),
    ...(url ? inAddress(url) : []),
    ...(typeof body === 'string' ? secretsInBody(body) : []),
  ]
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
  if (!SECRET_NAME.test(name))
    return value.length < LONG || HARMLESS.test(name) ? [] : [value, ...keysAmong(value, LONG)]
  if (name.toLowerCase() === 'cookie')
    return [value, ...value.split(/;\s*/).map((pair) => pair.slice(pair.indexOf('=') + 1))]
  const [, scheme, rest] = /^(\S+)\s+(\S+)$/.exec(value) ?? []
  if (rest === undefined) return [value, ...keysAmong(value, SHORT)]
  return [value, rest, ...(scheme!.toLowerCase() === 'basic' ? [passwordIn(rest)] : [])]
}

/** The words of a value that may be repeated alone, such as the key in `Custom id=7, key=abc123def`. */
function keysAmong(value: string, shortest: number): string[] {
  const words = value.split(/[\s,;="]+/).filter((word) => word !== value)
  return words.filter((word) => word.length >= shortest && /\d/.test(word))
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
