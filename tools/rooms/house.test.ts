import assert from 'node:assert/strict'
import { test } from 'node:test'
import { objection, roomOf, ROOMS } from './house.ts'

test('roomOf() is the first folder below src', () => {
  assert.deepEqual(['src/kit/hash.ts', 'src/nodes/loaders/csv-file.ts', 'src/main.ts'].map(roomOf), [
    'kit',
    'nodes',
    'main.ts',
  ])
})

const ALLOWED: [from: string, to: string][] = [
  ['kit', 'kit'],
  ['formats', 'contract'],
  ['nodes', 'formats'],
  ['upsert', 'stores'],
  ['retrieve', 'upsert'],
  ['events', 'kit'],
  ['cli', 'events'],
  ['stores', 'db'],
  ['offline.ts', 'db'],
  ['main.ts', 'cli'],
  ['main.ts', 'nodes'],
]

const REFUSED: [from: string, to: string, reason: RegExp][] = [
  ['kit', 'contract', /order of rooms/],
  ['formats', 'text', /order of rooms/],
  ['jobs', 'upsert', /order of rooms/],
  ['upsert', 'nodes', /engines do not import cards/],
  ['retrieve', 'nodes', /engines do not import cards/],
  ['agent', 'nodes', /engines do not import cards/],
  ['nodes', 'upsert', /cards do not import engines/],
  ['nodes', 'agent', /cards do not import engines/],
  ['events', 'contract', /only kit/],
  ['events', 'server', /only kit/],
  ['server', 'cli', /order of rooms/],
  ['cli', 'server', /cli does not import server/],
  ['server', 'db', /only stores import db/],
  ['agent', 'db', /only stores import db/],
  ['upsert', 'db', /only stores import db/],
  ['cli', 'db', /only stores import db/],
  ['cli', 'main.ts', /order of rooms/],
  ['upsert', 'utils', /not a room/],
  ['backend', 'server', /order of rooms/],
  ['server', 'backend', /only the files that connect the rooms/],
  ['utils', 'kit', /not a room/],
]

for (const [from, to] of ALLOWED)
  test(`objection() has nothing against ${from} → ${to}`, () => {
    assert.equal(objection(from, to), undefined)
  })

for (const [from, to, reason] of REFUSED)
  test(`objection() names why ${from} → ${to} may not be`, () => {
    assert.match(objection(from, to) ?? '', reason)
  })

test('objection() lets only the files that connect the rooms import every room below them', () => {
  const free = ROOMS.filter((from, rank) =>
    ROOMS.slice(0, rank).every((to) => objection(from, to) === undefined),
  )
  assert.deepEqual(
    free.filter((room) => ROOMS.indexOf(room) > ROOMS.indexOf('stores')),
    ['backend', 'platform', 'evaluation.ts', 'offline.ts', 'main.ts'],
  )
})
