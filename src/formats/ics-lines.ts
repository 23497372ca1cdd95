/** A property of a calendar: `DTSTART;TZID=Europe/Paris:20260301T100000`. */
export type IcsProperty = { name: string; parameters: ReadonlyMap<string, string>; value: string }

/** Reads one unfolded content line (RFC 5545, 3.1); undefined for a line that is none. */
export function parseProperty(line: string): IcsProperty | undefined {
  const head = /^(?:[\w-]+\.)?([\w-]+)/.exec(line)
  if (!head) return undefined
  const parameters = new Map<string, string>()
  let at = head[0].length
  while (line[at] === ';') {
    PARAMETER.lastIndex = at
    const found = PARAMETER.exec(line)
    if (!found) return undefined
    parameters.set(found[1]!.toUpperCase(), (found[2] ?? '').replaceAll('"', ''))
    at += found[0].length
  }
  if (line[at] !== ':') return undefined
  return { name: head[1]!.toUpperCase(), parameters, value: line.slice(at + 1) }
}

const PARAMETER = /;([\w-]+)(?:=((?:"[^"]*"|[^";:])*))?/y

/** The characters of a text value (RFC 5545, 3.3.11). */
export const unescapeText = (value: string): string =>
  value.replace(/\\([\\;,nN])/g, (_, character: string) => (/n/i.test(character) ? '\n' : character))

/** Joins folded lines: a line that begins with a space or tab goes on with the one before it. */
export async function* unfold(lines: AsyncIterable<string>, longest: number): AsyncGenerator<string> {
  let held: string[] = []
  let length = 0
  for await (const line of lines) {
    if (/^[ \t]/.test(line) && held.length > 0) {
      length += line.length
      // what is longer is cut: no property of a calendar needs it
      if (length <= longest) held.push(line.slice(1))
      continue
    }
    if (held.length > 0) yield held.join('')
    held = [line]
    length = line.length
  }
  if (held.length > 0) yield held.join('')
}
