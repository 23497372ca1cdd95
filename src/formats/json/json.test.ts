import assert from 'node:assert/strict'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { collect } from '../../../test/support/collect.ts'
import { itemText } from '../../../test/support/reader-items.ts'
import type { ParseOptions } from '../../contract/file-parser.ts'
import { readJsonFile } from './json.ts'
import { FILE_LIMITS } from '../limits.ts'

const file = path.join(mkdtempSync(path.join(tmpdir(), 'sluice-json-')), 'x.json')

async function read(content: string, options: ParseOptions = {}, limits = FILE_LIMITS) {
  writeFileSync(file, content)
  return collect(readJsonFile({ path: file, name: 'x.json' }, options, limits))
}
const texts = async (value: unknown, options?: ParseOptions) =>
  (await read(JSON.stringify(value), options)).map(itemText)

test('readJsonFile() keeps empty cells of tables, so that values stay in their columns [formats:json-cells]', async () => {
  const table = [
    ['', 'Monday', '', 'Wednesday'],
    ['open', '', '9', ''],
    ['', '', '', ''],
  ]
  assert.deepEqual(await texts({ name: 'hours', table }), [
    'name: hours\ntable: , Monday, , Wednesday; open, , 9, ; , , , ',
  ])
  const long = 'a cell that is so long that it has a line of its own in the text'
  assert.deepEqual(await texts({ row: ['', long, '', 'b'] }), [`row: \nrow: ${long}\nrow: , b`])
})

test('readJsonFile() makes an object a document of lines path: value, with every number, boolean and null', async () => {
  assert.deepEqual(await read('{"port": 8080}'), [
    { pageContent: 'port: 8080', metadata: { pointer: '' }, last: true },
  ])
  const config = {
    name: 'x',
    debug: false,
    db: { host: 'h', port: 5432, pool: null },
    tags: ['a', 2, true],
    none: [],
  }
  assert.deepEqual(await texts(config), [
    'name: x\ndebug: false\ndb.host: h\ndb.port: 5432\ndb.pool: null\ntags: a, 2, true\nnone: []',
  ])
})

test('readJsonFile() makes each element of an array of objects a document with its JSON pointer', async () => {
  assert.deepEqual(await read('[{"name": "tea", "price": 3.50}, {"name": "milk", "price": 2}]'), [
    { pageContent: 'name: tea\nprice: 3.50', metadata: { line: 1, pointer: '/0' }, last: true },
    { pageContent: 'name: milk\nprice: 2', metadata: { line: 2, pointer: '/1' }, last: true },
  ])
})

test('readJsonFile() splits an object that consists mostly of arrays of objects, and keeps the rest of it', async () => {
  const menu = {
    house: 'Pine',
    'a/b': {
      items: [
        { name: 'tea', price: 3 },
        { name: 'milk', price: 2 },
      ],
    },
  }
  assert.deepEqual(await read(JSON.stringify(menu)), [
    { pageContent: 'house: Pine', metadata: { line: 1, pointer: '' }, last: true },
    { pageContent: 'name: tea\nprice: 3', metadata: { line: 2, pointer: '/a~1b/items/0' }, last: true },
    { pageContent: 'name: milk\nprice: 2', metadata: { line: 3, pointer: '/a~1b/items/1' }, last: true },
  ])
})

test('readJsonFile() splits a long element, and repeats in each part which element it belongs to', async () => {
  const items = Array.from({ length: 9 }, (_, index) => ({
    name: `dish ${index}`,
    price: index,
    text: 'x'.repeat(60),
  }))
  const sections = [
    { id: 7, title: 'Soups', items },
    { id: 8, items: items.slice(0, 2) },
  ]
  const documents = await read(JSON.stringify({ sections }))
  assert.equal(documents.length, 1 + items.length + 1)
  assert.deepEqual(documents.slice(0, 2), [
    { pageContent: 'id: 7\ntitle: Soups', metadata: { line: 1, pointer: '/sections/0' }, last: true },
    {
      pageContent: `sections.id: 7\nsections.title: Soups\nname: dish 0\nprice: 0\ntext: ${'x'.repeat(60)}`,
      metadata: { line: 2, pointer: '/sections/0/items/0' },
      last: true,
    },
  ])
  const short = `id: 8\nitems.0.name: dish 0\nitems.0.price: 0\nitems.0.text: ${'x'.repeat(60)}\n`
  const last = documents.at(-1)
  assert.ok(last && 'pageContent' in last && last.pageContent.startsWith(short))
})

