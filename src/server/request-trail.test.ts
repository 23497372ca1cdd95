import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requestIdOf } from './request-trail.ts'

const id = (given?: string) => requestIdOf({ headers: given === undefined ? {} : { 'x-request-id': given } })

test('requestIdOf() takes the id of the client if it is well-formed', () => {
  for (const given of ['a', '3f2c.b:1_2-3', 'x'.repeat(128)]) assert.equal(id(given), given)
})

test('requestIdOf() makes a new id if the client sends none, or one that is not well-formed', () => {
  for (const given of [undefined, '', 'x'.repeat(129), 'a b', 'a, b', 'a"b', 'ä', 'a\tb']) {
    assert.match(id(given), /^[\w-]{16,}$/, String(given))
    assert.notEqual(id(given), id(given))
  }
})
