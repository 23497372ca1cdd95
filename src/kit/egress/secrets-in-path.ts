/** A part of a path is a key from this length on, in characters, where it has letters and digits. */
const LONG = 12
/** Parts of a path after which a key comes. */
const BEFORE_KEY = /^(token|key|api_?key|secret|auth|hooks?|webhooks?)s?$/i
const SHORTEST = 6

/**
 * The keys in the path of an address that an author has typed, such as those of web hooks: `/bot123:ABC…/send`, `/hooks/a1b2…`. Parts
 * that a model or a request fills in are none: their values are ids that answers name, too.
 *
 * @param address may have places such as `:id`, `{id}` or `{{variable}}`, which are left out
 */
export function secretsInPath(address: string): string[] {
  const path = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*([^?#]*)/i.exec(address.trim())?.[1] ?? ''
  const parts = path.split('/')
  return parts.flatMap((part, at) => {
    if (/[{}]|^:/.test(part)) return []
    const text = decoded(part)
    const named = at > 0 && BEFORE_KEY.test(parts[at - 1]!) && text.length >= SHORTEST
    const keys = [...new Set([text, ...text.split(/[:;,=]/)])].filter(isKey)
    return named ? [text, ...keys] : keys
  })
}

const isKey = (text: string) => text.length >= LONG && /\d/.test(text) && /[a-z]/i.test(text)

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
