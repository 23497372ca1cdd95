import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isHtml } from './is-html.ts'

/** The same rule as one pattern, which takes quadratic time on some texts: only for short ones. */
const byPattern = (text: string): boolean =>
  /^\s*<(?:!doctype\b|!--|[a-z])/i.test(text) ||
  /<\/[a-z][\w-]*\s*>/i.test(text.replace(/^ {0,3}(`{3,}|~{3,})[\s\S]*?^ {0,3}\1|`[^`\n]*`/gm, ''))

const WORDS = [
  '`',
  '``',
  '```',
  '````',
  '~~~',
  '~~~~',
  '\n',
  '\n',
  '\n',
  ' ',
  '    ',
  '</a>',
  '</p',
  '>',
  'x',
]

test('isHtml() gives the result of the pattern for texts of fences, backticks and tags', () => {
  let seed = 7
  const next = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2 ** 31
    return Math.floor((seed / 2 ** 31) * below)
  }
  let html = 0
  for (let round = 0; round < 20_000; round++) {
    const text = Array.from({ length: 1 + next(14) }, () => WORDS[next(WORDS.length)]).join('')
    assert.equal(isHtml(text), byPattern(text), JSON.stringify(text))
    if (isHtml(text)) html++
  }
  assert.ok(html > 1000 && html < 19_000, `${html} of 20,000`)
})

test('isHtml() takes linear time on a megabyte of backticks and of open fences', () => {
  assert.equal(isHtml(`</${'`'.repeat(1_000_000)}`), false)
  const fences = Array.from({ length: 100_000 }, (_, n) => '~'.repeat(3 + (n % 7)) + n).join('\n```\n')
  assert.equal(isHtml(`${fences}\n</`), false)
})
