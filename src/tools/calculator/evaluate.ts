import { CONSTANTS, FUNCTIONS, factorial } from './functions.ts'
import { type Token, tokensOf } from './tokens.ts'

/** The longest expression, in characters, and how deep it may be nested. Both bound the work: each token is looked at once. */
export const LONGEST_EXPRESSION = 1000
const DEEPEST = 100

/** An expression cannot be calculated; the message says why, for the model. */
export class NoResult extends Error {}

/** How strongly an operator binds. A sign binds less than a power: -2^2 is -4. */
const SUM = 1
const PRODUCT = 2
const SIGN = 3
const POWER = 4

const BINARY: Readonly<Record<string, { level: number; of(left: number, right: number): number }>> = {
  '+': { level: SUM, of: (left, right) => left + right },
  '-': { level: SUM, of: (left, right) => left - right },
  '*': { level: PRODUCT, of: (left, right) => left * right },
  '/': { level: PRODUCT, of: (left, right) => left / notZero(right) },
  '%': { level: PRODUCT, of: (left, right) => left % notZero(right) },
  '^': { level: POWER, of: (left, right) => left ** right },
}

function notZero(divisor: number): number {
  if (divisor === 0) throw new NoResult('it divides by zero')
  return divisor
}

/**
 * The value of an arithmetic expression: + - * / ^ (also **), % as remainder (`7 % 3`) or per cent (`15%`), !, brackets, functions and
 * constants. Nothing of it is ever run as code.
 *
 * @throws NoResult with the reason, and its place where it is about one
 */
export function evaluateExpression(expression: string): number {
  if (expression.length > LONGEST_EXPRESSION)
    throw new NoResult(`it has ${expression.length} characters; ${LONGEST_EXPRESSION} are the most`)
  const tokens = tokensOf(expression)
  let at = 0
  let depth = 0

  const peek = (): Token => tokens[at]!
  const take = (): Token => tokens[at++]!
  const skip = (text: string): boolean => {
    const found = peek().kind === 'sign' && peek().text === text
    if (found) at++
    return found
  }
  const need = (text: string) => {
    if (!skip(text)) throw unexpected(peek(), `expected ${text}`)
  }

  function nested<T>(read: () => T): T {
    if (++depth > DEEPEST) throw new NoResult(`it is nested more than ${DEEPEST} deep`)
    const value = read()
    depth--
    return value
  }

  /** An operand and all operators after it that bind at least as strongly as `level`. */
  function operation(level: number): number {
    return nested(() => {
      let left = signed()
      for (;;) {
        const { kind, text } = peek()
        const operator = kind === 'sign' && Object.hasOwn(BINARY, text) ? BINARY[text]! : undefined
        if (!operator || operator.level < level) return left
        at++
        // A power groups from the right: 2^3^2 is 2^9.
        left = operator.of(left, operation(operator.level === POWER ? POWER : operator.level + 1))
      }
    })
  }

  function signed(): number {
    if (skip('-')) return -operation(SIGN)
    if (skip('+')) return operation(SIGN)
    return postfixed()
  }

  function postfixed(): number {
    let value = operand()
    for (;;) {
      if (skip('!')) value = factorial(value, refuse)
      else if (isPercent()) {
        at++
        value /= 100
      } else return value
    }
  }

  /** Whether a % has no operand after it. Before a sign it is per cent: `20% - 3`. */
  function isPercent(): boolean {
    if (peek().kind !== 'sign' || peek().text !== '%') return false
    const next = tokens[at + 1]!
    return next.kind === 'end' || (next.kind === 'sign' && next.text !== '(')
  }

  function operand(): number {
    const token = take()
    if (token.kind === 'number') return token.value
    if (token.kind === 'sign' && token.text === '(') {
      const value = operation(SUM)
      need(')')
      return value
    }
    if (token.kind === 'name') return named(token)
    throw unexpected(token, 'expected a number')
  }

  function named(token: Token): number {
    const name = token.text.toLowerCase()
    if (Object.hasOwn(FUNCTIONS, name)) {
      need('(')
      const values: number[] = []
      if (!skip(')')) {
        do values.push(operation(SUM))
        while (skip(','))
        need(')')
      }
      const { least, most, of } = FUNCTIONS[name]!
      if (values.length < least || values.length > most)
        throw new NoResult(`${name} takes ${countOf(least, most)}, not ${values.length}`)
      return of(...values)
    }
    if (Object.hasOwn(CONSTANTS, name)) return CONSTANTS[name]!
    throw new NoResult(
      `${token.text} is no known function or constant; there are ${Object.keys({ ...FUNCTIONS, ...CONSTANTS }).join(', ')}`,
    )
  }

  const value = operation(SUM)
  if (peek().kind !== 'end') throw unexpected(peek(), 'expected an operator')
  if (Number.isNaN(value)) throw new NoResult('it has no real value')
  if (!Number.isFinite(value)) throw new NoResult('its value is too large')
  return value
}

const refuse = (reason: string): never => {
  throw new NoResult(reason)
}

const countOf = (least: number, most: number): string =>
  least === most
    ? `${least} values`
    : most === Infinity
      ? `${least} values or more`
      : `${least} to ${most} values`

function unexpected({ kind, text, place }: Token, wanted: string): NoResult {
  if (kind === 'end') return new NoResult(`${wanted} at its end`)
  if (kind === 'other')
    return new NoResult(`${JSON.stringify(text)} at character ${place + 1} is not arithmetic`)
  return new NoResult(`${wanted} at character ${place + 1}, found ${text}`)
}
