import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collect } from '../../test/support/collect.ts'
import type { ParseOptions } from '../contract/file-parser.ts'
import { readJson } from './json.ts'
import { LIMITS } from './limits.ts'

const read = (content: string, options: ParseOptions = {}, limits = LIMITS) =>
  collect(readJson({ bytes: Buffer.from(content), name: 'x.json' }, options, limits))
const texts = async (value: unknown, options?: ParseOptions) =>
  (await read(JSON.stringify(value), options)).map((part) => ('note' in part ? part.note : part.pageContent))

test('readJson() makes a document of every text, in the order of the file', async () => {
  assert.deepEqual(await read('{"a": "one", "b": [1, "two", {"c": ["three", null, true, ""]}]}'), [
    { pageContent: 'one', metadata: { line: 1 }, last: true },
    { pageContent: 'two', metadata: { line: 2 }, last: true },
    { pageContent: 'three', metadata: { line: 3 }, last: true },
  ])
  assert.deepEqual(await read('\ufeff"alone"'), [{ pageContent: 'alone', metadata: {}, last: true }])
  assert.deepEqual(await read('[1, {}, []]'), [])
})

test('readJson() takes all texts below the keys it is given, at every depth', async () => {
  const value = { id: 'x', body: 'one', more: [{ body: { title: 'two', list: ['three'] } }, { other: 'no' }] }
  assert.deepEqual(await texts(value, { pointers: ['body'] }), ['one', 'two', 'three'])
  assert.deepEqual(await texts(value, { pointers: ['/body/title', 'other'] }), ['two', 'no'])
  assert.deepEqual(await texts(value, { pointers: ['/more/0/body/list'] }), ['three'])
  assert.deepEqual(await texts(value, { pointers: ['nowhere'] }), [])
  assert.deepEqual(await texts({ 'a/b': { 'c~d': 'found' } }, { pointers: ['/a~1b/c~0d'] }), ['found'])
})

test('readJson() begins a pointer anew where another one has half matched', async () => {
  assert.deepEqual(await texts({ a: { a: { b: 'found' } } }, { pointers: ['/a/b'] }), ['found'])
})

test('readJson() makes a document per object of lines key: value', async () => {
  const items = [{ a: 'x', b: { c: 1, d: { e: null } }, f: [1, { g: 2 }] }, 'text', { a: true }]
  assert.deepEqual(await texts(items, { separateByObject: true }), [
    'a: x\nb.c: 1\nb.d.e: null\nf: [1,{"g":2}]',
    'a: true',
    '1 of 3 elements are not objects and were skipped',
  ])
})

test('readJson() gives each item the metadata its pointers lead to', async () => {
  const items = [
    { url: 'u1', body: 'one', tags: ['t'] },
    { url: 'u2', body: 'two' },
  ]
  const options = { pointers: ['body'], metadataPointers: { page: '/url', tag: '/tags/0' } }
  assert.deepEqual(await read(JSON.stringify(items), options), [
    { pageContent: 'one', metadata: { line: 1, page: 'u1', tag: 't' }, last: true },
    { pageContent: 'two', metadata: { line: 2, page: 'u2' }, last: true },
  ])
})

test('readJson() says where the file breaks off, without quoting it', async () => {
  await assert.rejects(read('{"secret": "words",\n 7}'), {
    code: 'file_unreadable',
    message: /^x\.json cannot be read: it is not JSON(: it breaks off in line 2, column 2)?$/,
  })
  await assert.rejects(read('secret words'), { message: 'x.json cannot be read: it is not JSON' })
  await assert.rejects(read(''), { code: 'file_unreadable' })
})

test('readJson() takes what is deep or large up to its limits, and never overflows the stack', async () => {
  assert.deepEqual(await read(`${'['.repeat(500)}"deep"${']'.repeat(500)}`), [
    { pageContent: 'deep', metadata: {}, last: true },
  ])
  const deep = '['.repeat(300_000) + ']'.repeat(300_000)
  await assert.rejects(read(deep), { code: 'file_over_limit', message: /more than 512 deep/ })
  await assert.rejects(read(JSON.stringify(Array(99).fill(0)), {}, { ...LIMITS, jsonNodes: 50 }), {
    code: 'file_over_limit',
  })
})

test('readJson() reads __proto__, constructor and keys that occur twice as the data they are', async () => {
  const content = '{"__proto__": "a", "constructor": "b", "x": "first", "x": "second"}'
  assert.deepEqual(
    (await read(content)).map((part) => 'pageContent' in part && part.pageContent),
    ['a', 'b', 'second'],
  )
  assert.deepEqual(await texts([{ a: 'x' }], { pointers: ['constructor', 'toString'] }), [])
})
