/** Numbers that JavaScript would write differently: `9.0`, `6.50`, `1e3`, `-0`, more than 15 digits. */
const ALTERED = /\d{16}|\.\d*0(?!\d)|\d[eE]|-0/
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/**
 * Characters that are joined before they are copied to a buffer: a string of a million slices takes ten times the
 * memory of its text.
 */
const CHUNK_LENGTH = 65_536

/**
 * Puts quotes around every number that parsing would change, so that a price stays `6.50` and an identifier of 18
 * digits keeps all of them. Takes linear time; strings in the text are skipped.
 *
 * @param json invalid JSON stays invalid
 */
export function quoteAlteredNumbers(json: string): string {
  if (!ALTERED.test(json)) return json
  const written: Buffer[] = []
  // utf16le keeps lone surrogates, which a string of JSON may contain.
  const encoding = /[^\0-\xff]/.test(json) ? 'utf16le' : 'latin1'
  let chunk = ''
  for (let at = 0; at < json.length; ) {
    const quote = json.indexOf('"', at)
    const end = quote < 0 ? json.length : endOfString(json, quote)
    chunk += json.slice(at, quote < 0 ? end : quote).replace(NUMBER, quotedIfAltered)
    if (quote >= 0) chunk += json.slice(quote, end)
    if (chunk.length > CHUNK_LENGTH) {
      written.push(Buffer.from(chunk, encoding))
      chunk = ''
    }
    at = end
  }
  if (written.length === 0) return chunk
  written.push(Buffer.from(chunk, encoding))
  return Buffer.concat(written).toString(encoding)
}

/** A number with a leading zero is not valid JSON and is left as it is. */
const quotedIfAltered = (number: string): string =>
  String(Number(number)) === number || /^-?0\d/.test(number) ? number : `"${number}"`

/** Counts the members of all objects in a JSON text, including those whose key occurs again in the same object. */
export function countMembers(json: string): number {
  let members = 0
  let colon = json.indexOf(':')
  for (let at = 0; colon >= 0; ) {
    const quote = json.indexOf('"', at)
    const end = quote < 0 ? json.length : quote
    for (; colon >= 0 && colon < end; colon = json.indexOf(':', colon + 1)) members++
    at = quote < 0 ? json.length : endOfString(json, quote)
    if (colon >= 0 && colon < at) colon = json.indexOf(':', at)
  }
  return members
}

/** The index after the closing quote of the string that begins at `start`. */
function endOfString(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); at >= 0; at = json.indexOf('"', at + 1)) {
    let slashes = 0
    while (json[at - 1 - slashes] === '\\') slashes++
    if (slashes % 2 === 0) return at + 1
  }
  return json.length
}
