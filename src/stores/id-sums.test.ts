import assert from 'node:assert/strict'
import { test } from 'node:test'
import { uuidOf } from '../kit/hash.ts'
import { IdSums } from './id-sums.ts'

const idsFrom = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => uuidOf(`${from + at}`))

test('IdSums is even for the same ids in any order', () => {
  const sums = new IdSums()
  const ids = idsFrom(0, 5000)
  sums.add(ids)
  assert.equal(sums.isEven(), false)
  sums.subtract(ids.toReversed())
  assert.equal(sums.isEven(), true)
  assert.deepEqual(sums.suspects(ids), [])
})

test('IdSums suspects every id that one list lacks, or has twice, and few others', () => {
  const sums = new IdSums()
  const ids = idsFrom(0, 50_000)
  const [lost, strange] = [ids.slice(100, 103), idsFrom(900_000, 2)]
  sums.add([...ids, ids[7]!])
  sums.subtract([...ids.filter((id) => !lost.includes(id)), ...strange])
  const suspected = new Set(sums.suspects([...ids, ...strange]))
  assert.ok([...lost, ...strange, ids[7]!].every((id) => suspected.has(id)))
  assert.ok(suspected.size < 20, `${suspected.size} are suspected`)
})
