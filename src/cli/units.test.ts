import assert from 'node:assert/strict'
import { test } from 'node:test'
import { counted, readableBytes, readableTime } from './units.ts'

test('readableBytes() changes the unit before the number has four digits', () => {
  assert.deepEqual([0, 999, 1000, 12_400_000, 999_949, 999_950, 2 ** 31].map(readableBytes), [
    '0 B',
    '999 B',
    '1.0 kB',
    '12.4 MB',
    '999.9 kB',
    '1.0 MB',
    '2.1 GB',
  ])
})

test('readableTime() is as exact as it is short', () => {
  assert.deepEqual([0.4, 412, 3210, 59_949, 59_950, 245_000].map(readableTime), [
    '0 ms',
    '412 ms',
    '3.2 s',
    '59.9 s',
    '1 min 00 s',
    '4 min 05 s',
  ])
})

test('counted() uses singular and plural', () => {
  assert.deepEqual([counted(1, 'file'), counted(5001, 'file')], ['1 file', '5,001 files'])
})
