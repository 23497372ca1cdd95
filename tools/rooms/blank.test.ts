import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blank } from './blank.ts'

/** `#{` stands for `$` and `{`, which the linter takes for a slip in a plain text. */
const CASES: [name: string, source: string, code: string][] = [
  ['a line comment', 'a // import x\nb', 'a            \nb'],
  ['a block comment over two lines', 'a /* x\ny */ b', 'a     \n     b'],
  ['a text, its quotes kept', "f('it\\'s // so')", "f('           ')"],
  ['an empty text', "f('')", "f('')"],
  ['a template, the code inside it kept', '`a #{b(`c#{d}`)} e`', '`  #{b(` #{d}`)}  `'],
  ['a template with braces in its code', '`#{f({ a: 1 })}x`', '`#{f({ a: 1 })} `'],
  ['a regular expression with a quote and a slash', "x = /['/]\\//g + 'y'", "x = /      /g + ' '"],
  ['a regular expression after return', 'return /"/', 'return / /'],
  ['a division, which hides nothing', "a / b + 'c' / d", "a / b + ' ' / d"],
  ['a division after a bracket', '(a) / 2 / b', '(a) / 2 / b'],
  ['an unfinished text, up to the end of its line', "'abc\nd", "'   \nd"],
  ['an unfinished comment', 'a /* b', 'a     '],
]

const dollars = (text: string) => text.replaceAll('#', '$')

for (const [name, source, code] of CASES)
  test(`blank() hides ${name}`, () => {
    assert.equal(blank(dollars(source)), dollars(code))
  })
