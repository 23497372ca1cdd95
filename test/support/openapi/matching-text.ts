/**
 * A text that a regular expression accepts, or undefined where it uses more than classes, groups, choices and counts.
 * For samples of what a schema with a pattern takes.
 */
export function matchingText(pattern: string): string | undefined {
  let at = 0
  const peek = () => pattern[at]
  const take = () => pattern[at++]!

  function choices(): string {
    const first = sequence()
    while (peek() === '|') {
      at += 1
      sequence()
    }
    return first
  }

  function sequence(): string {
    let text = ''
    while (at < pattern.length && peek() !== '|' && peek() !== ')') text += counted()
    return text
  }

  function counted(): string {
    const one = atom()
    const [, least] = /^\{(\d+)(?:,\d*)?\}/.exec(pattern.slice(at)) ?? []
    let times = 1
    if (least !== undefined) {
      at = pattern.indexOf('}', at) + 1
      times = Number(least)
      if (times === 0 && one !== '') times = 0
    } else if (peek() === '*' || peek() === '?') {
      at += 1
      times = 0
    } else if (peek() === '+') at += 1
    if (peek() === '?' || peek() === '+') at += 1
    return one.repeat(times)
  }

  function atom(): string {
    const character = take()
    if (character === '^' || character === '$') return ''
    if (character === '.') return 'a'
    if (character === '[') return fromClass()
    if (character === '(') return group()
    if (character === '\\') return escaped(take())
    return character
  }

  function group(): string {
    const kind = /^\?(?::|<[a-z]\w*>|=|!|<=|<!)/i.exec(pattern.slice(at))?.[0] ?? ''
    at += kind.length
    const text = choices()
    at += 1
    return /[=!]$/.test(kind) ? '' : text
  }

  function escaped(letter: string): string {
    if (letter === 'b' || letter === 'B') return ''
    if (letter === 'p' || letter === 'P') {
      at = pattern.indexOf('}', at) + 1
      return 'a'
    }
    return { d: '1', w: 'a', s: ' ', D: 'a', W: '-', S: 'a', n: '\n', t: '\t' }[letter] ?? letter
  }

  function fromClass(): string {
    const end = classEnd()
    const inside = pattern.slice(at, end)
    at = end + 1
    const accepts = new RegExp(`[${inside}]`, 'u')
    const candidates = 'aA1bB2_-. /:@#+=zZ09,é\u4e00'
    return (
      [...candidates].find((character) => accepts.test(character)) ?? String.fromCodePoint(firstOf(accepts))
    )
  }

  function classEnd(): number {
    for (let end = at + (peek() === '^' ? 1 : 0); end < pattern.length; end++) {
      if (pattern[end] === '\\') end += 1
      else if (pattern[end] === ']') return end
    }
    throw new Error('the class has no end')
  }

  try {
    const text = choices()
    return new RegExp(pattern, 'u').test(text) ? text : undefined
  } catch {
    return undefined
  }
}

function firstOf(accepts: RegExp): number {
  for (let code = 33; code < 0x3000; code++) if (accepts.test(String.fromCodePoint(code))) return code
  throw new Error('the class accepts nothing that is known')
}
