import assert from 'node:assert/strict'
import { test } from 'node:test'
import { metadataFieldsOf } from './metadata-fields.ts'

test('metadataFieldsOf() lists fields by dotted path, with types and values, the most frequent first', () => {
  const fields = metadataFieldsOf([
    { source: 'a.txt', loc: { page: 2 }, tags: ['x', 'y'], flowise_chatId: 'secret' },
    { source: 'b.txt', loc: { page: 2 }, draft: true },
    { source: 'b.txt', loc: { page: 'x' } },
  ])
  assert.deepEqual(fields, [
    { field: 'loc.page', types: ['number', 'text'], chunks: 3, values: [2, 'x'] },
    { field: 'source', types: ['text'], chunks: 3, values: ['b.txt', 'a.txt'] },
    { field: 'draft', types: ['boolean'], chunks: 1, values: [true] },
    { field: 'tags', types: ['list'], chunks: 1, values: ['x', 'y'] },
  ])
})

test('metadataFieldsOf() leaves out long values, and lists at most 20', () => {
  const [long] = metadataFieldsOf([{ summary: 'x'.repeat(300) }])
  assert.deepEqual(long, { field: 'summary', types: ['text'], chunks: 1, values: [] })
  const many = metadataFieldsOf(Array.from({ length: 5000 }, (_, id) => ({ id })))
  assert.equal(many[0]!.values.length, 20)
  assert.equal(many[0]!.chunks, 5000)
})
