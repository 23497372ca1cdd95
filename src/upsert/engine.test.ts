import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contentOf } from '../../test/support/store.ts'
import { counters, upsertHouses } from '../../test/support/upsert-house.ts'
import { SluiceError } from '../kit/errors.ts'

const { database, engine, namespaceQueue, house } = upsertHouses()

test('upsert() adds what is new, skips it the second time, and never embeds it again [upsert:records]', async () => {
  const { upsert, file, embedder, loader, seen } = house()
  const uploads = [file('a', 'one', 'two'), file('b', 'three')]
  const first = await upsert(uploads)
  assert.equal(counters(first), '3 0 0 0')
  assert.deepEqual(
    first.files.map(({ name, status, chunks, added }) => [name, status, chunks, added]),
    [
      ['a', 'indexed', 2, 2],
      ['b', 'indexed', 1, 1],
    ],
  )
  assert.deepEqual(
    first.addedDocs.map(({ pageContent }) => pageContent),
    ['one', 'two', 'three'],
  )
  assert.equal(first.totalKeys, 3)
  const second = await upsert(uploads)
  assert.equal(counters(second), '0 0 3 0')
  assert.deepEqual(
    second.files.map(({ status }) => status),
    ['unchanged', 'unchanged'],
  )
  assert.equal(embedder.embedded().length, 3)
  assert.deepEqual(loader.reads, ['a', 'b'])
  assert.deepEqual(await seen(), ['a: one', 'a: two', 'b: three'])
})

test('upsert() adds nothing the second time without a record manager too [upsert:idempotent]', async () => {
  const { upsert, file, embedder, seen } = house()
  const uploads = [file('a', 'one', 'two')]
  assert.equal(counters(await upsert(uploads, { records: false })), '2 0 0 0')
  assert.equal(counters(await upsert(uploads, { records: false })), '0 0 2 0')
  assert.equal(counters(await upsert([file('a', 'one', 'new')], { records: false })), '1 0 1 0')
  assert.equal(counters(await upsert(uploads, { records: false })), '0 0 2 0')
  assert.equal(embedder.embedded().length, 3)
  assert.deepEqual(await seen(), ['a: new', 'a: one', 'a: two'])
})

test('upsert() embeds of a changed file only the chunk that changed, and removes the old one', async () => {
  const { upsert, file, embedder, seen } = house()
  await upsert([file('a', 'one', 'two', 'three')])
  const { files, ...result } = await upsert([file('a', 'one', 'changed', 'three')])
  assert.equal(counters({ files, ...result }), '1 0 2 1')
  assert.deepEqual(
    files.map(({ added, skipped, deleted }) => [added, skipped, deleted]),
    [[1, 2, 1]],
  )
  assert.deepEqual(embedder.embedded(), ['one', 'two', 'three', 'changed'])
  assert.deepEqual(await seen(), ['a: changed', 'a: one', 'a: three'])
})

test('upsert() updates changed metadata without embedding, nested keys too', async () => {
  const { upsert, file, embedder, store, seen } = house()
  const page = (from: number) => ({ text: 'one', metadata: { loc: { lines: { from } } } })
  await upsert([file('a', page(1))])
  assert.equal(counters(await upsert([file('a', page(7))])), '0 1 0 0')
  assert.equal(counters(await upsert([file('a', page(7))], { addMetadata: { team: 'ops' } })), '0 1 0 0')
  assert.deepEqual(embedder.embedded(), ['one'])
  assert.equal((await seen()).length, 1)
  const [found] = await store.search({ text: 'one', limit: 5 })
  assert.deepEqual(found!.metadata, { source: 'a', loc: { lines: { from: 7 } }, team: 'ops' })
})

test('upsert() stores an equal pair of a source once and a shared text per source, embedded once', async () => {
  const { upsert, file, embedder, seen } = house()
  assert.equal(counters(await upsert([file('a', 'one', 'one', 'one'), file('b', 'one')])), '2 0 2 0')
  assert.deepEqual(embedder.embedded(), ['one'])
  assert.deepEqual(await seen(), ['a: one', 'b: one'])
})

