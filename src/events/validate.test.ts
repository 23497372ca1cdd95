import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readEventInput } from './validate.ts'

const full = { name: 'Choir', date: '2025-01-01T10:00:00Z', location: 'Bern' }
const errorOf = (body: unknown): string | undefined => {
  const input = readEventInput(body)
  return 'error' in input ? input.error : undefined
}
const idOf = (id: unknown): string | undefined => {
  const input = readEventInput({ ...full, id })
  return 'error' in input ? assert.fail(input.error) : input.id
}

test('readEventInput() takes the three fields and ignores all others [events:create:extra-fields]', () => {
  assert.deepEqual(readEventInput({ ...full, id: 'a', price: 3, __proto__: null }), {
    id: 'a',
    details: full,
  })
})

test('readEventInput() names the missing fields in order [events:missing-fields]', () => {
  const { name, date, location } = full
  for (const [body, missing] of [
    [{}, 'name, date, location'],
    [{ location, name }, 'date'],
    [{ date }, 'name, location'],
    [{ location, date }, 'name'],
    [{ name, date }, 'location'],
    [{ name }, 'date, location'],
  ])
    assert.equal(errorOf(body), `Missing required fields: ${missing}`)
})

test('readEventInput() counts every falsy value as missing [events:missing-falsy]', () => {
  for (const falsy of ['', null, 0, false, undefined])
    assert.equal(errorOf({ ...full, location: falsy }), 'Missing required fields: location')
})

test('readEventInput() treats a body that is not an object as one without fields [events:bad-json]', () => {
  for (const body of [undefined, null, 'text', 7, true, [], [full]])
    assert.equal(errorOf(body), 'Missing required fields: name, date, location')
})

test('readEventInput() checks only the form of a date [events:date]', () => {
  for (const date of [
    '2024-06-15T09:00:00Z',
    '2024-06-15T09:00:00',
    '2024-06-15T09:00:00.1Z',
    '2024-06-15T09:00:00.123456789',
    '9999-99-99T99:99:99Z',
  ])
    assert.equal(errorOf({ ...full, date }), undefined, date)
  for (const date of [
    'soon',
    '2024-06-15',
    '2024-06-15 09:00:00',
    '2024-06-15T09:00Z',
    '2024-06-15T09:00:00.Z',
    '2024-06-15T09:00:00z',
    '2024-06-15T09:00:00+02:00',
    '2024-06-15T09:00:00Z\n',
    ' 2024-06-15T09:00:00Z',
    '٢٠٢٤-06-15T09:00:00Z',
  ])
    assert.equal(errorOf({ ...full, date }), 'Date must be in ISO 8601 format (YYYY-MM-DDTHH:mm:ssZ)', date)
})

test('readEventInput() checks for missing fields before it checks the date [events:missing-before-date]', () => {
  assert.equal(errorOf({ name: 'Choir', date: 'soon' }), 'Missing required fields: location')
})

test('readEventInput() refuses a truthy field that is not a string, and names it [events:wrong-type]', () => {
  assert.equal(errorOf({ ...full, name: 7 }), 'Fields must be strings: name')
  assert.equal(errorOf({ ...full, location: {}, name: true }), 'Fields must be strings: name, location')
})

test('readEventInput() reports a date of a wrong type as a date of the wrong form, before it checks other types [events:wrong-type]', () => {
  const sentence = 'Date must be in ISO 8601 format (YYYY-MM-DDTHH:mm:ssZ)'
  for (const date of [7, true, {}, [], ['2025-01-01T10:00:00Z'], { toString: '2025-01-01T10:00:00Z' }])
    assert.equal(errorOf({ ...full, date }), sentence, JSON.stringify(date))
  for (const date of [7, 'soon']) assert.equal(errorOf({ ...full, date, location: {}, name: true }), sentence)
  assert.equal(errorOf({ name: 7, date: 7 }), 'Missing required fields: location')
})

test('readEventInput() turns a number into its decimal digits [events:wrong-type]', () => {
  for (const [number, digits] of [
    [42, '42'],
    [-1.5, '-1.5'],
    [1e21, '1000000000000000000000'],
    [1.5e-7, '0.00000015'],
  ] as const)
    assert.equal(idOf(number), digits)
})

test('readEventInput() takes any truthy id and no falsy one [events:create:id-from-body]', () => {
  assert.equal(idOf(' a/b '), ' a/b ')
  assert.equal(idOf(true), 'true')
  assert.equal(idOf([1, 'a']), '[1,"a"]')
  for (const falsy of ['', 0, null, false, undefined]) assert.equal(idOf(falsy), undefined)
})
