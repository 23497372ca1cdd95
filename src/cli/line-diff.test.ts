import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lineDiff } from './line-diff.ts'

test('lineDiff shows what went and what came, with three lines around', () => {
  const before = 'a\nb\nc\nd\ne\nf\ng\nh\n'
  const after = 'a\nb\nc\nd\nE\nf\ng\nh\n'
  assert.deepEqual(lineDiff(before, after), [
    '@@ -2,7 +2,7 @@',
    ' b',
    ' c',
    ' d',
    '-e',
    '+E',
    ' f',
    ' g',
    ' h',
  ])
})

test('lineDiff has a hunk for each change that is far from the others', () => {
  const lines = Array.from({ length: 30 }, (_, at) => `${at}`)
  const changed = lines.with(2, 'two').toSpliced(25, 1)
  const hunks = lineDiff(lines.join('\n'), changed.join('\n')).filter((line) => line.startsWith('@@'))
  assert.deepEqual(hunks, ['@@ -1,6 +1,6 @@', '@@ -23,7 +23,6 @@'])
})

test('lineDiff of equal texts is empty, and of an empty text all lines', () => {
  assert.deepEqual(lineDiff('a\nb\n', 'a\nb\n'), [])
  assert.deepEqual(lineDiff('', 'a\nb\n'), ['@@ -1,0 +1,2 @@', '+a', '+b'])
})

test('lineDiff of texts that are too long to compare shows all lines between the differences', () => {
  const lines = (word: string) => Array.from({ length: 3000 }, (_, at) => `${word} ${at}`).join('\n')
  const found = lineDiff(`same\n${lines('a')}\nend`, `same\n${lines('b')}\nend`)
  assert.equal(found.length, 1 + 2 + 6000)
})
