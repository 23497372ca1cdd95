import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Receipt } from '../../src/contract/job.ts'
import { parts, type PublishRequest, publishRun } from '../../src/db/postgres/publish.ts'
import { needs } from '../support/needs.ts'
import { ledgerRows } from '../support/ledger-rows.ts'

await needs('PostgreSQL')

const made = await ledgerRows()
const { database, rows } = made
after(made.close)

const RECEIPT = { job: 'job 1', result: { numAdded: 1 } } as unknown as Receipt

/** Publishes at the time 1000. */
const publish = (indexId: number, run: number, more: Partial<PublishRequest> = {}) =>
  database.transaction((sql) =>
    publishRun(sql, {
      ...{ run, indexId, stagedCount: 0, stagedOf: new Map(), removedChunkIds: [], files: [] },
      ...{ updatedSources: [], invalidatedFiles: [], now: 1000 },
      ...more,
    }),
  )

const newRun = (index: number) => made.newRun(index)

const sourcesOf = async (index: number, columns: string) =>
  (await rows(`SELECT name, ${columns} FROM sources WHERE index_id = $1 ORDER BY name`, index)).map((row) =>
    Object.values(row),
  )

/** An index with the source `a` of two chunks and `b` of one; another one with an equal `a`. */
async function twoIndexes() {
  const [index, other] = [await made.index(), await made.index()]
  const ids: number[] = []
  for (const [of, names] of [
    [index, ['a', 'a', 'b']],
    [other, ['a', 'a']],
  ] as const)
    for (const name of new Set(names)) {
      const count = names.filter((one) => one === name).length
      const source = await made.source(of, name, count)
      for (let n = 0; n < count; n++) {
        const passage = await made.passage(of, `${name} ${n}`)
        ids.push(await made.chunk({ index: of, source, passage }))
      }
    }
  await made.run('UPDATE indexes SET chunks = 3 WHERE id = $1', index)
  await made.run('UPDATE indexes SET chunks = 2 WHERE id = $1', other)
  const chunks = async () =>
    (
      await rows<{ chunks: number }>('SELECT chunks FROM indexes WHERE id = ANY($1) ORDER BY id', [
        index,
        other,
      ])
    ).map((row) => row.chunks)
  return { index, other, ids: ids as [number, number, number, number, number], chunks }
}

test('publishRun() marks an open run with its time and receipt, once', async () => {
  const index = await made.index()
  const [first, second, abandoned] = [
    await newRun(index),
    await newRun(index),
    await made.newRun(index, 'abandoned'),
  ]
  await publish(index, first, { receipt: RECEIPT })
  await publish(index, second)
  for (const run of [first, abandoned])
    await assert.rejects(publish(index, run, { stagedCount: 5, now: 2000 }), { code: 'run_not_open' })
  assert.deepEqual(
    (
      await rows('SELECT state, published_at, job, receipt FROM runs WHERE index_id = $1 ORDER BY seq', index)
    ).map((row) => Object.values(row)),
    [
      ['published', 1000, 'job 1', JSON.stringify(RECEIPT)],
      ['published', 1000, null, null],
      ['abandoned', null, null, null],
    ],
  )
  assert.deepEqual(await rows('SELECT chunks FROM indexes WHERE id = $1', index), [{ chunks: 0 }])
})

test('publishRun() counts what is staged and removed, a chunk that is removed again once', async () => {
  const { index, ids, chunks } = await twoIndexes()
  const run = await newRun(index)
  const staged = { stagedCount: 4, stagedOf: new Map(Object.entries({ a: 3, b: 1 })) }
  await publish(index, run, { ...staged, removedChunkIds: [ids[0], ids[2]] })
  const counts = [
    ['a', 4],
    ['b', 1],
  ]
  assert.deepEqual([await sourcesOf(index, 'chunks'), await chunks()], [counts, [5, 2]])
  await publish(index, await newRun(index), { removedChunkIds: [ids[0], ids[2]] })
  assert.deepEqual([await sourcesOf(index, 'chunks'), await chunks()], [counts, [5, 2]])
  await publish(index, await newRun(index), { removedChunkIds: [ids[0], ids[1]] })
  assert.deepEqual(
    [(await sourcesOf(index, 'chunks'))[0], await chunks()],
    [
      ['a', 3],
      [4, 2],
    ],
  )
  const died = await rows<{ died: number }>(
    'SELECT died FROM chunks WHERE id = ANY($1) AND died IS NOT NULL ORDER BY id',
    ids,
  )
  assert.deepEqual(
    died.map((row) => row.died - run),
    [0, 2, 0],
  )
})

