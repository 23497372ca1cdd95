import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agoText, countText, durationText, millisecondsText, numberText, sizeText } from './units.ts'

test('sizeText() has one decimal below 100 of a unit', () => {
  assert.deepEqual([0, 999, 1500, 99_949, 250_000, 3.2e9, 5e15].map(sizeText), [
    '0 B',
    '999 B',
    '1.5 kB',
    '99.9 kB',
    '250 kB',
    '3.2 GB',
    '5000 TB',
  ])
})

test('countText() and numberText() write numbers as English has them', () => {
  assert.equal(countText(1, 'file'), '1 file')
  assert.equal(countText(12_345, 'file'), '12,345 files')
  assert.equal(numberText(1000), '1,000')
})

test('durationText() has seconds, minutes, hours', () => {
  assert.deepEqual([0.2, 40, 125, 3900].map(durationText), ['1 s', '40 s', '2 min', '1 h 5 min'])
})

test('millisecondsText() has milliseconds, seconds, minutes', () => {
  assert.deepEqual([0, 0.14, 3.26, 48.7, 1340, 125_000].map(millisecondsText), [
    '0 ms',
    '0.1 ms',
    '3.3 ms',
    '49 ms',
    '1.3 s',
    '2 min',
  ])
})

test('agoText() counts in the largest full unit, and gives a date after a month', () => {
  const now = Date.parse('2026-03-10T12:00:00Z')
  const at = (seconds: number) => agoText(new Date(now - seconds * 1000).toISOString(), now)
  assert.deepEqual([5, 60, 7200, 86_400].map(at), ['just now', '1 minute ago', '2 hours ago', 'yesterday'])
  assert.match(at(40 * 86_400), /2026/)
})
