import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textSections } from './text-sections.ts'

test('textSections() gives the whole text in sections that end at a space if there is one', () => {
  const text = 'some words '.repeat(1000)
  const sections = [...textSections(text, 100)]
  assert.equal(sections.join(''), text)
  assert.ok(sections.slice(0, -1).every((section) => section.endsWith(' ') && section.length < 120))
})

test('textSections() also cuts a text without any space, and no character in two', () => {
  const text = 'x'.repeat(1001) + '😀'.repeat(100_000)
  const sections = [...textSections(text, 10_000)]
  assert.equal(sections.join(''), text)
  assert.ok(sections.every((section) => section.isWellFormed()))
  assert.ok(Math.max(...sections.map(({ length }) => length)) < 80_000)
})