for (const cleanup of ['none', 'incremental', 'full'] as const)
  test(`upsert() with dryRun and the cleanup ${cleanup} writes nothing and counts as the run that follows`, async () => {
    const { upsert, file, broken, embedder } = house()
    const page = (n: number) => ({ text: 'same', metadata: { n } })
    await upsert([file('a', 'one', 'two', page(1)), file('b', 'three'), file('c', 'four')])
    await engine.idle()
    const before = contentOf(database)
    const calls = embedder.calls.length
    const next = [
      file('a', 'one', 'one', 'new', page(2), page(3)),
      file('b', 'three'),
      broken('d', new SluiceError('file_encrypted', { file: 'd' }), 'lost'),
    ]
    const { dryRun, ...foreseen } = await upsert(next, { cleanup, dryRun: true })
    assert.equal(dryRun, true)
    assert.equal(contentOf(database), before)
    assert.equal(embedder.calls.length, calls)
    const { dryRun: no, ...happened } = await upsert(next, { cleanup })
    assert.equal(no, undefined)
    assert.deepEqual(happened, foreseen)
    assert.equal(happened.numUpdated, 1)
  })

test('upsert() with dryRun makes no index where there is none', async () => {
  const { upsert, file } = house()
  const before = contentOf(database)
  assert.equal(counters(await upsert([file('a', 'one')], { dryRun: true })), '1 0 0 0')
  assert.equal(contentOf(database), before)
})

test('upsert() runs under the lease that it is given, and waits for its own where that is of another namespace', async () => {
  const { upsert, file, store } = house()
  const { namespace } = store
  await namespaceQueue.run(namespace, (lease) => upsert([file('a', 'one')], { lease }))
  const done: string[] = []
  const holder = Promise.withResolvers<void>()
  const held = namespaceQueue.run(namespace, () => holder.promise)
  const waiting = namespaceQueue
    .run('elsewhere', (lease) => upsert([file('b', 'two')], { lease }))
    .then(() => done.push('b'))
  // A dry run needs no lease.
  await upsert([file('c', 'three')], { dryRun: true })
  assert.deepEqual(done, [])
  holder.resolve()
  await Promise.all([held, waiting])
  assert.deepEqual(done, ['b'])
})

test('two upserts of one namespace take turns, and both are right', async () => {
  const { upsert, file, seen } = house()
  const results = await Promise.all([
    upsert([file('a', 'one', 'two')]),
    upsert([file('a', 'two', 'three')]),
    upsert([file('b', 'four')]),
  ])
  assert.deepEqual(results.map(counters), ['2 0 0 0', '1 0 1 1', '1 0 0 0'])
  assert.deepEqual(await seen(), ['a: three', 'a: two', 'b: four'])
})

test('the same file sent twice at one time is added once [upsert:idempotent]', async () => {
  const { upsert, file, embedder, seen } = house()
  const upload = file('a', 'one', 'two')
  const results = await Promise.all([upsert([upload]), upsert([upload])])
  assert.deepEqual(results.map(counters), ['2 0 0 0', '0 0 2 0'])
  assert.equal(embedder.embedded().length, 2)
  assert.equal((await seen()).length, 2)
})

test('upsert() gives the documents of the run in order when asked, the skipped ones too', async () => {
  const { upsert, file } = house()
  await upsert([file('a', 'one'), file('b', 'two')])
  const asked = { returnSourceDocuments: true }
  const { sourceDocuments, addedDocs } = await upsert([file('a', 'one', 'new'), file('b', 'two')], asked)
  assert.deepEqual(
    sourceDocuments!.map(({ pageContent, metadata }) => `${metadata.source}: ${pageContent}`),
    ['a: one', 'a: new', 'b: two'],
  )
  assert.deepEqual(
    addedDocs.map(({ pageContent }) => pageContent),
    ['new'],
  )
})
