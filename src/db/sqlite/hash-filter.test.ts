import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fingerprint } from '../../kit/hash.ts'
import { HashFilter } from './hash-filter.ts'

test('HashFilter may have every hash that was added, and denies nearly all others', () => {
  const filter = new HashFilter()
  const added = Array.from({ length: 50_000 }, (_, at) => fingerprint(`added ${at}`))
  for (const hash of added) filter.add(hash)
  assert.ok(added.every((hash) => filter.mayHave(hash)))
  const others = Array.from({ length: 50_000 }, (_, at) => fingerprint(`other ${at}`))
  const taken = others.filter((hash) => filter.mayHave(hash)).length
  assert.ok(taken < 50, `${taken} of ${others.length}`)
})