test('publishRun() counts nothing in another index with a source of the same name', async () => {
  const { index, other, chunks } = await twoIndexes()
  await publish(index, await newRun(index), { stagedCount: 1, stagedOf: new Map([['a', 1]]) })
  assert.deepEqual([await sourcesOf(other, 'chunks'), await chunks()], [[['a', 2]], [4, 2]])
  assert.deepEqual((await sourcesOf(index, 'chunks'))[0], ['a', 3])
})

test('publishRun() moves chunks to their new ranges', async () => {
  const { index, ids } = await twoIndexes()
  const movedChunks = [
    { id: ids[0], range: { start: 5, end: 9 } },
    { id: ids[1], range: { start: 9, end: 20 } },
  ]
  await publish(index, await newRun(index), { movedChunks })
  const ranges = await rows('SELECT text_start, text_end FROM chunks WHERE index_id = $1 ORDER BY id', index)
  assert.deepEqual(
    ranges.map((row) => Object.values(row)),
    [
      [5, 9],
      [9, 20],
      [null, null],
    ],
  )
})

test('publishRun() stores what a run removed and moved, in parts, for the replicas', async () => {
  const index = await made.index()
  /** A long list as its length, its first item and its last one. */
  const ends = (list: unknown[]) =>
    list.length < 3 ? list.map(Number) : [list.length, Number(list[0]), Number(list.at(-1))]
  const changes = async (run: number) =>
    (
      await rows<Record<string, unknown[]>>(
        'SELECT removed, moved, starts, ends FROM run_changes WHERE run = $1 ORDER BY part',
        run,
      )
    ).map((row) => Object.values(row).map(ends))
  const ids = Array.from({ length: 10_001 }, (_, at) => -1 - at)
  const movedChunks = ids.map((id) => ({ id, range: { start: 2 - id, end: 3 - id } }))
  const run = await newRun(index)
  await publish(index, run, { removedChunkIds: [-7, -8], movedChunks })
  assert.deepEqual(await changes(run), [
    [
      [-7, -8],
      [10_000, -1, -10_000],
      [10_000, 3, 10_002],
      [10_000, 4, 10_003],
    ],
    [[], [-10_001], [10_003], [10_004]],
  ])
  const removing = await newRun(index)
  await publish(index, removing, { removedChunkIds: ids })
  assert.deepEqual(await changes(removing), [
    [[10_000, -1, -10_000], [], [], []],
    [[-10_001], [], [], []],
  ])
  const quiet = await newRun(index)
  await publish(index, quiet)
  assert.deepEqual(await changes(quiet), [])
})

test('parts() splits a list into parts of ten thousand', () => {
  const ends = (length: number) =>
    [...parts(Array.from({ length }, (_, at) => at))].map((part) => [part.length, part[0], part.at(-1)])
  assert.deepEqual([0, 1, 10_000, 10_001, 20_000].map(ends), [
    [],
    [[1, 0, 0]],
    [[10_000, 0, 9999]],
    [
      [10_000, 0, 9999],
      [1, 10_000, 10_000],
    ],
    [
      [10_000, 0, 9999],
      [10_000, 10_000, 19_999],
    ],
  ])
})

