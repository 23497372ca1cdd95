import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fingerprint } from '../../kit/hash.ts'
import { HashFilter } from './hash-filter.ts'

test('HashFilter may have every hash that was added, and denies nearly all others, also when it has grown', () => {
  const filter = new HashFilter()
  const added = Array.from({ length: 60_000 }, (_, at) => fingerprint(`added ${at}`))
  const before = added.filter((hash) => !filter.add(hash)).length
  assert.ok(added.every((hash) => filter.mayHave(hash)))
  assert.ok(added.every((hash) => !filter.add(hash)))
  const others = Array.from({ length: 50_000 }, (_, at) => fingerprint(`other ${at}`))
  const taken = others.filter((hash) => filter.mayHave(hash)).length
  for (const count of [before, taken]) assert.ok(count < 1500, `${count} were taken for others`)
})
