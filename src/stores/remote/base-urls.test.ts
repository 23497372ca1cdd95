import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readBaseURLs } from './base-urls.ts'

test('readBaseURLs() reads one address as before, and several with commas or blanks between', () => {
  for (const [text, addresses] of [
    ['https://a.example/', ['https://a.example']],
    ['https://a.example:9200,https://b.example:9200', ['https://a.example:9200', 'https://b.example:9200']],
    [
      ' https://a.example , HTTP://b.example/x/\n https://c.example, ',
      ['https://a.example', 'HTTP://b.example/x', 'https://c.example'],
    ],
    ['https://a.example https://a.example/', ['https://a.example']],
    ['https://me:a,b@a.example', ['https://me:a,b@a.example']],
  ] as const)
    assert.deepEqual(readBaseURLs(text), addresses)
})

test('readBaseURLs() refuses what is no address', () => {
  for (const text of ['', 'a.example', 'https://', 'https://a.example:9200,b.example:9200'])
    assert.throws(() => readBaseURLs(text), /must begin with http/)
})