test('readJsonFile() keeps an object whole if lists of objects are the smaller part of it', async () => {
  const post = { text: 'y'.repeat(2000), tags: [{ name: 'a' }, { name: 'b' }] }
  assert.deepEqual(await texts([post]), [`text: ${post.text}\ntags.0.name: a\ntags.1.name: b`])
})

test('readJsonFile() makes a list of texts a document each, and a list of words or numbers one', async () => {
  const long = 'A sentence that is long enough to be searched for by itself, is it not?'
  assert.deepEqual(await texts([long, 'short', long]), [long, 'short', long])
  assert.deepEqual(await texts(['alpha', 'beta', 3, null]), ['alpha, beta, 3, null'])
  assert.equal((await texts(Array.from({ length: 100_000 }, (_, index) => index))).length, 1)
})

test('readJsonFile() keeps lists of lists in rows, and elements of mixed lists by their numbers', async () => {
  assert.deepEqual(
    await texts({
      points: [
        [1, 2],
        [3, 4.5],
      ],
      mixed: ['a', { b: [{ c: 1 }] }, [2]],
      pad: 'z'.repeat(99),
    }),
    [`points: 1, 2; 3, 4.5\nmixed.0: a\nmixed.1.b.0.c: 1\nmixed.2: 2\npad: ${'z'.repeat(99)}`],
  )
  assert.deepEqual(
    await texts([
      ['id', 'name'],
      [1, 'english'],
    ]),
    ['id, name', '1, english'],
  )
})

test('readJsonFile() writes numbers as the file has them', async () => {
  const numbers = [
    '9.0',
    '6.50',
    '505874924095815681',
    '1e3',
    '1E+02',
    '-0',
    '-0.0',
    '0.1',
    '12345678901234567890.10',
  ]
  const content = `{"a": ["say \\"7.10\\"", "\\\\", ${numbers.join(' ,')}], "b\\"8.20": 1.0}`
  assert.deepEqual(
    (await read(content)).map((part) => 'pageContent' in part && part.pageContent),
    [`a: say "7.10", \\, ${numbers.join(', ')}\nb"8.20: 1.0`],
  )
})

test('readJsonFile() reads a single scalar, and gives nothing if there is no value', async () => {
  assert.deepEqual(await read('\ufeff"alone"'), [
    { pageContent: 'alone', metadata: { pointer: '' }, last: true },
  ])
  assert.deepEqual(await texts(8080), ['8080'])
  assert.deepEqual(await texts(false), ['false'])
  for (const nothing of ['{}', '[]', '""'])
    assert.ok(
      (await read(nothing)).every((item) => !('pageContent' in item)),
      nothing,
    )
  assert.deepEqual(await texts([{ a: 1 }, {}, { b: [[]] }]), [
    '2 of its elements hold no value and were skipped',
    '2 skippedValue',
    'a: 1',
  ])
})

test('readJsonFile() takes all texts below the keys it is given, at every depth', async () => {
  const value = { id: 'x', body: 'one', more: [{ body: { title: 'two', list: ['three'] } }, { other: 'no' }] }
  assert.deepEqual(await texts(value, { pointers: ['body'] }), ['one', 'two', 'three'])
  assert.deepEqual(await texts(value, { pointers: ['/body/title', 'other'] }), ['two', 'no'])
  assert.deepEqual(await texts(value, { pointers: ['/more/0/body/list'] }), ['three'])
  assert.deepEqual(await texts(value, { pointers: ['nowhere'] }), ['nothing in it is at the pointer nowhere'])
  assert.deepEqual(await texts({ 'a/b': { 'c~d': 'found' } }, { pointers: ['/a~1b/c~0d'] }), ['found'])
})

