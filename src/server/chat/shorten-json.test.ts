import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cutText, withinLength } from './shorten-json.ts'

test('cutText() says how long a text was that it cut', () => {
  assert.equal(cutText('abc', 3), 'abc')
  assert.equal(cutText('x'.repeat(1_048_576), 3), 'xxx… (cut: it has 1,048,576 characters)')
})

test('withinLength() cuts texts as much as is needed, and at last leaves the bare rows', () => {
  type Row = { id: number; data?: string[] }
  const bare = ({ id }: Row): Row => ({ id })
  const short: Row[] = [{ id: 1, data: ['a'] }]
  assert.equal(withinLength(short, 1000, bare), short)
  const long: Row[] = [{ id: 1, data: ['a'.repeat(5000)] }]
  assert.match(withinLength(long, 4500, bare)[0]!.data![0]!, /^a{4000}… \(cut: it has 5,000 characters\)$/)
  assert.match(withinLength(long, 600, bare)[0]!.data![0]!, /^a{400}…/)
  const many: Row[] = [{ id: 1, data: Array.from({ length: 1000 }, () => 'a') }]
  assert.deepEqual(withinLength(many, 600, bare), [{ id: 1 }])
})
