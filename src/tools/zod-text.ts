import type { JsonSchema } from '../contract/tool.ts'
import type { Json } from '../kit/json.ts'
import { applyMethod, baseSchema, type Drafted, type ZodArgument } from './zod-words.ts'

/** In characters, and in levels. */
const LONGEST = 100_000
const DEEPEST = 50

/**
 * Reads a schema that is written for zod, `z.object({ title: z.string() })`, as JSON Schema. The text is not run.
 *
 * @throws Error with the line and what is not understood there
 */
export function readZodText(text: string): JsonSchema {
  if (text.length > LONGEST) throw new Error(`it has more than ${LONGEST} characters`)
  const reader = new ZodReader(text)
  const { schema } = reader.whole()
  return schema
}

const SPACE = /(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y
const WORD = /[A-Za-z_$][\w$]*/y
const NUMBER = /-?\d+(?:_\d+)*(?:\.\d+)?(?:e[+-]?\d+)?/iy
const REGEX = /\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y
const CONSTANTS: Readonly<Record<string, Json>> = { true: true, false: false, null: null }

class ZodReader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  whole(): Drafted {
    this.#skip('return')
    const drafted = this.#schema(0)
    this.#skip(';')
    this.#space()
    if (this.#at < this.#text.length) this.#fail('the schema has ended, and more text follows')
    return drafted
  }

  /** `z.string().min(1)`, from its `z`. */
  #schema(depth: number): Drafted {
    if (depth > DEEPEST) this.#fail(`it is more than ${DEEPEST} levels deep`)
    if (!this.#skip('z')) this.#fail('a schema begins with z.')
    let drafted: Drafted | undefined
    while (this.#skip('.')) {
      const word = this.#word()
      // `z.coerce.number()` is a number: values of a clear meaning are converted anyway.
      if (drafted === undefined && word === 'coerce') continue
      const given = this.#arguments(depth + 1)
      try {
        drafted = drafted === undefined ? baseSchema(word, given) : applyMethod(drafted, word, given)
      } catch (error) {
        this.#fail((error as Error).message)
      }
    }
    return drafted ?? this.#fail('a schema begins with z.')
  }

  #arguments(depth: number): ZodArgument[] {
    if (!this.#skip('(')) this.#fail('a bracket ( is missing')
    return this.#list(')', () => this.#value(depth))
  }

  #value(depth: number): ZodArgument {
    if (depth > DEEPEST) this.#fail(`it is more than ${DEEPEST} levels deep`)
    this.#space()
    const sign = this.#text[this.#at] ?? ''
    if (this.#skip('[')) return this.#list(']', () => this.#value(depth + 1))
    if (this.#skip('{')) {
      const pairs = this.#list('}', () => {
        this.#space()
        const name = /["'`]/.test(this.#text[this.#at] ?? '') ? this.#quoted() : this.#word()
        if (!this.#skip(':')) this.#fail(`a colon is missing after ${name}`)
        return [name, this.#value(depth + 1)] as const
      })
      return Object.fromEntries(pairs)
    }
    if (/["'`]/.test(sign)) return this.#quoted()
    if (sign === '/') return this.#take(REGEX) === '' ? this.#fail('a pattern does not end') : null
    const number = this.#take(NUMBER)
    if (number !== '') return Number(number.replaceAll('_', ''))
    const start = this.#at
    const word = this.#word()
    if (Object.hasOwn(CONSTANTS, word)) return CONSTANTS[word]!
    this.#at = start
    return this.#schema(depth)
  }

  /** What stands until a closing sign, with commas between; one at the end is allowed. */
  #list<T>(end: string, read: () => T): T[] {
    const values: T[] = []
    while (!this.#skip(end)) {
      values.push(read())
      if (this.#skip(',')) continue
      if (this.#skip(end)) break
      this.#fail(`a comma or ${end} is missing`)
    }
    return values
  }

  #word(): string {
    this.#space()
    const word = this.#take(WORD)
    return word === '' ? this.#fail('a name is missing') : word
  }

  #quoted(): string {
    const quote = this.#text[this.#at++]!
    let read = ''
    for (;;) {
      const sign = this.#text[this.#at++]
      if (sign === undefined) this.#fail('a quote does not end')
      if (sign === quote) return read
      if (sign !== '\\') read += sign
      else {
        const escaped = this.#text[this.#at++] ?? ''
        read += { n: '\n', t: '\t', r: '\r' }[escaped] ?? escaped
      }
    }
  }

  /** Whether a sign or word comes next, which is then behind. */
  #skip(expected: string): boolean {
    this.#space()
    if (!this.#text.startsWith(expected, this.#at)) return false
    const after = this.#text[this.#at + expected.length] ?? ''
    if (/\w$/.test(expected) && /[\w$]/.test(after)) return false
    this.#at += expected.length
    return true
  }

  #space(): void {
    this.#take(SPACE)
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    const [found = ''] = pattern.exec(this.#text) ?? []
    this.#at += found.length
    return found
  }

  #fail(reason: string): never {
    const line = this.#text.slice(0, this.#at).split('\n').length
    throw new Error(`line ${line}: ${reason}`)
  }
}
