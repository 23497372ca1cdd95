import assert from 'node:assert/strict'
import { test } from 'node:test'
import { quotasOf, typedQuotas } from './key-quotas.ts'

test('quotasOf() reads what typedQuotas() writes; an empty text removes a limit', () => {
  const quotas = { questions: 200, bytes: 1_500_000 }
  assert.deepEqual(typedQuotas(quotas), { questions: '200', bytes: '1.5', chunks: '' })
  assert.deepEqual(quotasOf(typedQuotas(quotas)), { ...quotas, chunks: null })
})

test('quotasOf() refuses what is no number above zero, by its label', () => {
  for (const text of ['many', '0', '-1', '1e99'])
    assert.throws(() => quotasOf({ ...typedQuotas(), bytes: text }), /^Error: Uploads a day, in MB: /)
})
