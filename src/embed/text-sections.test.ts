import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textSections } from './text-sections.ts'

test('textSections() gives the whole text in sections that end at a space if there is one', () => {
  const text = 'some words '.repeat(1000)
  const stretches = [...textSections(text, 100)]
  assert.equal(stretches.join(''), text)
  assert.ok(stretches.slice(0, -1).every((stretch) => stretch.endsWith(' ') && stretch.length < 120))
})

test('textSections() also cuts a text without any space, and no character in two', () => {
  const text = 'x'.repeat(1001) + '😀'.repeat(100_000)
  const stretches = [...textSections(text, 10_000)]
  assert.equal(stretches.join(''), text)
  assert.ok(stretches.every((stretch) => stretch.isWellFormed()))
  assert.ok(Math.max(...stretches.map(({ length }) => length)) < 80_000)
})
