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
  ['upsert', 'nodes', /engine never imports cards/],
  ['retrieve', 'nodes', /engine never imports cards/],
  ['agent', 'nodes', /engine never imports cards/],
  ['nodes', 'upsert', /card never imports engines/],
  ['nodes', 'agent', /card never imports engines/],
  ['events', 'contract', /only kit/],
  ['events', 'server', /only kit/],
  ['server', 'cli', /order of rooms/],
  ['cli', 'server', /do not know each other/],
  ['server', 'db', /only stores import db/],
  ['agent', 'db', /only stores import db/],
  ['upsert', 'db', /only stores import db/],
  ['cli', 'db', /only stores import db/],
  ['cli', 'main.ts', /order of rooms/],
  ['upsert', 'utils', /no room/],
  ['utils', 'kit', /no room/],
]

for (const [from, to] of ALLOWED)
  test(`objection() has nothing against ${from} → ${to}`, () => {
    assert.equal(objection(from, to), undefined)
  })

for (const [from, to, reason] of REFUSED)
  test(`objection() names why ${from} → ${to} may not be`, () => {
    assert.match(objection(from, to) ?? '', reason)
  })

test('objection() leaves only the files that introduce everybody free to import every room', () => {
  const free = ROOMS.filter((from) => ROOMS.every((to) => objection(from, to) === undefined))
  assert.deepEqual(free, ['platform.ts', 'evaluation.ts', 'offline.ts', 'main.ts'])
})