test('readJsonFile() notes numbers below pointers, and pointers without a value', async () => {
  assert.deepEqual(
    await read('[{"body": ["one", 2, null]}, {"x": "y"}]', { pointers: ['body', '/nowhere'] }),
    [
      { note: 'nothing in it is at the pointer /nowhere' },
      {
        note: 'at the pointers, values that are no texts were left out: numbers, booleans and nulls, 2 of them',
      },
      { dropped: { kind: 'skippedValue', count: 2 } },
      { pageContent: 'one', metadata: { pointer: '/0/body/0' }, last: true },
    ],
  )
})

test('readJsonFile() starts a pointer again after a partial match', async () => {
  assert.deepEqual(await texts({ a: { a: { b: 'found' } } }, { pointers: ['/a/b'] }), ['found'])
})

test('readJsonFile() makes a document per object of lines key: value', async () => {
  const items = [{ a: 'x', b: { c: 1, d: { e: null } }, f: [1, { g: 2 }] }, 'text', { a: true }]
  assert.deepEqual(await texts(items, { separateByObject: true }), [
    'a: x\nb.c: 1\nb.d.e: null\nf.0: 1\nf.1.g: 2',
    'a: true',
    '1 of its elements are not objects with values and were skipped',
    '1 skippedValue',
  ])
})

test('readJsonFile() gives each item the metadata at its pointers', async () => {
  const items = [
    { url: 'u1', body: 'one', tags: ['t'] },
    { url: 'u2', body: 'two' },
  ]
  const options = { pointers: ['body'], metadataPointers: { page: '/url', tag: '/tags/0' } }
  assert.deepEqual(await read(JSON.stringify(items), options), [
    { pageContent: 'one', metadata: { line: 1, pointer: '/0/body', page: 'u1', tag: 't' }, last: true },
    { pageContent: 'two', metadata: { line: 2, pointer: '/1/body', page: 'u2' }, last: true },
  ])
})

test('readJsonFile() gives the position of an error, without quoting the file', async () => {
  await assert.rejects(read('{"secret": "words",\n 7}'), {
    code: 'file_unreadable',
    message: /^x\.json cannot be read: it is not valid JSON(: error in line 2, column 2)?$/,
  })
  await assert.rejects(read('secret words'), { message: 'x.json cannot be read: it is not valid JSON' })
  await assert.rejects(read(''), { code: 'file_unreadable' })
})

test('readJsonFile() reads deep and large values up to its limits, and never overflows the stack', async () => {
  assert.deepEqual(await read(`${'['.repeat(500)}"deep"${']'.repeat(500)}`), [
    { pageContent: 'deep', metadata: { pointer: '/0' }, last: true },
  ])
  const deep = '['.repeat(300_000) + ']'.repeat(300_000)
  await assert.rejects(read(deep), { code: 'file_over_limit', message: /more than 512 deep/ })
  await assert.rejects(read(JSON.stringify(Array(99).fill(0)), {}, { ...FILE_LIMITS, jsonNodes: 50 }), {
    code: 'file_over_limit',
  })
})

test('readJsonFile() reads __proto__, constructor and keys that occur twice as the data they are', async () => {
  const content = '{"__proto__": "a", "constructor": "b", "x": "first", "x": "second"}'
  assert.deepEqual(
    (await read(content)).map((part) => 'pageContent' in part && part.pageContent),
    [false, false, '__proto__: a\nconstructor: b\nx: second'],
  )
  const notes = ['constructor', 'toString'].map((pointer) => `nothing in it is at the pointer ${pointer}`)
  assert.deepEqual(await texts([{ a: 'x' }], { pointers: ['constructor', 'toString'] }), notes)
})

test('readJsonFile() bounds how much of a long key is repeated, and refuses an object with too long a text', async () => {
  const content = JSON.stringify({
    ['k'.repeat(100_000)]: Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [n, n])),
  })
  const [part] = await read(content)
  assert.ok(part && 'pageContent' in part && part.pageContent.length < 300_000)
  assert.ok(part.pageContent.includes('k.999: 999'))
  await assert.rejects(read(content, {}, { ...FILE_LIMITS, textLength: 10_000 }), { code: 'file_over_limit' })
})

