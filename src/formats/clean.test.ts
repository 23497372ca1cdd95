import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanText, cleanPart } from './clean.ts'

test('cleanText() removes NULs, replaces lone surrogates, and changes nothing else', () => {
  assert.equal(cleanText('a\0b'), 'ab')
  assert.equal(cleanText('a\ud83db'), 'a\ufffdb')
  assert.equal(cleanText('a\u0001\ud83c\udf88\ufffe'), 'a\u0001\ud83c\udf88\ufffe')
})

test('cleanPart() cleans every text of the metadata', () => {
  const metadata = { 'k\0': ['x\0', { deep: 'y\ud800' }], number: 1, none: null }
  assert.deepEqual(cleanPart({ pageContent: 'z\0', metadata, last: true }), {
    pageContent: 'z',
    metadata: { k: ['x', { deep: 'y\ufffd' }], number: 1, none: null },
    last: true,
  })
})
