import assert from 'node:assert/strict'
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import { afterEach, test } from 'node:test'
import { type HashEmbedderOptions, hashEmbedder, hashVector } from '../../test/support/hash-embedder.ts'
import { type Content, memoryLoader, type Page } from '../../test/support/memory-loader.ts'
import { contentOf, sharedStores } from '../../test/support/store.ts'
import type { RecordManager } from '../contract/record-manager.ts'
import type { UploadedFile } from '../contract/loader.ts'
import { SluiceError } from '../kit/errors.ts'
import { quietLog } from '../kit/log.ts'
import { createKeyedMutex } from '../kit/mutex.ts'
import { createUpsertEngine } from './engine.ts'
import type { UpsertResult } from './outcome.ts'
import type { UpsertOptions } from './run.ts'

type Asked = Partial<UpsertOptions> & Partial<RecordManager> & { records?: boolean; signal?: AbortSignal }

const { database, stores, newNamespace } = sharedStores()
const engine = createUpsertEngine({ turns: createKeyedMutex(), log: quietLog })
afterEach(() => engine.idle())

/** The engine over the real store, a loader and an embedder of the test, and short words for what tests do with them. */
function house(options: HashEmbedderOptions = {}) {
  const store = stores.open(newNamespace())
  const loader = memoryLoader()
  let embedder = hashEmbedder(options)

  /** Upserts with a record manager unless `records` is false; resolves when the clearing up is done too. */
  async function upsert(uploads: UploadedFile[], asked: Asked = {}): Promise<UpsertResult> {
    const { records = true, signal = new AbortController().signal, cleanup, sourceIdKey, ...given } = asked
    const recordManager = { cleanup: cleanup ?? 'incremental', sourceIdKey: sourceIdKey ?? 'source' }
    const retrieval = { topK: 4, searchType: 'similarity' as const }
    const part = { store, embedder, loaders: [loader], retrieval, ...(records ? { recordManager } : {}) }
    const none = { strict: false, dryRun: false, confirmFullCleanup: false, returnSourceDocuments: false }
    const work = { part, uploads, options: { ...none, addMetadata: {}, ...given }, warnings: [] }
    const result = await engine.upsert(work, signal)
    const { numAdded, numUpdated, numSkipped, files } = result
    const chunks = files.reduce((sum, file) => sum + file.chunks, 0)
    assert.equal(numAdded + numUpdated + numSkipped, chunks, 'the counters add up with the chunks of the run')
    return result
  }

  return {
    store,
    loader,
    upsert,
    get embedder() {
      return embedder
    },
    /** From now on the flow embeds with this one. */
    embedWith(next: HashEmbedderOptions) {
      embedder = hashEmbedder(next)
      return embedder
    },
    file: (name: string, ...pages: Page[]) => loader.upload(name, pages),
    broken: (name: string, failure: Error, ...pages: Page[]): UploadedFile =>
      loader.upload(name, { pages, failure } satisfies Content),
    /** Every chunk that a reader sees, as `source: text`. */
    async seen(): Promise<string[]> {
      await engine.idle()
      const found = await store.search({ vector: hashVector('', embedder.dimensions), limit: 10_000 })
      return found.map(({ metadata, pageContent }) => `${metadata.source}: ${pageContent}`).sort()
    },
  }
}

const counters = ({ numAdded, numUpdated, numSkipped, numDeleted }: UpsertResult) =>
  [numAdded, numUpdated, numSkipped, numDeleted].join(' ')

const codeIs = (code: string) => (error: unknown) => error instanceof SluiceError && error.code === code

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