test('readJsonFile() notes how many values are left out because their key occurs again in the object', async () => {
  const lost = (content: string) =>
    read(content).then((items) => items.flatMap((item) => ('note' in item ? [item.note] : [])))
  const one = '1 value was left out because the key occurs again later in the same object'
  const two = '2 values were left out because the key occurs again later in the same object'
  assert.deepEqual(await lost('[{"x": 1.50, "x": 2}, {"y": {"x": 3}, "x": 4}]'), [one])
  assert.deepEqual(await lost('{"a": ":\\"", "x": {"y:": 1}, "x": 2}'), [two])
  assert.deepEqual(await lost('[{"x:\\"": 1.50}, {"y": {"x": ":"}, "x": 4}]'), [])
})

test('readJsonFile() reads an array element by element: only one that is too large by itself is refused', async () => {
  const limits = { ...FILE_LIMITS, jsonBytes: 500, jsonNodes: 50 }
  const rows = Array.from({ length: 30_000 }, (_, id) => `{"id": ${id}, "price": ${id}.50}`)
  const items = await read(`[\n${rows.join(',\n')}\n]\n`, {}, limits)
  assert.equal(items.length, rows.length)
  assert.deepEqual(items.at(-1), {
    pageContent: 'id: 29999\nprice: 29999.50',
    metadata: { line: rows.length, pointer: '/29999' },
    last: true,
  })
  const large = `[{"id": 1}, {"text": "${'x'.repeat(300_000)}"}]`
  await assert.rejects(read(large, {}, limits), { code: 'file_over_limit' })
  await assert.rejects(read(`{"text": "${'x'.repeat(300_000)}"}`, {}, limits), { code: 'file_over_limit' })
})

test('readJsonFile() cuts elements only at commas between them, wherever a piece of the file ends', async () => {
  // pieces end every 256 kB: within strings, escapes and characters of several bytes
  const elements = Array.from({ length: 9000 }, (_, index) => ({
    text: `${'\\"],[{é'.repeat(index % 31)}${index}`,
  }))
  const items = await read(JSON.stringify(elements))
  assert.equal(items.length, elements.length)
  for (const [index, item] of items.entries())
    assert.ok('pageContent' in item && item.pageContent === `text: ${elements[index]!.text}`, String(index))
})

for (const [content, line, column] of [
  ['[{"a": 1},\n {"b" 2}]', 2, 7],
  ['[{"a": 1},\n]', 2, 1],
  ['[,{"a": 1}]', 1, 2],
  ['[{"a": 1}', 1, 10],
  ['[{"a": 1}}', 1, 10],
  ['[{"a": 1}] {', 1, 12],
] as const)
  test(`readJsonFile() gives the position of the error in ${JSON.stringify(content)}`, async () => {
    await assert.rejects(read(content), {
      code: 'file_unreadable',
      message: `x.json cannot be read: it is not valid JSON: error in line ${line}, column ${column}`,
    })
  })

test('readJsonFile() keeps words and numbers before the first object of a list as elements', async () => {
  const words = Array.from({ length: 20_001 }, (_, index) => index)
  const items = await texts([...words, { a: 1 }])
  assert.deepEqual([items.length, items[0], items.at(-1)], [20_002, '0', 'a: 1'])
})

test('readJsonFile() reads a file with one value per line as JSON Lines, with a note', async () => {
  const note = { note: 'it holds several JSON values, a line each, and was read as JSON Lines' }
  assert.deepEqual(await read('{"a": 1.50}\n{"b": "x"}\n'), [
    note,
    { pageContent: 'a: 1.50', metadata: { line: 1, pointer: '' }, last: true },
    { pageContent: 'b: x', metadata: { line: 2, pointer: '' }, last: true },
  ])
  assert.equal((await read('["id", "name"]\n[1, "tea"]')).length, 3)
  for (const other of ['{"a": 1}\nwords', '{"a": 1}\n}', '{"a": 1} {"a": 2}'])
    await assert.rejects(read(other), { code: 'file_unreadable' }, other)
})
