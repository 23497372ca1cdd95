import assert from 'node:assert/strict'
import { setImmediate as turn } from 'node:timers/promises'
import { test } from 'node:test'
import { codeIs, counters, upsertHouses } from '../../test/support/upsert-house.ts'
import { SluiceError } from '../kit/errors.ts'

const { house } = upsertHouses()

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
  // Ten upserts into another namespace take the same steps: the retry would be done by now, did it not wait.
  const other = house()
  for (let n = 0; n < 10; n++) await other.upsert([other.file('x', `text ${n}`)])
  slow.resolve()
  await failed
  await retried
  await upsert([file('b', 'last')])
  assert.deepEqual(await seen(), ['a: retried', 'b: last'])
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
  test(`upsert() throws cancelled when its signal aborts (${reason?.code ?? 'no reason'}), and shows nothing [upsert:atomic]`, async () => {
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