// Cleanup, what the second run with a new `a` deletes, and what is seen then.
for (const [cleanup, deleted, expected] of [
  ['none', 0, ['a: new', 'a: old', 'b: other']],
  ['incremental', 1, ['a: new', 'b: other']],
  ['full', 2, ['a: new']],
] as const)
  test(`upsert() with the cleanup ${cleanup} removes what it says and no more [upsert:records]`, async () => {
    const { upsert, file, seen } = house()
    await upsert([file('a', 'old'), file('b', 'other')], { cleanup })
    const result = await upsert([file('a', 'new')], { cleanup })
    assert.equal(result.numDeleted, deleted)
    assert.deepEqual(await seen(), expected)
    assert.equal(result.totalKeys, expected.length)
    // What was removed is new when it comes again: nobody remembers the file as done.
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

test('upsert() lets a bad file fail alone: its old chunks stay and no new ones show [upsert:atomic]', async () => {
  const { upsert, file, broken, seen } = house()
  await upsert([file('a', 'old a'), file('b', 'old b')])
  const failure = new SluiceError('file_encrypted', { file: 'b' })
  // More than a group of chunks, so that some are written before the file fails.
  const pages = Array.from({ length: 300 }, (_, n) => `new b ${n}`)
  const result = await upsert([broken('b', failure, ...pages), file('a', 'new a'), file('c', 'new c')])
  assert.equal(counters(result), '2 0 0 1')
  assert.equal(result.numFailed, 1)
  const { name, status, code, message } = result.files[0]!
  assert.deepEqual([name, status, code, message], ['b', 'failed', 'file_encrypted', failure.message])
  assert.deepEqual(await seen(), ['a: new a', 'b: old b', 'c: new c'])
  assert.equal(result.totalKeys, 3)
  assert.deepEqual(
    result.addedDocs.map(({ pageContent }) => pageContent),
    ['new a', 'new c'],
  )
  // Under a full cleanup too: a file that failed was there all the same.
  await upsert([broken('b', failure), file('d', 'new d')], { cleanup: 'full' })
  assert.deepEqual(await seen(), ['b: old b', 'd: new d'])
})

test('upsert() throws the failure of the first file where all are bad, and changes nothing', async () => {
  const { upsert, broken, file, seen } = house()
  await upsert([file('a', 'old')])
  const bad = [
    broken('a', new SluiceError('file_encrypted', { file: 'a' }), 'x', 'y', 'z'),
    broken('b', new SluiceError('file_timeout', { file: 'b' })),
  ]
  await assert.rejects(upsert(bad), codeIs('file_encrypted'))
  assert.deepEqual(await seen(), ['a: old'])
})

test('upsert() with strict fails as a whole for one bad file, and changes nothing', async () => {
  const { upsert, broken, file, seen } = house()
  await upsert([file('a', 'old')])
  const bad = broken('b', new SluiceError('file_encrypted', { file: 'b' }))
  await assert.rejects(upsert([file('a', 'new'), bad], { strict: true }), codeIs('file_encrypted'))
  assert.deepEqual(await seen(), ['a: old'])
})

test('upsert() given up while the embedder is still at work shows nothing of it, ever', async () => {
  const slow = Promise.withResolvers<void>()
  const began = Promise.withResolvers<void>()
  const { upsert, broken, file, seen, embedWith } = house({
    limits: { texts: 1, bytes: 100 },
    before() {
      began.resolve()
      return slow.promise
    },
  })
  const bad = broken('b', new SluiceError('file_encrypted', { file: 'b' }))
  const failed = assert.rejects(upsert([file('a', 'late'), bad], { strict: true }), codeIs('file_encrypted'))
  await began.promise
  embedWith({})
  const retried = upsert([file('a', 'retried')])
  // Time enough for the retry to be done, did it not wait.
  await sleep(300)
  slow.resolve()
  await failed
  await retried
  await upsert([file('b', 'last')])
  assert.deepEqual(await seen(), ['a: retried', 'b: last'])
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

test('upsert() changes nothing when the embedder fails, and the retry embeds nothing twice [upsert:atomic]', async () => {
  let budget = 3
  const { upsert, file, embedder, seen } = house({
    limits: { texts: 10, bytes: 10_000 },
    before: () =>
      budget-- > 0 ? undefined : Promise.reject(new SluiceError('provider_failed', { provider: 'p' })),
  })
  budget = Infinity
  await upsert([file('a', 'old')])
  budget = 3
  const texts = Array.from({ length: 100 }, (_, n) => `new ${n}`)
  await assert.rejects(upsert([file('a', ...texts)]), codeIs('provider_failed'))
  assert.deepEqual(await seen(), ['a: old'])
  budget = Infinity
  assert.equal(counters(await upsert([file('a', ...texts)])), '100 0 0 1')
  assert.deepEqual(embedder.embedded().sort(), ['old', ...texts].sort())
  assert.equal((await seen()).length, 100)
})

test('upsert() shows nothing before its end and all of it then [upsert:atomic]', async () => {
  const slow = Promise.withResolvers<void>()
  const { upsert, file, seen, store, embedder } = house({
    before: (texts) => (texts.includes('new 599') ? slow.promise : undefined),
  })
  await upsert([file('a', 'old')])
  const pages = Array.from({ length: 600 }, (_, n) => `new ${n}`)
  const running = upsert([file('a', ...pages)])
  while (embedder.embedded().length < 500) {
    assert.equal((await store.search({ text: 'new old', limit: 10 })).length, 1)
    await turn()
  }
  slow.resolve()
  await running
  assert.equal((await seen()).length, 600)
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

test('upsert() cleans up by the name of the file, whatever the metadata say is the source [upsert:source-id]', async () => {
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

test('upsert() goes by another sourceIdKey where the record manager names one [upsert:source-id]', async () => {
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

test('upsert() answers embedder_changed when the flow embeds with another model, and embeds nothing', async () => {
  const { upsert, file, embedWith, seen } = house()
  await upsert([file('a', 'one')])
  const other = embedWith({ id: 'another' })
  for (const dryRun of [false, true])
    await assert.rejects(
      upsert([file('a', 'two')], { dryRun }),
      (error: unknown) => codeIs('embedder_changed')(error) && (error as SluiceError).status === 409,
    )
  assert.deepEqual(other.calls, [])
  assert.deepEqual(await seen(), ['a: one'])
})

test('upsert() refuses vectors of another length and shows nothing of the run', async () => {
  const { upsert, file, embedWith, seen } = house()
  await upsert([file('a', 'one')])
  embedWith({ dimensions: 4 })
  await assert.rejects(upsert([file('b', 'two')]), codeIs('dimension_mismatch'))
  embedWith({})
  assert.deepEqual(await seen(), ['a: one'])
})

for (const reason of [undefined, new SluiceError('cancelled')])
  test(`upsert() throws cancelled when its signal says so (${reason?.code ?? 'no reason'}), and shows nothing [upsert:atomic]`, async () => {
    const began = Promise.withResolvers<void>()
    const { upsert, file, seen } = house({
      before(texts, signal) {
        if (texts.includes('old')) return undefined
        began.resolve()
        return new Promise((_, reject) => signal!.addEventListener('abort', () => reject(signal!.reason)))
      },
    })
    await upsert([file('a', 'old')])
    const controller = new AbortController()
    const running = upsert([file('a', 'new')], { signal: controller.signal })
    const waiting = upsert([file('b', 'never')], { signal: controller.signal })
    const all = Promise.all([running, waiting].map((one) => assert.rejects(one, codeIs('cancelled'))))
    await began.promise
    controller.abort(reason)
    await all
    await assert.rejects(
      upsert([file('a', 'new')], { signal: controller.signal, dryRun: true }),
      codeIs('cancelled'),
    )
    assert.deepEqual(await seen(), ['a: old'])
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

test('upsert() refuses a request of the wrong form before it opens anything', async () => {
  const { upsert } = house()
  const before = contentOf(database)
  await assert.rejects(upsert([]), codeIs('form_expected'))
  assert.equal(contentOf(database), before)
})

test('remove() waits for its turn, and what it removed can come again', async () => {
  const { upsert, file, store, seen } = house()
  const uploads = [file('a', 'one'), file('b', 'two')]
  const upserting = upsert(uploads)
  const removing = engine.remove(store, { source: 'a' })
  await upserting
  assert.equal(await removing, 1)
  assert.deepEqual(await seen(), ['b: two'])
  assert.equal(counters(await upsert(uploads)), '1 0 1 0')
})
