import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EXPIRIES, expiryAt, expiryText } from './key-expiry.ts'

const NOW = Date.parse('2026-03-01T12:00:00Z')

test('expiryAt() counts days from now, and every choice is read', () => {
  assert.equal(expiryAt('never', NOW), null)
  assert.equal(expiryAt('30', NOW), '2026-03-31T12:00:00.000Z')
  for (const { value } of EXPIRIES.slice(1)) assert.ok(Date.parse(expiryAt(value, NOW)!) > NOW)
})

test('expiryText() warns of a key that ends within a week', () => {
  assert.deepEqual(expiryText(null, NOW), { text: 'never', soon: false })
  assert.deepEqual(expiryText('2026-03-01T20:00:00Z', NOW), { text: 'within a day', soon: true })
  assert.deepEqual(expiryText('2026-03-08T12:00:00Z', NOW), { text: 'in 7 days', soon: true })
  assert.deepEqual(expiryText('2026-05-01T12:00:00Z', NOW), { text: 'in 61 days', soon: false })
  assert.deepEqual(expiryText('2026-02-01T12:00:00Z', NOW), { text: 'expired 2026-02-01', soon: true })
})
