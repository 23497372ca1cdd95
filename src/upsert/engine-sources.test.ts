import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeIs, counters, upsertHouses } from '../../test/support/upsert-house.ts'
import { SluiceError } from '../kit/errors.ts'

const { engine, house } = upsertHouses()

// Cleanup, what the second run with a new `a` deletes, and what is seen then.
for (const [cleanup, deleted, expected] of [
  ['none', 0, ['a: new', 'a: old', 'b: other']],
  ['incremental', 1, ['a: new', 'b: other']],
  ['full', 2, ['a: new']],
] as const)
  test(`upsert() with the cleanup ${cleanup} removes the right sources and no other [upsert:records]`, async () => {
    const { upsert, file, seen } = house()
    await upsert([file('a', 'old'), file('b', 'other')], { cleanup })
    const result = await upsert([file('a', 'new')], { cleanup })
    assert.equal(result.numDeleted, deleted)
    assert.deepEqual(await seen(), expected)
    assert.equal(result.totalKeys, expected.length)
    // A removed source is new when it is sent again: its fingerprint was removed, too.
    assert.equal(
      (await upsert([file('b', 'other')], { cleanup: 'none' })).numAdded,
      cleanup === 'full' ? 1 : 0,
    )
  })

test('upsert() refuses a full cleanup of more than half of 1,000 chunks unless it is confirmed', async () => {
  const { upsert, file, seen } = house()
  const pages = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => `text ${from + n}`)
  await upsert([file('a', ...pages(0, 1001))])
  await assert.rejects(upsert([file('b', 'one')], { cleanup: 'full' }), codeIs('cleanup_refused'))
  assert.equal((await seen()).length, 1001)
  assert.equal(
    (await upsert([file('b', 'one')], { cleanup: 'full', confirmFullCleanup: true })).numDeleted,
    1001,
  )
  assert.deepEqual(await seen(), ['b: one'])
  await upsert([file('a', ...pages(0, 999))])
  assert.equal((await upsert([file('c', 'two')], { cleanup: 'full' })).numDeleted, 1000)
})

test('upsert() calls a file without text empty, with a warning, and keeps what its source held', async () => {
  const { upsert, file, seen } = house()
  await upsert([file('a', 'old'), file('b', 'old')])
  const result = await upsert([file('a'), file('b', ' \n ')], { cleanup: 'full' })
  assert.deepEqual(
    result.files.map(({ status }) => status),
    ['empty', 'empty'],
  )
  assert.deepEqual(result.warnings, [
    { key: 'a', reason: 'the file is empty' },
    { key: 'b', reason: 'there is no text in it' },
  ])
  assert.deepEqual([result.numFailed, result.numDeleted], [0, 0])
  assert.deepEqual(await seen(), ['a: old', 'b: old'])
})

test('upsert() keeps a hundred warnings of a file, of a thousand characters each', async () => {
  const { upsert, loader } = house()
  const notes = Array.from({ length: 500 }, (_, n) => `${n} ${'x'.repeat(100_000)}`)
  const { warnings } = await upsert([loader.upload('a', { pages: ['text'], notes })])
  assert.equal(warnings.length, 100)
  assert.deepEqual([...new Set(warnings.map(({ reason }) => reason.length))], [1000])
})

test('upsert() cleans up by the name of the file, not by a source in the metadata [upsert:source-id]', async () => {
  const { upsert, file, store } = house()
  const blob = (text: string) => ({ text, metadata: { source: 'blob' } })
  await upsert([file('a', blob('one'))])
  await upsert([file('b', blob('two'))], { addMetadata: { source: 'overridden' } })
  await engine.idle()
  const { rows } = await store.sources({ offset: 0, limit: 10 })
  assert.deepEqual(
    rows.map(({ source, chunks }) => [source, chunks]),
    [
      ['a', 1],
      ['b', 1],
    ],
  )
  assert.equal(await engine.remove(store, { source: 'a' }), 1)
  assert.deepEqual(
    (await store.search({ text: 'one two', limit: 5 })).map(({ metadata }) => metadata.source),
    ['overridden'],
  )
})

const of = (team: string, text: string) => ({ text, metadata: { team } })
const byTeam = { sourceIdKey: 'team' }

test('upsert() uses the sourceIdKey of the record manager [upsert:source-id]', async () => {
  const { upsert, file, store } = house()
  await upsert([file('a', of('red', 'one'), of('blue', 'two'))], byTeam)
  const result = await upsert([file('b', of('red', 'three'))], byTeam)
  assert.equal(counters(result), '1 0 0 1')
  await engine.idle()
  const { rows } = await store.sources({ offset: 0, limit: 10 })
  assert.deepEqual(
    rows.map(({ source, chunks }) => [source, chunks]),
    [
      ['blue', 1],
      ['red', 1],
    ],
  )
  await assert.rejects(upsert([file('c', 'no team')], byTeam), codeIs('source_id_missing'))
})

test('upsert() counts right in every file where files share a source', async () => {
  const { upsert, file } = house()
  const page = (n: number) => ({ text: 'same', metadata: { team: 'red', source: 's', n } })
  await upsert([file('a', page(1))], byTeam)
  const { files } = await upsert([file('b', page(2)), file('c', page(1))], byTeam)
  assert.deepEqual(
    files.map(({ added, updated, skipped }) => [added, updated, skipped]),
    [
      [1, 0, 0],
      [0, 0, 1],
    ],
  )
})

for (const order of ['before', 'after'] as const)
  test(`upsert() fails as a whole where a file fails ${order} another of the same source`, async () => {
    const { upsert, file, broken, seen } = house()
    await upsert([file('a', of('red', 'old'))], byTeam)
    const pages = Array.from({ length: 200 }, (_, n) => of('red', `new ${n}`))
    const bad = broken('b', new SluiceError('file_encrypted', { file: 'b' }), ...pages)
    const good = file('c', of('red', 'good'))
    const uploads = order === 'before' ? [bad, good] : [good, bad]
    await assert.rejects(upsert(uploads, byTeam), codeIs('file_encrypted'))
    assert.deepEqual(await seen(), ['a: old'])
  })

test('upsert() spares other sources from a full cleanup when it cannot tell whose a failed file was', async () => {
  const { upsert, file, broken, seen } = house()
  await upsert([file('a', of('red', 'one')), file('b', of('blue', 'two'))], byTeam)
  const bad = broken('b', new SluiceError('file_encrypted', { file: 'b' }))
  const result = await upsert([file('a', of('red', 'new')), bad], { ...byTeam, cleanup: 'full' })
  assert.deepEqual(await seen(), ['a: new', 'b: two'])
  assert.deepEqual(
    result.warnings.map(({ key }) => key),
    ['cleanup'],
  )
})

test('remove() waits for its lease, and what it removed can come again', async () => {
  const { upsert, file, store, seen } = house()
  const uploads = [file('a', 'one'), file('b', 'two')]
  const upserting = upsert(uploads)
  const removing = engine.remove(store, { source: 'a' })
  await upserting
  assert.equal(await removing, 1)
  assert.deepEqual(await seen(), ['b: two'])
  assert.equal(counters(await upsert(uploads)), '1 0 1 0')
})
