import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../kit/json.ts'
import { fillAddress, readRequestParameters, InvalidInput } from './request.ts'

const fill = (address: string, written: JsonObject, values: JsonObject, method = 'GET') =>
  fillAddress(address, readRequestParameters(written, address, method), values)

const id = { id: { type: 'string', in: 'path' } }
const query = { q: { type: 'string', in: 'query' }, tags: { type: 'array', in: 'query' } }

const FILLED: [address: string, written: JsonObject, values: JsonObject, filled: string][] = [
  ['http://a/events', id, { id: '7' }, 'http://a/events/7'],
  ['http://a/events', id, {}, 'http://a/events'],
  ['http://a/events/:id?day=1', id, { id: '7' }, 'http://a/events/7?day=1'],
  ['http://a/events/', id, { id: 7 }, 'http://a/events/7'],
  ['http://a/events?x=1#top', id, { id: '7' }, 'http://a/events/7?x=1'],
  ['http://a/:id/x/:id?of=:id', id, { id: 'a b' }, 'http://a/a%20b/x/a%20b?of=a%20b'],
  ['http://a/{id}/x', id, { id: 'ä/ö?#' }, 'http://a/%C3%A4%2F%C3%B6%3F%23/x'],
  ['http://a:80/:id/:idea', { ...id, idea: { in: 'path' } }, { id: '1', idea: '$&' }, 'http://a:80/1/%24%26'],
  ['http://a/events/:id', {}, { id: '7' }, 'http://a/events/7'],
  ['http://a/v1/{name}:run', {}, { name: 'x' }, 'http://a/v1/x:run'],
  ['http://a/events/:id', { id: { type: 'integer' } }, { id: 7 }, 'http://a/events/7'],
  ['http://a/events/:id', { id: { in: 'path', default: '1' } }, {}, 'http://a/events/1'],
  ['http://a', id, { id: '7' }, 'http://a/7'],
  ['http://a/e', query, { q: 'a&b c', tags: ['x', 2, true] }, 'http://a/e?q=a%26b+c&tags=x&tags=2&tags=true'],
  ['http://a/e?limit=5', query, { q: 'z', limit: '9' }, 'http://a/e?limit=5&q=z'],
  ['http://a/e?q=fixed', query, { q: 'z' }, 'http://a/e?q=fixed'],
  ['http://a/e', query, { q: '', tags: null }, 'http://a/e'],
  [
    'http://a/e',
    { n: { type: 'number', default: 3 }, o: {} },
    { o: { a: 1 } },
    'http://a/e?n=3&o=%7B%22a%22%3A1%7D',
  ],
]

for (const [address, written, values, filled] of FILLED)
  test(`fillAddress() makes ${filled} of ${address}`, () =>
    assert.equal(fill(address, written, values), filled))

const UNFIT: [what: string, values: JsonObject, reason: RegExp, written?: JsonObject, address?: string][] = [
  ['a part of the path that is missing', {}, /^id is missing$/, id, 'http://a/events/:id'],
  ['an empty one', { id: '' }, /^id is missing$/],
  ['a blank one', { id: '  ' }, /^"" is not a valid value for id$/],
  ['one that leads upwards', { id: '..' }, /^"\.\." is not a valid value for id$/],
  ['one that stands still', { id: '.' }, /^"\." is not a valid value for id$/],
  ['an object', { id: { a: 1 } }, /^id must be a scalar value/],
  ['a list', { id: ['1'] }, /^id must be a scalar value/],
  ['a query parameter that is needed', {}, /^q is missing$/, { q: { in: 'query', required: true } }],
]

for (const [
  what,
  values,
  reason,
  written = { id: { in: 'path', required: true } },
  address = 'http://a/e',
] of UNFIT)
  test(`fillAddress() refuses ${what}`, () => {
    assert.throws(
      () => fill(address, written, values),
      (error) => error instanceof InvalidInput && reason.test(error.message),
    )
  })

test('fillAddress() requires a path parameter if the address without it would mean the whole collection', () => {
  assert.equal(fill('http://a/e', id, {}, 'POST'), 'http://a/e')
  for (const method of ['DELETE', 'PUT', 'PATCH'])
    assert.throws(() => fill('http://a/e', id, {}, method), InvalidInput)
})

test('readRequestParameters() refuses a parameter that is neither in path nor in query', () => {
  assert.throws(
    () => readRequestParameters({ key: { in: 'header' } }, 'http://a', 'GET'),
    /in path or query, not in "header"/,
  )
})
