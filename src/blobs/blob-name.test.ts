import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkBlobName, isBlobName } from './blob-name.ts'

for (const name of ['a', 'uploads/x-1/0', '_a/b.c', '-', 'a.', `${'a/'.repeat(249)}bc`])
  test(`isBlobName() takes ${name.slice(0, 20)}`, () => {
    assert.equal(isBlobName(name), true)
    checkBlobName(name)
  })

for (const name of [
  '',
  '.',
  '..',
  'a/..',
  '../a',
  '.hidden',
  'a/.b',
  '/a',
  'a/',
  'a//b',
  'a\\b',
  'a b',
  'é',
  'a\n',
])
  test(`isBlobName() refuses ${JSON.stringify(name)}`, () => {
    assert.equal(isBlobName(name), false)
    assert.throws(() => checkBlobName(name), new TypeError(`${JSON.stringify(name)} is not a name of a blob`))
  })

test('isBlobName() takes 500 characters and refuses 501', () => {
  assert.deepEqual(
    [500, 501].map((length) => isBlobName('a'.repeat(length))),
    [true, false],
  )
})
