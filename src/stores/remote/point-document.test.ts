import assert from 'node:assert/strict'
import { test } from 'node:test'
import { documentWith } from './point-document.ts'

test('a document has the fields and the vector that it was made of, however long', () => {
  for (const length of [1, 3, 40_000]) {
    const vector = Float32Array.from({ length }, (_, at) => Math.sin(at + 1) / 3)
    const object = { text: 'Zürich 東京 🙂 "quoted"\n', list: ['a'], none: null }
    const bytes = documentWith(object, 'embedding', vector)
    const { embedding, ...rest } = JSON.parse(Buffer.from(bytes).toString()) as { embedding: number[] }
    assert.deepEqual(rest, object)
    assert.deepEqual(Float32Array.from(embedding), vector)
  }
})

test('a document stays as it is when the next one is made', () => {
  const first = documentWith({ id: 'a' }, 'v', Float32Array.of(0.5))
  documentWith({ id: 'b' }, 'v', Float32Array.of(0.25))
  assert.equal(Buffer.from(first).toString(), '{"id":"a","v":[0.5]}')
})
