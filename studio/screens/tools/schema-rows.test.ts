import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ROW_TYPES, rowsOfSchema, sampleInput, schemaOfRows } from './schema-rows.ts'

const rows = ROW_TYPES.map((type, at) => ({
  ...{ property: `p${at}`, type, description: `d${at}` },
  required: at % 2 === 0,
}))

test('schemaOfRows() writes rows with ids, and rowsOfSchema() reads them back', () => {
  assert.deepEqual(rowsOfSchema(schemaOfRows(rows)), rows)
  assert.deepEqual(JSON.parse(schemaOfRows(rows.slice(0, 1))), [{ id: 0, ...rows[0] }])
  assert.deepEqual(rowsOfSchema(' '), [])
  for (const text of ['{', '{}', '[1]', 'z.object({})']) assert.equal(rowsOfSchema(text), undefined, text)
})

test('sampleInput() has a value of its type for each row', () => {
  assert.deepEqual(JSON.parse(sampleInput(rows)), {
    ...{ p0: '', p1: 1, p2: true },
    ...{ p3: '2026-01-31', p4: {}, p5: [] },
  })
})
