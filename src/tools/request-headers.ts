import { secretsInPath } from '../kit/egress/secrets-in-path.ts'
import { secretsSent } from '../kit/egress/secrets-sent.ts'
import { isObject, type Json } from '../kit/json.ts'

/**
 * Reads headers as authors write them: `{"X-Key": "v"}` or `[{"key": "X-Key", "value": "v"}]`.
 *
 * @throws Error with the reason, which never contains a value
 */
export function readHeaders(written: Json): Record<string, string> {
  const pairs = Array.isArray(written)
    ? written.map(pairOf)
    : Object.entries(isObject(written) ? written : {})
  const headers: Record<string, string> = {}
  for (const [name, value] of pairs) {
    if (name.trim() === '' || value === null || value === undefined || value === '') continue
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
    if (!canBeSent(name.trim(), text)) throw new Error(`the header ${JSON.stringify(name)} cannot be sent`)
    headers[name.trim()] = text.trim()
  }
  return headers
}

function pairOf(entry: Json): [string, Json | undefined] {
  if (!isObject(entry)) throw new Error('expected {"key": …, "value": …}')
  const { key, name = key, value } = entry
  return [String(name ?? ''), value as Json | undefined]
}

function canBeSent(name: string, value: string): boolean {
  try {
    new Headers([[name, value]])
    return true
  } catch {
    return false
  }
}

/** Headers that hold no secret. */
const WITHOUT_SECRET = ['accept', 'accept-language', 'content-type', 'user-agent']

/**
 * The secrets of a call that must not be shown: values of headers, and the password and keys in its address.
 *
 * @param address as its author typed it
 */
export const secretsIn = (headers: Record<string, string>, address: string): string[] => [
  ...Object.entries(headers)
    .filter(([name]) => !WITHOUT_SECRET.includes(name.toLowerCase()))
    .map(([, value]) => value),
  ...secretsSent(address, {}),
  ...secretsInPath(address),
]
