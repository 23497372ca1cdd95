import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkQuotas, dayOf, endOfDay, readQuotas } from './quotas.ts'

const PINS = { tenant: 'acme' }
const refused = (reason: RegExp) => ({ code: 'quotas_invalid', message: reason })

test('dayOf() counts days of UTC, and endOfDay() is the first moment of the next one', () => {
  const midnight = Date.UTC(2026, 10, 27)
  assert.equal(dayOf(0), 0)
  assert.equal(dayOf(midnight) - dayOf(midnight - 1), 1)
  assert.equal(dayOf(midnight + 86_399_999), dayOf(midnight))
  assert.equal(endOfDay(dayOf(midnight)), midnight + 86_400_000)
  assert.equal(endOfDay(dayOf(midnight - 1)), midnight)
})

test('checkQuotas() keeps whole numbers from 1, and leaves null out', () => {
  const quotas = { chunks: 1, bytes: 5_000_000_000, questions: null }
  assert.deepEqual(checkQuotas(quotas, PINS), { chunks: 1, bytes: 5_000_000_000 })
  assert.deepEqual(checkQuotas({ questions: 1 }, {}), { questions: 1 })
  assert.deepEqual(checkQuotas({}, {}), {})
})

for (const value of [0, -1, 1.5, '7', Number.NaN, 2 ** 53, true])
  test(`checkQuotas() refuses ${typeof value} ${value}`, () => {
    assert.throws(() => checkQuotas({ bytes: value }, {}), refused(/bytes is no whole number from 1/))
  })

test('checkQuotas() refuses a name that is no quota, of which it shows 80 characters', () => {
  assert.throws(
    () => checkQuotas({ ['x'.repeat(100)]: null }, {}),
    refused(/no quota x{80}; there are chunks, bytes, questions/),
  )
})

test('checkQuotas() refuses chunks without pins, since the documents of the key are not known then', () => {
  assert.throws(() => checkQuotas({ chunks: 5 }, {}), refused(/chunks needs pins/))
  assert.deepEqual(checkQuotas({ chunks: null }, {}), {})
})

for (const [text, quotas] of [
  ['chunks=10000,bytes=500mb/day,questions=200/day', { chunks: 10_000, bytes: 500e6, questions: 200 }],
  [' bytes=1.5KB/DAY ', { bytes: 1500 }],
  ['bytes=2g', { bytes: 2e9 }],
  ['bytes=2gb', { bytes: 2e9 }],
  ['bytes=3m', { bytes: 3e6 }],
  ['questions=4k/day', { questions: 4000 }],
  ['bytes=0.0015k', { bytes: 2 }],
] as const)
  test(`readQuotas() reads ${text}`, () => {
    assert.deepEqual(readQuotas([text], PINS), quotas)
  })

test('readQuotas() reads several texts as one', () => {
  assert.deepEqual(readQuotas(['bytes=1k', 'questions=2'], {}), { bytes: 1000, questions: 2 })
})

for (const [text, reason] of [
  ['bytes', /"bytes" has no form such as questions=200\/day/],
  ['bytes=5tb', /"bytes=5tb" has no form/],
  ['bytes=5/week', /no form/],
  ['bytes=-5', /no form/],
  ['', /"" has no form/],
  ['bytes=constructor', /no form/],
  ['bytes=1constructor', /no form/],
  ['chunks=5/day', /chunks is no quota of a day/],
  ['bytes=1,bytes=2', /bytes is given twice/],
  ['bytes=1.2.3', /bytes is no whole number/],
  ['bytes=0', /bytes is no whole number/],
  ['words=1', /there is no quota words/],
  [`bytes=${'9'.repeat(200)}tb`, /"bytes=9{74}" has no form/],
] as const)
  test(`readQuotas() refuses ${text.slice(0, 30)}`, () => {
    assert.throws(() => readQuotas([text], PINS), refused(reason))
  })
