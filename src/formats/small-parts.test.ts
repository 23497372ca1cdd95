import assert from 'node:assert/strict'
import { test } from 'node:test'
import { smallParts } from './small-parts.ts'

const divide = (pageContent: string, length: number, last = true) => [
  ...smallParts({ pageContent, metadata: { a: 1 }, last }, length),
]

test('smallParts() leaves a short part as it is', () => {
  const part = { pageContent: 'x'.repeat(10), metadata: { a: 1 }, last: true }
  assert.deepEqual([...smallParts(part, 10)], [part])
})

test('smallParts() splits a long text into parts of bounded length without changing it', () => {
  const text = `${'word '.repeat(1000)}\n${'x'.repeat(5000)}`
  const parts = divide(text, 100)
  assert.equal(parts.map(({ pageContent }) => pageContent).join(''), text)
  assert.ok(parts.every(({ pageContent }) => pageContent.length > 0 && pageContent.length <= 100))
  assert.deepEqual(parts.map(({ last }) => last).indexOf(true), parts.length - 1)
  assert.ok(parts.every(({ metadata }) => metadata.a === 1))
  assert.equal(divide(text, 100, false).at(-1)!.last, false)
})

test('smallParts() cuts after lines and words if possible, and never inside a character', () => {
  assert.deepEqual(
    divide(`${'a'.repeat(18)} ${'b'.repeat(8)}`, 20).map(({ pageContent }) => pageContent),
    [`${'a'.repeat(18)} `, 'b'.repeat(8)],
  )
  const parts = divide(`a${'\u{1f600}'.repeat(50)}`, 20)
  assert.ok(parts.every(({ pageContent }) => pageContent.isWellFormed()))
})

test('smallParts() does not repeat metadata that are longer than a part', () => {
  const part = { pageContent: 'x'.repeat(1000), metadata: { links: ['y'.repeat(1000)] }, last: true }
  assert.deepEqual([...smallParts(part, 100)], [part])
})
