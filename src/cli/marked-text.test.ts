import assert from 'node:assert/strict'
import { test } from 'node:test'
import { markedLines } from './marked-text.ts'

const paint = (_: unknown, text: string) => `<${text}>`
const lines = (text: string, marks: { from: number; to: number }[], columns: number, from = 0) =>
  markedLines(text, { from, to: text.length }, marks, columns, paint)

test('markedLines() breaks between words and paints the marked ones', () => {
  assert.deepEqual(lines('Skip. The rinse nozzle was blocked.', [{ from: 16, to: 22 }], 14, 6), [
    'The rinse',
    '<nozzle> was',
    'blocked.',
  ])
})

test('markedLines() breaks texts without spaces, and counts wide characters as two columns', () => {
  const found = lines('東大寺は奈良市にある。大仏は有名だ。', [{ from: 0, to: 3 }], 12)
  assert.ok(found.length >= 3)
  assert.match(found[0]!, /^<東大寺>/)
  assert.equal(found.join('').replace(/[<>]/g, ''), '東大寺は奈良市にある。大仏は有名だ。')
})

test('markedLines() replaces control characters and cuts a word that is wider than a line', () => {
  assert.deepEqual(lines('a\u001b[2J\nb', [], 40), ['a [2J b'])
  assert.deepEqual(lines('x'.repeat(50), [], 10), ['xxxxxxxxx…'])
})
