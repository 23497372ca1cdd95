import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SharedWords } from './shared-words.ts'

/** To twelve digits. Each text counts ten words more than it has. */
function shareOf(...texts: string[]): number {
  const words = new SharedWords()
  for (const text of texts) words.add(text)
  return rounded(words.share())
}

const rounded = (share: number): number => Number(share.toFixed(12))

const OTHERS = ['alder', 'birch', 'cedar', 'elder', 'hazel', 'maple', 'olive']

test('SharedWords is the mean part of the words of a text that a quarter of the texts have', () => {
  assert.equal(shareOf(), 0)
  assert.equal(shareOf('granted without warranty'), 0)
  assert.equal(shareOf('granted without warranty', 'ferry', 'harbour'), 0)
  assert.equal(
    shareOf('granted without warranty', 'granted harbour', 'ferry'),
    rounded((1 / 13 + 1 / 12) / 3),
  )
  // One of five is less than two texts, two of nine are less than a quarter.
  assert.equal(shareOf('granted', ...OTHERS.slice(3)), 0)
  assert.equal(shareOf('granted', 'granted', ...OTHERS), 0)
  assert.equal(shareOf('granted', 'granted', ...OTHERS.slice(1)), rounded(2 / 8 / 11))
})

test('SharedWords leaves out what more than three quarters of the texts have: the form of rows or pages', () => {
  assert.equal(shareOf(...OTHERS.map((tree) => `Name: ${tree}`)), 0)
  assert.equal(shareOf('granted without', 'granted without', 'granted without'), 0)
  assert.equal(
    shareOf('granted without', 'granted without', 'granted without', 'granted'),
    rounded(3 / 4 / 11),
  )
})

test('SharedWords reads words without case, accents and repetition, and leaves out short ones', () => {
  assert.equal(shareOf('Café CAFÉ the of', 'cafe the of ferry', 'harbour'), rounded((1 / 11 + 1 / 12) / 3))
  assert.equal(shareOf('the of and', 'the of and', 'harbour'), 0)
  assert.equal(shareOf('लाइसेंस', 'लाइसेंस नौका', 'harbour'), rounded((1 / 11 + 1 / 12) / 3))
  assert.equal(shareOf('許可証なしで', '許可証なしで', 'harbour'), 0)
})

test('SharedWords reads the begin of a long text', () => {
  const begin = 'harbour '.repeat(400)
  assert.equal(shareOf(`${begin}granted`, `${begin}without`, 'ferry'), rounded(2 / 3 / 11))
})
