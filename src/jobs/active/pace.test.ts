import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JobProgress } from '../../contract/job.ts'
import { Pace, secondsLeft } from './pace.ts'

test('perSecond() tells nothing before there is a stretch of time to tell about', () => {
  const pace = new Pace()
  assert.equal(pace.perSecond(1000, 5), null)
  pace.note(1000, 0)
  assert.equal(pace.perSecond(1000, 5), null)
  assert.equal(pace.perSecond(2000, 50), 50)
})

test('perSecond() looks at the last ten seconds alone, and falls to nothing where nothing happens', () => {
  const pace = new Pace()
  for (let second = 0; second <= 60; second++) pace.note(second * 1000, second * 100)
  assert.equal(pace.perSecond(60_000, 6000), 100)
  for (let second = 61; second <= 65; second++) pace.note(second * 1000, 6000)
  assert.equal(pace.perSecond(65_000, 6000), 50)
  assert.equal(pace.perSecond(80_000, 6000), 0)
})

const progress = (given: {
  stage?: JobProgress['stage']
  files?: Partial<JobProgress['files']>
  chunks?: Partial<JobProgress['chunks']>
  points?: JobProgress['points']
}): JobProgress => ({
  stage: given.stage ?? 'parse',
  files: { total: 10, done: 0, failed: 0, known: true, ...given.files },
  chunks: { seen: 0, embedded: 0, written: 0, due: 0, ...given.chunks },
  ...(given.points ? { points: given.points } : {}),
})

for (const [what, given, rate, seconds] of [
  ['no file is done', progress({}), 5, null],
  ['a share of the files is done', progress({ files: { done: 4 } }), null, 6],
  ['how many files there are is not known', progress({ files: { done: 4, known: false } }), 5, null],
  [
    'a share of the bytes of one file is read',
    progress({ files: { total: 1, bytes: { total: 1000, done: 250 } } }),
    null,
    12,
  ],
  [
    'nothing of the bytes is read',
    progress({ files: { done: 4, bytes: { total: 1000, done: 0 } } }),
    null,
    null,
  ],
  ['chunks wait to be written', progress({ stage: 'embed', chunks: { due: 100, written: 40 } }), 8, 8],
  ['chunks wait and nothing moves', progress({ stage: 'embed', chunks: { due: 100 } }), 0, null],
  ['no chunk waits', progress({ stage: 'embed' }), null, 0],
  [
    'half of the points is compared, and none was found',
    progress({ stage: 'compare', chunks: { seen: 50 }, points: { total: 100, found: 0, passes: 1 } }),
    10,
    5,
  ],
  [
    'half of the points is compared, and some are to be mended',
    progress({ stage: 'compare', chunks: { seen: 50 }, points: { total: 100, found: 2, passes: 3 } }),
    10,
    25,
  ],
  [
    'the points are read faster than they are mended',
    progress({
      ...{ stage: 'repair', points: { total: 100, found: 90, passes: 3 } },
      chunks: { seen: 200, due: 90, written: 10 },
    }),
    5,
    80,
  ],
  ['no point is read', progress({ stage: 'compare', points: { total: 9, found: 0, passes: 1 } }), null, null],
  ['all is being published', progress({ stage: 'publish' }), null, 0],
] as const)
  test(`secondsLeft() is ${seconds} where ${what}`, () => {
    assert.equal(
      secondsLeft(given, 4000, { seen: rate, written: what.includes('faster') ? 1 : rate }),
      seconds,
    )
  })
