import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slicesOf } from './slices.ts'

test('slicesOf() divides long parts, keeps surrogate pairs together, and ends a document once', () => {
  const part = (pageContent: string, last: boolean) => ({ pageContent, metadata: { a: 1 }, last })
  assert.deepEqual(
    [...slicesOf([part('abc', false), part('defgh', true), part('12😀4', false), part('', true)], 3)],
    [
      part('abc', false),
      part('def', false),
      part('gh', true),
      part('12', false),
      part('😀4', false),
      part('', true),
    ],
  )
})
