import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acceptedEncodings } from './accept-encoding.ts'

for (const [header, encodings] of [
  ['gzip, br', ['gzip', 'br']],
  ['GZIP;q=1.0 , br ; q=0.5', ['gzip', 'br']],
  ['gzip;q=0, br;q=0.0, zstd; q=0.000', []],
  ['gzip;q=0.001', ['gzip']],
  ['identity', ['identity']],
] as const)
  test(`acceptedEncodings() reads ${header}`, () => {
    assert.deepEqual([...acceptedEncodings(header)], encodings)
  })

test('acceptedEncodings() finds neither br nor gzip where there is no header', () => {
  for (const header of [undefined, '']) {
    const accepted = acceptedEncodings(header)
    assert.deepEqual([accepted.has('br'), accepted.has('gzip')], [false, false])
  }
})
