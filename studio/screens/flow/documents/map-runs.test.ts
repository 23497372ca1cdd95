import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bandAt, mapRuns } from './map-runs.ts'

const band = (line: number, lines: number, one: number, several: number, none: number) => ({
  ...{ start: (line - 1) * 10, line, lines, one, several, none },
})
const bands = [
  band(1, 2, 2, 0, 0),
  band(3, 2, 1, 0, 0),
  band(5, 2, 1, 1, 0),
  band(7, 2, 1, 0, 1),
  band(9, 1, 0, 0, 0),
]

test('mapRuns() joins neighbours of a kind, and shows the rarest thing of each band', () => {
  assert.deepEqual(mapRuns(bands), [
    { kind: 'one', top: 0, bottom: 4 },
    { kind: 'several', top: 4, bottom: 6 },
    { kind: 'none', top: 6, bottom: 8 },
    { kind: 'blank', top: 8, bottom: 9 },
  ])
})

test('bandAt() finds the band of a position', () => {
  assert.deepEqual(
    [0, 19, 20, 65, 1000].map((position) => bandAt(bands, position)),
    [0, 0, 1, 3, 4],
  )
})
