/** A piece of an expression, and where it begins. `other`: a character that no expression has. */
export type Token = {
  kind: 'number' | 'name' | 'sign' | 'other' | 'end'
  text: string
  /** The number of characters before it. */
  place: number
  /** Of a number; else 0. */
  value: number
}

const TOKEN =
  /(\d+(?:\.\d*)?(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?)|([\p{L}_][\p{L}\d_]*)|(\*\*|[-+*/^%!(),])|(\S)/giu

/** Signs that models and people write for those of the keyboard. */
const WRITTEN: Readonly<Record<string, string>> = {
  '−': '-',
  '–': '-',
  '×': '*',
  '·': '*',
  '÷': '/',
  '∶': '/',
}

/** The pieces of an expression in their order, with one of the kind `end` after them. */
export function tokensOf(expression: string): Token[] {
  const plain = expression.replace(/[−–×·÷∶]/g, (sign) => WRITTEN[sign]!)
  const found = [...plain.matchAll(TOKEN)].map((match): Token => {
    const [text, number, name, sign] = match
    const place = match.index
    if (number !== undefined) return { kind: 'number', text, place, value: Number(number) }
    if (name !== undefined) return { kind: 'name', text, place, value: 0 }
    return { kind: sign === undefined ? 'other' : 'sign', text: text === '**' ? '^' : text, place, value: 0 }
  })
  return [...found, { kind: 'end', text: '', place: plain.length, value: 0 }]
}
