import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spanOf, textParts } from './text-parts.ts'

const chunk = (start: number, end: number) => ({ id: `${start}`, range: { start, end } })

test('textParts() divides a text at chunks, names those that overlap, and loses no character', () => {
  const text = 'one two three four'
  const parts = textParts(text, 100, [chunk(100, 107), chunk(104, 113), { id: 'x', range: null }])
  assert.deepEqual(
    parts.map(({ text, chunks }) => [text, chunks]),
    [
      ['one ', [0]],
      ['two', [0, 1]],
      [' three', [1]],
      [' four', []],
    ],
  )
  assert.equal(parts.map((part) => part.text).join(''), text)
  assert.deepEqual(
    parts.map(({ start }) => start),
    [100, 104, 107, 113],
  )
})

test('textParts() cuts off what chunks have outside of the text', () => {
  assert.deepEqual(textParts('two', 4, [chunk(0, 5), chunk(6, 20)]), [
    { text: 't', start: 4, chunks: [0], begins: false },
    { text: 'w', start: 5, chunks: [], begins: false },
    { text: 'o', start: 6, chunks: [1], begins: true },
  ])
  assert.deepEqual(textParts('', 4, [chunk(0, 5)]), [])
})

test('spanOf() is from the first to the last position of some chunks', () => {
  assert.deepEqual(spanOf([chunk(4, 9), chunk(2, 5), { id: 'x', range: null }]), { start: 2, end: 9 })
  assert.equal(spanOf([{ id: 'x', range: null }]), undefined)
})
