import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findWords } from './find-words.ts'

const textsOf = (items: string[], words: string) =>
  findWords(items, words)?.places.map(({ item, start, end }) => [item, items[item]!.slice(start, end)])

test('findWords() finds words over several items whatever their spaces, line breaks, hyphens and case', () => {
  const items = ['Head', 'In case of a fi', 're, leave by the stair-', '', 'case. Do not', ' run.']
  assert.deepEqual(textsOf(items, 'FIRE,\nleave by the  staircase.'), [
    [1, 'fi'],
    [2, 're, leave by the stair'],
    [4, 'case'],
  ])
})

test('findWords() compares ligatures and accents that are written in another form', () => {
  assert.deepEqual(textsOf(['The o\uFB03ce in Malmo\u0308'], 'office in Malm\u00F6'), [
    [0, 'o\uFB03ce in Malmo'],
  ])
  assert.deepEqual(textsOf(['x 𝟙2 y'], '12'), [[0, '𝟙2']])
})

test('findWords() finds paragraphs that the page has in another order, and says whether all were found', () => {
  const items = ['The first paragraph', ' is here.', 'The second paragraph.', 'Harbour manual']
  const words = 'Harbour manual\n\nThe first paragraph is here.\n\nThe second paragraph.'
  assert.equal(findWords(items, words)?.isWhole, true)
  assert.deepEqual(textsOf(items, words), [
    [0, 'The first paragraph'],
    [1, 'is here'],
    [2, 'The second paragraph'],
    [3, 'Harbour manual'],
  ])
  assert.equal(findWords(items, words.replace('Harbour', 'Lighthouse'))?.isWhole, false)
  assert.equal(
    findWords(items, 'The second paragraph.\n\nA much longer one that the page does not have.'),
    undefined,
  )
})

test('findWords() finds nothing where a part of the words is missing, and where there are no letters', () => {
  assert.equal(findWords(['one two three'], 'two four'), undefined)
  assert.equal(findWords(['one'], ' - '), undefined)
  assert.equal(findWords([], 'one'), undefined)
})
