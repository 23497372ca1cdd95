import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { makePlatform } from '../support/platform.ts'

const platform = await makePlatform()

test('a JSON file is indexed with every number, an element of a list of objects a document [formats:json]', async () => {
  const menu = readFileSync(new URL('../../examples/documents/menu.json', import.meta.url), 'utf8')
  const flow = await platform.flow({ overridable: ['files', 'returnSourceDocuments'] })
  const fields = { returnSourceDocuments: 'true' }
  const { body, text } = await platform.upload(
    flow,
    { 'menu.json': menu, 'port.json': '{"port": 8080}' },
    fields,
  )
  assert.equal(body.numFailed, 0, text)
  const texts = body.sourceDocuments!.map(({ pageContent }) => pageContent)
  for (const [, name, price] of menu.matchAll(/"name": "([^"]+)",\s*"price": ([\d.]+)/g))
    assert.ok(
      texts.some((found) => found.includes(`name: ${name}\n`) && found.includes(`price: ${price}\n`)),
      name,
    )
  assert.ok(texts.includes('port: 8080'))

  const { body: found } = await platform.query(flow, { query: 'price of the smoked mackerel toast', topK: 1 })
  assert.match(found.docs[0]!.pageContent, /Smoked mackerel toast\nprice: 9\.0\n/)
  assert.partialDeepStrictEqual(found.docs[0]!.metadata, { pointer: '/sections/0/items/1' })
})

test('a JSON file with values that no pointer takes gets a warning [formats:json]', async () => {
  const flow = await platform.flow({ loaders: { jsonFile: { pointersName: 'name' } } })
  const { body } = await platform.upload(flow, { 'a.json': '[{"name": "otter"}, {"name": 7}]' })
  assert.deepEqual(
    body.addedDocs.map(({ pageContent }) => pageContent),
    ['otter'],
  )
  assert.match(
    JSON.stringify(body.warnings),
    /values that are no texts were left out: numbers, booleans and nulls, 1 of them/,
  )
})

test('bytes that are no text are refused by content, with any name; old encodings are read [formats:no-text]', async () => {
  const noise = Buffer.concat(
    Array.from({ length: 300 }, (_, n) => createHash('sha256').update(`${n}`).digest()),
  )
  const flow = await platform.flow({})
  const russian = Buffer.from([0xf0, 0xd2, 0xc9, 0xd7, 0xc5, 0xd4, 0x2c, 0x20, 0xcd, 0xc9, 0xd2, 0x2e, 0x0a])
  const { body } = await platform.upload(flow, {
    'x.bin': noise,
    'noise.txt': noise,
    'noise.json': noise,
    'koi8.txt': russian,
    'wide.txt': Buffer.from('\ufeffwide words', 'utf16le'),
  })
  assert.deepEqual(
    body.files.map(({ name, status, code }) => [name, status, code]),
    [
      ['x.bin', 'failed', 'file_type_not_accepted'],
      ['noise.txt', 'failed', 'file_unreadable'],
      ['noise.json', 'failed', 'file_unreadable'],
      ['koi8.txt', 'indexed', undefined],
      ['wide.txt', 'indexed', undefined],
    ],
  )
  assert.equal((await platform.upload(flow, { 'x.bin': noise })).status, 415)
  assert.equal((await platform.upload(flow, { 'noise.txt': noise })).status, 422)
})

test('a page of HTML keeps rows outside of a table, and warns of hidden text [formats:html]', async () => {
  const flow = await platform.flow({})
  const page = '<p>a</p><tr><td>Revenue</td><td>10</td></tr><p>b</p><div style="display:none">internal</div>'
  const { body } = await platform.upload(flow, { 'a.html': page })
  assert.deepEqual(
    body.addedDocs.map(({ pageContent }) => pageContent),
    ['a\n\nRevenue 10\n\nb'],
  )
  assert.match(JSON.stringify(body.warnings), /1 hidden element was left out/)
  assert.doesNotMatch(JSON.stringify(body), /internal/)
})
