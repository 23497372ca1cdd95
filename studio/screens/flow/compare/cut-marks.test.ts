import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cutPieces } from './cut-marks.ts'

const FIRST = 'Deliveries are signed for by the dock steward;'
const LAST = ' after 22:00 the night porter signs.'

test('cutPieces() marks where the other variant was cut', () => {
  assert.deepEqual(cutPieces(FIRST + LAST, FIRST), [
    { text: FIRST, isShared: true },
    { text: LAST, isShared: false },
  ])
  assert.deepEqual(cutPieces(FIRST, FIRST + LAST), [{ text: FIRST, isShared: true }])
  assert.deepEqual(cutPieces(`Before. ${FIRST}`, FIRST + LAST), [
    { text: 'Before. ', isShared: false },
    { text: FIRST, isShared: true },
  ])
  assert.deepEqual(cutPieces(FIRST + LAST, `Before. ${FIRST}`), [
    { text: FIRST, isShared: true },
    { text: LAST, isShared: false },
  ])
})

test('cutPieces() gives nothing for chunks of different places', () => {
  assert.equal(cutPieces(FIRST, 'A bakery sells bread.'), undefined)
  assert.equal(cutPieces(FIRST, ''), undefined)
  assert.deepEqual(cutPieces(FIRST, FIRST), [{ text: FIRST, isShared: true }])
})