test('publishRun() stores files as the run found them last, and forgets those that must be read again', async () => {
  const [index, other] = [await made.index(), await made.index()]
  const file = (name: string, fingerprint: string, chunks = 1) => ({ name, fingerprint, chunks })
  const files = async (of: number) =>
    (await rows('SELECT name, fingerprint, chunks FROM files WHERE index_id = $1 ORDER BY name', of)).map(
      (row) => Object.values(row),
    )
  for (const one of [index, other])
    await publish(one, await newRun(one), {
      files: [file('a', '1'), file('b', '1'), file('a', '2', 5), file('z', '1')],
    })
  assert.deepEqual(await files(index), [
    ['a', '2', 5],
    ['b', '1', 1],
    ['z', '1', 1],
  ])
  await publish(index, await newRun(index), { files: [file('b', '3', 7)], invalidatedFiles: ['a', 'c'] })
  assert.deepEqual(await files(index), [
    ['b', '3', 7],
    ['z', '1', 1],
  ])
  await publish(index, await newRun(index), { files: [file('c', '1')], invalidatedFiles: 'all' })
  assert.deepEqual(await files(index), [['c', '1', 1]])
  assert.equal((await files(other)).length, 3)
})

test('publishRun() stores when sources were read, by which job, and what was learned of them last', async () => {
  const { index, other } = await twoIndexes()
  const dropped = [{ kind: 'picture', count: 1 }] as unknown as never[]
  const columns = 'updated_at, job, bytes, characters, original, original_type, dropped'
  await publish(index, await newRun(index), {
    updatedSources: ['a'],
    receipt: RECEIPT,
    sourceFacts: [
      { source: 'a', characters: 1, bytes: 2 },
      { source: 'a', characters: 10, bytes: 20, original: { id: 'o', type: 'pdf' } as never, dropped },
      { source: 'b', characters: 30 },
    ],
  })
  const before = ['a', 1000, 'job 1', 20, 10, 'o', 'pdf', JSON.stringify(dropped)]
  assert.deepEqual(await sourcesOf(index, columns), [before, ['b', 1, null, null, 30, null, null, null]])
  assert.deepEqual(await sourcesOf(other, columns), [['a', 1, null, null, null, null, null, null]])
  // A run without a job keeps the name of the last one.
  await publish(index, await newRun(index), { updatedSources: ['a'], now: 3000 })
  assert.deepEqual((await sourcesOf(index, columns))[0], before.with(1, 3000))
  const sourceFacts = [{ source: 'b', characters: 31 }]
  await publish(index, await newRun(index), { sourceFacts })
  assert.equal((await sourcesOf(index, 'characters'))[1]![1], 31)
})

test('publishRun() keeps a removal that can be restored, until its source is updated or restored', async () => {
  const { index, ids } = await twoIndexes()
  const removed = async () => sourcesOf(index, 'updated_at, removed_run, removed_until')
  const removal = await newRun(index)
  await publish(index, removal, {
    ...{ removedChunkIds: ids.slice(0, 3), updatedSources: ['a', 'b'], restorableUntil: 9000 },
    loads: { settings: [], sources: [] },
  })
  assert.deepEqual(await removed(), [
    ['a', 1, removal, 9000],
    ['b', 1, removal, 9000],
  ])
  await publish(index, await newRun(index), { updatedSources: ['a'] })
  await publish(index, await newRun(index), { restoredSources: ['b'] })
  assert.deepEqual(await removed(), [
    ['a', 1000, null, null],
    ['b', 1, null, null],
  ])
})

test('publishRun() stores the settings of loads, and what is left of earlier versions', async () => {
  const { index, ids } = await twoIndexes()
  await publish(index, await newRun(index), {
    updatedSources: ['a'],
    outdatedChunkIds: [ids[1]],
    loads: {
      settings: [{ hash: 'h', content: 'c' }],
      sources: [{ source: 'a', settings: 'h', request: null }],
    },
  })
  assert.deepEqual(await sourcesOf(index, 'settings, outdated'), [
    ['a', 'h', 1],
    ['b', null, 0],
  ])
  assert.deepEqual(await rows('SELECT hash, content FROM load_settings WHERE index_id = $1', index), [
    { hash: 'h', content: 'c' },
  ])
})
