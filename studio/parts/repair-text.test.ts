import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Repair } from '../server/repair.ts'
import { doneText, foundRows, foundText, planText } from './repair-text.ts'

const repair = (more: Partial<Repair> = {}): Repair => ({
  ...{ dryRun: true, numChunks: 9110, numPoints: 9110, numUnchecked: 0, numLeft: 0, why: null },
  ...{ numMissing: 0, numSurplus: 0, numDifferent: 0, numDamaged: 0 },
  ...{ numWritten: 0, numEmbedded: 0, numRemoved: 0, embedder: 'mine', warnings: [] },
  left: { missing: 0, surplus: 0, different: 0, damaged: 0 },
  first: { missing: [], surplus: [], different: [], damaged: [] },
  ...more,
})

test('foundText() says that all is there, that nothing is, or how many points are to be mended', () => {
  assert.equal(foundText(repair()), 'All 9,110 points are there')
  assert.equal(foundText(repair({ numChunks: 1 })), 'The one point is there')
  assert.equal(foundText(repair({ numChunks: 0 })), 'There is nothing to compare yet')
  assert.equal(foundText(repair({ numMissing: 5, numDamaged: 2 })), '7 of 9,110 points to mend')
})

test('foundRows() has the kinds that were found', () => {
  const rows = foundRows(repair({ numMissing: 5, numSurplus: 1 }))
  assert.deepEqual(
    rows.map(({ what, count }) => [what, count]),
    [
      ['Missing', 5],
      ['Strangers', 1],
    ],
  )
})

test('planText() says what a repair would cost, doneText() what it did', () => {
  assert.equal(
    planText(repair({ numMissing: 5, numToEmbed: 5 })),
    'A repair writes 5 points and embeds 5 texts.',
  )
  assert.equal(
    planText(repair({ numMissing: 1, numSurplus: 2 })),
    'A repair writes 1 point, deletes 2 strangers and embeds nothing.',
  )
  const done = { dryRun: false, numMissing: 6, numWritten: 5, numEmbedded: 4, numRemoved: 2, numLeft: 1 }
  assert.equal(doneText(repair(done)), '5 points written, 2 deleted, 4 texts embedded, 1 left')
  assert.equal(doneText(repair({ dryRun: false })), 'All 9,110 points are there')
})
