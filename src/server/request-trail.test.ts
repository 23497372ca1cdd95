import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requestIdOf } from './request-trail.ts'

const id = (sent?: string) => requestIdOf({ headers: sent === undefined ? {} : { 'x-request-id': sent } })

test('requestIdOf() takes the id of the client if it is well-formed', () => {
  for (const sent of ['a', '3f2c.b:1_2-3', 'x'.repeat(128)]) assert.equal(id(sent), sent)
})

test('requestIdOf() makes a new id if the client sends none, or one that is not well-formed', () => {
  for (const sent of [undefined, '', 'x'.repeat(129), 'a b', 'a, b', 'a"b', 'ä', 'a\tb']) {
    assert.match(id(sent), /^[\w-]{16,}$/, String(sent))
    assert.notEqual(id(sent), id(sent))
  }
})
