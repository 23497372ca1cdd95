import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pinsOf, pinsText } from './key-pins.ts'

test('pinsOf() reads names and values, and pinsText() writes them again', () => {
  assert.deepEqual(pinsOf(' tenant = acme, region=eu=west,'), { tenant: 'acme', region: 'eu=west' })
  assert.deepEqual(pinsOf(' '), {})
  assert.equal(pinsText({ tenant: 'acme', region: 'eu' }), 'tenant=acme, region=eu')
})

test('pinsOf() refuses a part without a name, and a name that occurs twice', () => {
  for (const text of ['tenant', '=acme', 'a=1, b']) assert.throws(() => pinsOf(text), /no form name=value/)
  assert.throws(() => pinsOf('a=1,a=2'), /a occurs twice/)
})
