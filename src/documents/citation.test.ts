import assert from 'node:assert/strict'
import { test } from 'node:test'
import { citationPlace, sourceOf } from './citation.ts'

test('citationPlace() describes the place in a source from the metadata', () => {
  const lines = { from: 4, to: 9 }
  for (const [metadata, place] of [
    [{ loc: { pageNumber: 3, lines } }, 'page 3, lines 4–9'],
    [{ loc: { lines: { from: 4, to: 4 } } }, 'line 4'],
    [{ slideNumber: 2 }, 'slide 2'],
    [{ worksheet: 'Costs', rowNum: 7, loc: { lines } }, 'sheet Costs, row 7'],
    [{ pointer: '/items/0', line: 1, loc: { lines } }, '/items/0'],
    [{ line: 12, loc: { lines } }, 'record 12'],
    [{ pointer: '' }, ''],
    [{ source: 'a.md', loc: 'somewhere', slideNumber: 'two' }, ''],
    [{}, ''],
  ] as const)
    assert.equal(citationPlace(metadata), place)
})

test('sourceOf() is the name, or empty without one', () => {
  assert.equal(sourceOf({ source: 'a.md' }), 'a.md')
  assert.equal(sourceOf({ source: { name: 'a.md' } }), '')
  assert.equal(sourceOf({}), '')
})
