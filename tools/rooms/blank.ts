/**
 * A TypeScript source in which comments and the insides of texts and regular expressions are spaces, everything else
 * at its offset: a search in it finds code only, and an offset found in it is valid in the source too. Code
 * inside `${…}` stays. Delimiters stay, so that an empty text is still seen as one.
 */
export function blank(source: string): string {
  const out: string[] = []
  /** Depth of braces for each template literal that is open around the place we are at. */
  const templates: number[] = []
  let at = 0

  const keep = (end: number) => {
    out.push(source.slice(at, end))
    at = end
  }
  const hide = (end: number) => {
    out.push(source.slice(at, end).replace(/[^\n]/g, ' '))
    at = end
  }
  const hideWithin = (end: number) => {
    keep(at + 1)
    hide(end)
    keep(Math.min(end + 1, source.length))
  }
  /** Hides template text up to the closing backtick or to the next `${`, which opens code again. */
  const template = () => {
    const end = scan(source, at, (char, index) => char === '`' || source.startsWith('${', index))
    hide(end)
    if (source[at] === '`') return keep(at + 1)
    keep(Math.min(at + 2, source.length))
    templates.push(0)
  }

  while (at < source.length) {
    const char = source[at]!
    if (source.startsWith('//', at)) hide(orEnd(source, source.indexOf('\n', at)))
    else if (source.startsWith('/*', at)) hide(orEnd(source, source.indexOf('*/', at + 2), 2))
    else if (char === "'" || char === '"')
      hideWithin(scan(source, at + 1, (next) => next === char || next === '\n'))
    else if (char === '`') {
      keep(at + 1)
      template()
    } else if (char === '/' && startsPattern(out)) hideWithin(endOfPattern(source, at + 1))
    else if (char === '}' && templates.at(-1) === 0) {
      templates.pop()
      keep(at + 1)
      template()
    } else {
      if (templates.length > 0 && (char === '{' || char === '}'))
        templates[templates.length - 1]! += char === '{' ? 1 : -1
      keep(at + 1)
    }
  }
  return out.join('')
}

const orEnd = (source: string, index: number, length = 0) => (index < 0 ? source.length : index + length)

/** The first place from `from` on where `stop` holds, an escaped character never being one. */
function scan(source: string, from: number, stop: (char: string, index: number) => boolean): number {
  for (let index = from; index < source.length; index++) {
    if (source[index] === '\\') index++
    else if (stop(source[index]!, index)) return index
  }
  return source.length
}

function endOfPattern(source: string, from: number): number {
  let inClass = false
  return scan(source, from, (char) => {
    if (char === '[') inClass = true
    if (char === ']') inClass = false
    return char === '\n' || (char === '/' && !inClass)
  })
}

/** A slash divides after a value and opens a regular expression after anything else. */
function startsPattern(before: string[]): boolean {
  const text = before.slice(-200).join('').trimEnd()
  const word = /[\w$]+$/.exec(text)?.[0]
  if (word) return /^(return|typeof|case|in|of|do|else|void|delete|throw|new|await|yield)$/.test(word)
  return !/[)\]'"`]$/.test(text)
}
