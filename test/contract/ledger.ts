import assert from 'node:assert/strict'
import { chunkIdOf } from '../../src/documents/chunk-id.ts'
import type { NamedChunks } from '../../src/contract/expected.ts'
import type { Ledger, Publication } from '../../src/contract/ledger.ts'
import { storedSourceName } from '../../src/documents/conversation.ts'
import type { SourceVersion } from '../../src/contract/source-version.ts'
import type { DroppedRow } from '../../src/contract/dropped-rows.ts'
import { parseFilter } from '../../src/vector/filter.ts'
import { collect } from '../support/collect.ts'
import { randomBelow } from '../support/random.ts'
import { ENGINE, idsOf, ledgerPromises, type MakeLedger, newChunk, publication } from './ledger-parts.ts'

/** How often others came in between. */
async function turnsOf<T>(work: Promise<T>): Promise<{ result: T; turns: number }> {
  let turns = 0
  let ended = false
  const count = () => {
    turns++
    if (!ended) setImmediate(count)
  }
  setImmediate(count)
  try {
    return { result: await work, turns }
  } finally {
    ended = true
  }
}

/** What every ledger promises to a store with a separate engine; run by each implementation. */
export function ledgerSuite(name: string, make: MakeLedger): void {
  const promises = ledgerPromises(name, make)

  promises('has no index before the first run, then one with a collection of its own', async (parts) => {
    const { ledger, namespace, other, bring } = parts
    assert.equal(await ledger.find(namespace), undefined)
    const collection = await bring([newChunk('a', 'one')])
    assert.deepEqual(await ledger.find(namespace), {
      ...{ namespace, collection, embedder: 'e', engine: ENGINE, dimensions: 2, chunks: 1 },
    })
    const apart = await ledger.open({ namespace: other, embedder: 'e', engine: ENGINE })
    assert.notEqual(apart.index.collection, collection)
    await apart.abandon()
  })

  promises(
    'planRemoval() and absentFields() look at many chunks in turns, and find all of them',
    async ({ ledger, namespace, bring }) => {
      const names = Array.from({ length: 3000 }, (_, n) => `text ${n}`)
      const collection = await bring(
        names.map((text, n) => newChunk(n < 2000 ? 'large' : `small ${n}`, text, { n, animal: 'otter' })),
      )
      const filter = parseFilter({ animal: 'otter', n: { $gte: 1500 } })
      const planned = await turnsOf(ledger.planRemoval(namespace, { filter }))
      assert.equal(new Set(planned.result!.removedChunkIds).size, 1500)
      assert.equal(planned.result!.updatedSources.length, 1001)
      assert.ok(planned.turns > 1, `${planned.turns} turns`)
      const absent = await turnsOf(ledger.absentFields(collection, parseFilter({ animal: 'x', 'a.b': 1 })))
      assert.deepEqual(absent.result, ['a.b'])
      assert.ok(absent.turns > 1, `${absent.turns} turns`)
      const named = await ledger.planRemoval(namespace, { sources: ['small 2999', 'large', 'none'] })
      assert.equal(named!.removedChunkIds.length, 2001)
      await bring([], { removedChunkIds: planned.result!.removedChunkIds })
      assert.equal(await ledger.planRemoval(namespace, { filter }), undefined)
    },
  )

  promises('read() gives staged chunks from their publication until they are removed', async (parts) => {
    const { ledger, namespace, open, bring, seen } = parts
    const [one, two, three] = [newChunk('a', 'one'), newChunk('a', 'two'), newChunk('b', 'three')]
    await bring([one, two])
    const run = await open()
    await run.stage([three], 2)
    assert.deepEqual(await seen([one, two, three]), ['one', 'two'])
    const [first] = await idsOf(ledger, namespace, 'a')
    await run.publish(publication(1, { removedChunkIds: [first!] }))
    assert.deepEqual(await seen([one, two, three]), ['three', 'two'])
    assert.equal((await ledger.find(namespace))!.chunks, 2)
    assert.deepEqual(await seen([newChunk('a', 'unknown')]), [])
  })

  promises(
    'knows with which settings sources were loaded, through a rebuild too, and forgets settings that none has',
    async ({ ledger, namespace, bring }) => {
      const chat = '\u001fflow\u001f"c"\u001f'
      const one = { hash: 'h1', content: '{"a":1}' }
      const two = { hash: 'h2', content: '{"a":2}' }
      const load = (source: string, settings: string, request: string | null = null) => ({
        ...{ source, settings, request },
      })
      const original = { id: 'kept', type: 'text' as const }
      await bring(
        ['a', 'b', 'c', 'old', `${chat}d`].map((name) => newChunk(name, `text of ${name}`)),
        {
          updatedSources: ['a', 'b', 'c', 'old', `${chat}d`],
          sourceFacts: [{ source: 'b', bytes: 7, characters: 7, original }],
          loads: {
            settings: [one, two],
            sources: [load('a', 'h1'), load('b', 'h1', '{"x":1}'), load('c', 'h2'), load(`${chat}d`, 'h1')],
          },
        },
      )
      const settings = async () =>
        (await ledger.loadSettings(namespace)).toSorted((x, y) => (x.hash < y.hash ? -1 : 1))
      assert.deepEqual(await settings(), [one, two])
      const counted = (hash: string | null) => ledger.countLoaded(namespace, { settings: hash })
      const check = async () => {
        assert.deepEqual(await counted('h1'), { sources: 2, originals: 1, chunks: 2, characters: 7 })
        assert.deepEqual(await counted(null), { sources: 1, originals: 0, chunks: 1, characters: 0 })
        assert.deepEqual(await counted('h3'), { sources: 0, originals: 0, chunks: 0, characters: 0 })
        const { rows, total } = await ledger.chunks(namespace, {
          settings: ['h1', 'h3'],
          offset: 0,
          limit: 9,
        })
        assert.deepEqual([rows.map(({ source }) => source), total], [['a', 'b'], 2])
        const few = (settings: string[]) => ledger.chunks(namespace, { settings, offset: 0, limit: 9 })
        assert.deepEqual([(await few(['h1'])).total, (await few([])).rows.length], [2, 0])
        const { id } = rows[1]!
        const found = await ledger.chunk(namespace, { source: 'b', chunk: id })
        assert.deepEqual([found?.passage, found?.source], ['text of b', 'b'])
        assert.equal(await ledger.chunk(namespace, { source: 'a', chunk: id }), undefined)
      }
      await check()
      const conversation = { flowId: 'flow', chatId: 'c' }
      assert.equal((await ledger.countLoaded(namespace, { settings: 'h1', conversation })).sources, 1)
      const page = { settings: 'h1', after: undefined, limit: 1 }
      const [a] = await ledger.loadedWith(namespace, page)
      assert.deepEqual(a, { source: 'a', bytes: null, original: undefined, request: null })
      const [b] = await ledger.loadedWith(namespace, { ...page, after: 'a' })
      assert.deepEqual(b, { source: 'b', bytes: 7, original, request: '{"x":1}' })
      assert.deepEqual(await ledger.loadedWith(namespace, { ...page, after: 'b' }), [])
      assert.deepEqual(await ledger.loadedWith(namespace, { ...page, kept: true }), [b])

      const rebuild = (await ledger.rebuild({ namespace, embedder: 'f', engine: ENGINE }))!
      let staged = 0
      for await (const batch of rebuild.chunks())
        for (const chunk of batch) {
          const text = await rebuild.text(chunk)
          await rebuild.stage([{ ...chunk, text: text!, pointId: chunkIdOf(chunk) }], 2)
          staged++
        }
      await rebuild.publish(staged, undefined)
      assert.deepEqual(await settings(), [one, two])
      await check()

      const run = await ledger.open({ namespace, embedder: 'f', engine: ENGINE })
      const again = { settings: [one], sources: [load('c', 'h1'), load('b', 'h1')] }
      await run.publish(publication(0, { updatedSources: ['c', 'b'], loads: again }))
      assert.deepEqual(await settings(), [one])
      assert.deepEqual(await counted('h1'), { sources: 3, originals: 1, chunks: 3, characters: 7 })
      assert.equal((await ledger.loadedWith(namespace, { ...page, after: 'a' }))[0]!.request, null)
    },
  )

  promises(
    'keeps what was left out of a source with its load, through a rebuild and a removal too [sources:dropped]',
    async ({ ledger, namespace, bring, open }) => {
      const first: DroppedRow[] = [
        { kind: 'repeatedLine', count: 4, place: { page: 1, lastPage: 4 }, position: { start: 0, end: 9 } },
        { kind: 'hiddenSheet', count: 1, place: { sheet: 'Bu"d\\get\u0000' } },
        { kind: 'repeatedLine', count: 3, more: true },
      ]
      const counts = [
        { kind: 'repeatedLine' as const, count: 7, text: '7 repeated lines' },
        { kind: 'hiddenSheet' as const, count: 1, text: '1 hidden sheet' },
      ]
      const chunk = (source: string, text: string) => ({
        ...newChunk(source, text),
        range: { start: 0, end: text.length },
      })
      const load = (source: string, dropped?: DroppedRow[]): Partial<Publication> => ({
        updatedSources: [source],
        sourceFacts: [{ source, characters: 5, dropped }],
        files: [{ name: source, fingerprint: 'f', chunks: 1 }],
      })
      await bring([chunk('a', 'first')], load('a', first))
      await bring([chunk('b', 'other')], load('b', []))
      await bring([chunk('c', 'older')], load('c'))
      await bring([newChunk('d', 'no range')], load('d', first))
      const textOf = (source: string, version: SourceVersion = 'newest') =>
        ledger.text(namespace, { source, version, start: 0, end: 100 })
      const file = async (name: string) =>
        (await ledger.view(await ledger.find(namespace)).file(name))?.dropped
      const listed = async () =>
        (await ledger.sources(namespace, { offset: 0, limit: 9 })).rows.map(({ dropped }) => dropped)
      const check = async () => {
        assert.deepEqual((await textOf('a'))?.dropped, first)
        assert.deepEqual((await textOf('b'))?.dropped, [])
        assert.equal((await textOf('c'))?.dropped, null)
        assert.deepEqual(await textOf('d'), { text: '', total: 0, earlier: [], dropped: first })
        assert.equal(await textOf('unknown'), undefined)
        assert.deepEqual(await listed(), [counts, [], null, counts])
        assert.deepEqual(await Promise.all(['a', 'b', 'c'].map(file)), [counts, [], null])
      }
      await check()

      // A run that does not read them changes nothing, nor does one that fails.
      const idle = await open()
      await idle.publish(publication(0))
      const failed = await open()
      await failed.stage([chunk('a', 'never seen')], 2)
      await failed.abandon()
      await check()

      const rebuild = (await ledger.rebuild({ namespace, embedder: 'f', engine: ENGINE }))!
      let staged = 0
      for await (const batch of rebuild.chunks())
        for (const old of batch) {
          const text = await rebuild.text(old)
          await rebuild.stage([{ ...old, text: text!, pointId: chunkIdOf(old) }], 2)
          staged++
        }
      await rebuild.publish(staged, undefined)
      await check()

      // The next load replaces it; what is left of the version before has none that is known.
      const [old] = await idsOf(ledger, namespace, 'a')
      const second: DroppedRow[] = [{ kind: 'picture', count: 2 }]
      const next = await open('f')
      await next.stage([chunk('a', 'second')], 2)
      await next.publish(publication(1, { ...load('a', second), outdatedChunkIds: [old!] }))
      const found = await textOf('a')
      assert.deepEqual([found?.text, found?.dropped], ['second', second])
      const earlier = await textOf('a', found!.earlier[0]!.until)
      assert.deepEqual([earlier?.text, earlier?.dropped], ['first', null])

      const removal = await open('f')
      await removal.publish(
        publication(0, {
          updatedSources: ['b', 'd'],
          removedChunkIds: [
            ...(await idsOf(ledger, namespace, 'b')),
            ...(await idsOf(ledger, namespace, 'd')),
          ],
          restorableUntil: Date.now() + 1e6,
        }),
      )
      assert.deepEqual([await textOf('b'), await textOf('d')], [undefined, undefined])
      const back = await open('f')
      const count = await back.restage('d')
      await back.publish(publication(count, { updatedSources: ['d'], restoredSources: ['d'] }))
      assert.deepEqual((await textOf('d'))?.dropped, first)
    },
  )

  promises('read() keeps to the filter of the query, and to its conversation', async (parts) => {
    const { ledger, bring } = parts
    const chunks = [
      newChunk('a', 'one', { n: 1 }),
      newChunk('a', 'two', { n: 2 }),
      newChunk('\u001fflow\u001f"c"\u001fd', 'three', { n: 2, flowise_chatId: 'c' }),
    ]
    const collection = await bring(chunks)
    const texts = async (audience: Parameters<Ledger['read']>[2]) => {
      const found = await ledger.read(
        collection,
        chunks.map(({ pointId }) => pointId),
        audience,
      )
      return [...found!.documents.values()].map(({ pageContent }) => pageContent).sort()
    }
    const filter = parseFilter({ n: 2 })
    assert.deepEqual(await texts({}), ['one', 'two'])
    assert.deepEqual(await texts({ filter }), ['two'])
    assert.deepEqual(await texts({ filter, chatId: 'c' }), ['three', 'two'])
    assert.deepEqual(await texts({ chatId: 'another' }), ['one', 'two'])
    assert.deepEqual((await ledger.conditionsFor(collection, { chatId: 'c' })).filter, {
      op: 'or',
      all: [
        { path: ['flowise_chatId'], op: 'exists', exists: false },
        { path: ['flowise_chatId'], op: 'eq', value: 'c' },
      ],
    })
  })

  promises('tells the newest run of an index, and the newest that stored some points', async (parts) => {
    const { ledger, other: namespace, open } = parts
    const chunks = ['one', 'two'].map((text) => newChunk('a', text))
    const one = await open()
    const { collection } = one.index
    const newestRun = async () => (await ledger.conditionsFor(collection, {})).newestRun
    const newestOf = async (some: typeof chunks) =>
      (await ledger.read(
        collection,
        some.map(({ pointId }) => pointId),
        {},
      ))!.newestRun
    assert.equal(await newestRun(), one.run)
    await one.stage(chunks.slice(0, 1), 2)
    await one.publish(publication(1))
    const two = await open()
    await two.stage(chunks.slice(1), 2)
    assert.deepEqual([await newestRun(), await newestOf(chunks)], [two.run, one.run])
    await two.publish(publication(1))
    const three = await open()
    await three.abandon()
    assert.equal(await newestRun(), three.run)
    assert.deepEqual(
      [await newestOf(chunks), await newestOf(chunks.slice(0, 1)), await newestOf([])],
      [two.run, one.run, 0],
    )
    // A newer run of another namespace is not of this index.
    const other = await ledger.open({ namespace, embedder: 'e', engine: ENGINE })
    assert.equal(await newestRun(), three.run)
    await other.abandon()
  })

  promises('tells which runs are not published, and which points only dead chunks have', async (parts) => {
    const { ledger, namespace, open } = parts
    const one = await open()
    const { collection } = one.index
    const runs = async () => (await ledger.conditionsFor(collection, {})).withoutRuns
    const chunks = ['one', 'two', 'three'].map((text) => newChunk('a', text))
    const points = chunks.map(({ pointId }) => pointId)
    await one.stage(chunks, 2)
    assert.deepEqual(await runs(), [one.run])
    assert.deepEqual(await ledger.visiblePoints(collection, points), [])
    await one.publish(publication(3))
    assert.deepEqual(await runs(), [])
    assert.deepEqual((await ledger.visiblePoints(collection, [...points, 'none'])).sort(), points.toSorted())

    const two = await open()
    await two.stage(chunks.slice(0, 1), 2)
    await two.abandon()
    const three = await open()
    assert.deepEqual(await runs(), [three.run, two.run])
    await three.publish({ ...publication(0), removedChunkIds: await idsOf(ledger, namespace, 'a') })
    assert.deepEqual(await runs(), [two.run])
    assert.deepEqual(await ledger.visiblePoints(collection, points), [])
    // The first is of the abandoned run too.
    assert.deepEqual((await ledger.deadPoints(collection, points)).sort(), points.slice(1).sort())
    await three.sweep(async () => {})
    assert.deepEqual(await runs(), [])
  })

  promises('publishes an open run once, and never an abandoned one', async (parts) => {
    const { ledger, namespace, open } = parts
    const run = await open()
    await run.stage([newChunk('a', 'one')], 2)
    await run.abandon()
    await assert.rejects(run.publish(publication(1)), { code: 'run_not_open' })
    const next = await open()
    await next.publish(publication(0))
    await assert.rejects(next.publish(publication(0)), { code: 'run_not_open' })
    assert.equal((await ledger.find(namespace))!.chunks, 0)
  })

  promises('refuses another embedder or engine while there are visible chunks', async (parts) => {
    const { ledger, namespace, open, bring } = parts
    await bring([newChunk('a', 'one')])
    await assert.rejects(open('another'), { code: 'embedder_changed' })
    const elsewhere = { namespace, embedder: 'e', engine: 'another' }
    await assert.rejects(ledger.open(elsewhere), { code: 'engine_changed' })
    const run = await open()
    const removedChunkIds = await idsOf(ledger, namespace, 'a')
    await run.publish(publication(0, { removedChunkIds }))
    const moved = await ledger.open(elsewhere)
    assert.notEqual(moved.index.collection, run.index.collection)
    await moved.abandon()
  })

  promises('sweep() gives the points that no chunk has any more', async (parts) => {
    const { ledger, namespace, open, bring } = parts
    const [one, two, lost] = [newChunk('a', 'one'), newChunk('a', 'two'), newChunk('a', 'lost')]
    await bring([one, two])
    const abandoned = await open()
    await abandoned.stage([lost], 2)
    await abandoned.abandon()
    const removedChunkIds = await idsOf(ledger, namespace, 'a')
    const run = await open()
    // The same chunk again: its point is still needed.
    await run.stage([one], 2)
    await run.publish(publication(1, { removedChunkIds }))
    const gone: string[] = []
    await run.sweep(async (ids) => void gone.push(...ids))
    assert.deepEqual(gone.sort(), [two.pointId, lost.pointId].sort())
    assert.deepEqual((await collect(ledger.points(run.index.collection))).flat(), [one.pointId])
  })

  promises(
    'counts and sweeps what abandoned runs left, without a run, in steps [jobs:swept]',
    async (parts) => {
      const { ledger, namespace, open, bring } = parts
      const invisible = async () => (await ledger.invisible()).get(namespace)
      const isUnswept = async () => (await ledger.unswept()).namespaces.includes(namespace)
      assert.equal(await ledger.sweeper(namespace), undefined)
      const kept = newChunk('a', 'kept')
      const collection = await bring([kept])
      assert.deepEqual([await isUnswept(), await invisible()], [false, undefined])
      const left = Array.from({ length: 12 }, (_, i) => newChunk('b', `left ${i}`))
      const run = await open()
      await run.stage([...left, kept], 2)
      // An open run may be published yet.
      assert.deepEqual([await isUnswept(), await invisible()], [false, undefined])
      await run.abandon()
      assert.equal(await isUnswept(), true)
      const { bytes, ...counts } = (await invisible())!
      assert.deepEqual(counts, { unswept: 13, restorable: 0 })
      assert.ok(bytes > 13 * 100, `${bytes}`)

      const gone: string[] = []
      const sweeper = (await ledger.sweeper(namespace))!
      assert.equal(await sweeper.sweep(async (ids) => void gone.push(...ids)), true)
      assert.deepEqual(gone.sort(), left.map(({ pointId }) => pointId).sort())
      assert.deepEqual([await isUnswept(), await invisible()], [false, undefined])
      assert.deepEqual((await collect(ledger.points(collection))).flat(), [kept.pointId])
      assert.equal((await ledger.find(namespace))!.chunks, 1)
    },
  )

  promises(
    'sees what a killed process had not swept: chunks that a published run replaced [jobs:swept]',
    async (parts) => {
      const { ledger, namespace, open, bring } = parts
      await bring([newChunk('a', 'one'), newChunk('a', 'two')])
      const removedChunkIds = await idsOf(ledger, namespace, 'a')
      const run = await open()
      await run.stage([newChunk('a', 'three')], 2)
      await run.publish(publication(1, { removedChunkIds }))
      assert.ok((await ledger.unswept()).namespaces.includes(namespace))
      assert.partialDeepStrictEqual((await ledger.invisible()).get(namespace), { unswept: 2, restorable: 0 })
      await (await ledger.sweeper(namespace))!.sweep(async () => {})
      assert.ok(!(await ledger.unswept()).namespaces.includes(namespace))
      assert.equal((await ledger.invisible()).get(namespace), undefined)
    },
  )

  promises('leaves what can be restored until its time is over [jobs:swept]', async (parts) => {
    const { ledger, namespace, open, bring } = parts
    await bring([newChunk('a', 'one'), newChunk('b', 'two')])
    const remove = async (source: string, restorableUntil: number) => {
      const { embedder: _, ...plan } = (await ledger.planRemoval(namespace, { source, restorableUntil }))!
      const run = await open()
      await run.publish({ ...plan, stagedCount: 0, files: [] })
    }
    await remove('a', Date.now() + 3_600_000)
    assert.ok(!(await ledger.unswept()).namespaces.includes(namespace))
    assert.partialDeepStrictEqual((await ledger.invisible()).get(namespace), { unswept: 0, restorable: 1 })
    await remove('b', Date.now() - 1)
    assert.ok((await ledger.unswept()).namespaces.includes(namespace))
    await (await ledger.sweeper(namespace))!.sweep(async () => {})
    assert.partialDeepStrictEqual((await ledger.invisible()).get(namespace), { unswept: 0, restorable: 1 })
    assert.ok(!(await ledger.unswept()).namespaces.includes(namespace))
  })

  promises('knows whether removed namespaces have chunks [flows:removed-for-good]', async (parts) => {
    const { ledger, namespace, bring } = parts
    await bring([newChunk('a', 'one'), newChunk('a', 'two')])
    await ledger.remove(namespace)
    assert.equal((await ledger.unswept()).removed, true)
    assert.ok([...(await ledger.invisible()).values()].some(({ unswept }) => unswept >= 2))
    await ledger.sweepRemoved(ENGINE, async () => {})
    assert.equal((await ledger.unswept()).removed, false)
    assert.equal((await ledger.invisible()).get(namespace), undefined)
  })

  promises('knows the text of what is staged, with a point that has its vector', async (parts) => {
    const { open } = parts
    const run = await open()
    const chunk = { ...newChunk('a', 'one'), range: { start: 4, end: 7 } }
    await run.stage([chunk], 2)
    assert.deepEqual(await run.known('a', [chunk.hash]), [
      {
        embedded: true,
        chunks: [
          {
            id: (await run.staged('a'))[0]!,
            metadataHash: chunk.metadataHash,
            fresh: true,
            range: { start: 4, end: 7 },
          },
        ],
      },
    ])
    assert.deepEqual(
      [...(await run.texts([chunk.hash, 'unknown']))],
      [[chunk.hash, { text: 'one', pointId: chunk.pointId }]],
    )
    await run.abandon()
  })

  promises('gives a rebuilt namespace another collection, and the old one to be dropped', async (parts) => {
    const { ledger, namespace, bring, seen } = parts
    const chunk = newChunk('a', 'one')
    const old = await bring([chunk])
    const rebuild = (await ledger.rebuild({ namespace, embedder: 'another', engine: ENGINE }))!
    const [[stored]] = (await collect(rebuild.chunks())) as [
      [typeof chunk & { id: number; passageId: number }],
    ]
    const text = await rebuild.text(stored)
    assert.equal(text, 'one')
    await rebuild.stage([{ ...stored, text, pointId: chunk.pointId }], 3)
    await rebuild.publish(1, undefined)
    assert.equal(await seen([chunk]), undefined)
    const index = (await ledger.find(namespace))!
    assert.deepEqual([index.collection, index.dimensions], [rebuild.index.collection, 3])

    await ledger.sweepRemoved('another engine', async () => assert.fail('it is not the engine of the index'))
    await assert.rejects(
      ledger.sweepRemoved(ENGINE, async () => {
        throw new Error('the engine is away')
      }),
    )
    const dropped: string[] = []
    await ledger.sweepRemoved(ENGINE, async (collection) => void dropped.push(collection))
    assert.ok(dropped.includes(old))
    dropped.length = 0
    await ledger.sweepRemoved(ENGINE, async (collection) => void dropped.push(collection))
    assert.deepEqual(dropped, [])
  })

  promises('remove() takes a namespace away at once', async (parts) => {
    const { ledger, namespace, bring, seen } = parts
    const chunk = newChunk('a', 'one')
    await bring([chunk])
    const removed = async () => (await ledger.removedEngines()).get(ENGINE) ?? 0
    const before = await removed()
    await ledger.remove(namespace)
    assert.equal(await ledger.find(namespace), undefined)
    assert.equal(await seen([chunk]), undefined)
    assert.equal(await removed(), before + 1)
    await ledger.remove(namespace)
    await ledger.sweepRemoved(ENGINE, async () => {})
    assert.equal(await removed(), 0)
  })

  promises('absentFields() names what no visible chunk has', async (parts) => {
    const { ledger, bring } = parts
    const collection = await bring([
      newChunk('a', 'one', { n: 1 }),
      newChunk('a', 'two', { page: { no: 2 } }),
    ])
    const filter = parseFilter({ $or: [{ n: 1 }, { 'page.no': 2 }, { 'page.of': 3 }, { m: 4 }] })
    assert.deepEqual(await ledger.absentFields(collection, filter), ['page.of', 'm'])
  })

  promises(
    'gives texts and metadata of points, of those that readers do not see too, and the points of one text',
    async (parts) => {
      const { ledger, other, open, bring } = parts
      const [one, two, again] = [newChunk('a', 'one', { n: 1 }), newChunk('a', 'two'), newChunk('b', 'one')]
      const collection = await bring([one, two])
      const run = await open()
      await run.stage([again], 2)
      const apart = await ledger.open({ namespace: other, embedder: 'e', engine: ENGINE })
      const elsewhere = newChunk('c', 'one')
      await apart.stage([elsewhere], 2)
      const ids = [one, two, again, elsewhere].map(({ pointId }) => pointId)
      assert.deepEqual(
        await ledger.pointContents(collection, [...ids, 'unknown']),
        new Map([
          [one.pointId, { text: 'one', metadata: { n: 1 } }],
          [two.pointId, { text: 'two', metadata: {} }],
          [again.pointId, { text: 'one', metadata: {} }],
        ]),
      )
      const same = await ledger.pointsWithTextOf(collection, ids)
      assert.deepEqual(
        [one, two, again, elsewhere].map(({ pointId }) => same.get(pointId)?.toSorted()),
        [[one.pointId, again.pointId].sort(), [two.pointId], [one.pointId, again.pointId].sort(), undefined],
      )
      await run.abandon()
      await apart.abandon()
    },
  )

  promises('keeps the versions of a source apart, and counts what is left of earlier ones', async (parts) => {
    const { ledger, namespace, bring, open } = parts
    const at = (text: string) => ({ ...newChunk('a', text), range: { start: 0, end: text.length } })
    const version = (outdatedChunkIds: number[]) => ({ updatedSources: ['a'], outdatedChunkIds })
    const textOf = async (which: SourceVersion = 'newest') =>
      (await ledger.text(namespace, { source: 'a', version: which, start: 0, end: 100 }))!
    const outdated = async () => (await ledger.sources(namespace, { offset: 0, limit: 9 })).rows[0]!.outdated
    await bring([at('first')], version([]))
    const [first] = await idsOf(ledger, namespace, 'a')
    await bring([at('second version')], version([first!]))
    const [, second] = await idsOf(ledger, namespace, 'a')
    await bring([at('third')], version([first!, second!]))
    assert.deepEqual([await outdated(), (await textOf()).text, (await textOf()).total], [2, 'third', 5])
    const { earlier } = await textOf()
    assert.deepEqual(
      earlier.map(({ chunks }) => chunks),
      [1, 1],
    )
    assert.ok(earlier[0]!.until > earlier[1]!.until, 'two versions have the same time')
    const texts = await Promise.all(earlier.map(async ({ until }) => (await textOf(until)).text))
    assert.deepEqual(texts, ['second version', 'first'])
    assert.equal((await ledger.view(await ledger.find(namespace)).file('a'))?.outdated, undefined)

    // The first text comes back, and the second is removed.
    const third = (await idsOf(ledger, namespace, 'a')).at(-1)!
    const back = await open()
    await back.publish(publication(0, version([second!, third])))
    assert.deepEqual([await outdated(), (await textOf()).text], [2, 'first'])
    const removal = await open()
    await removal.publish(publication(0, { updatedSources: ['a'], removedChunkIds: [second!] }))
    assert.deepEqual([await outdated(), (await textOf()).earlier.length], [1, 1])
  })

  promises('reads the sources, texts and files of a namespace, with and without a run', async (parts) => {
    const { ledger, namespace, open, bring } = parts
    const chat = '\u001fflow\u001f"c"\u001fd'
    await bring([newChunk('b', 'two'), newChunk('a', 'one', { n: 1 }), newChunk(chat, 'talk')], {
      files: [{ name: 'a', fingerprint: 'f', chunks: 1 }],
    })
    const run = await open()
    await run.stage([newChunk('c', 'three')], 2)
    const [a] = await idsOf(ledger, namespace, 'a')
    const [b] = await idsOf(ledger, namespace, 'b')
    for (const view of [ledger.view(await ledger.find(namespace)), run]) {
      assert.deepEqual(await view.sources(), ['a', 'b'])
      assert.equal(await view.count(), 3)
      assert.deepEqual((await collect(view.visible('a'))).flat(), [a])
      assert.equal((await view.file('a'))?.fingerprint, 'f')
      assert.equal(await view.file('b'), undefined)
      const contents = await view.contents([b!, 2 ** 40, a!])
      assert.deepEqual(
        contents.map((content) => ({ ...content })),
        [
          { text: 'two', metadata: '{}' },
          { text: 'one', metadata: '{"n":1}' },
        ],
      )
    }
    const nothing = ledger.view(undefined)
    assert.deepEqual([await nothing.sources(), await nothing.count()], [[], 0])
    await run.abandon()
  })

  promises('gives the kept file of a source that readers see', async ({ ledger, namespace, bring }) => {
    const original = { id: `kept ${namespace}`, type: 'pdf' as const }
    await bring([newChunk('a', 'one'), newChunk('b', 'two')], {
      updatedSources: ['a', 'b'],
      sourceFacts: [
        { source: 'a', characters: 3, original },
        { source: 'b', characters: 3 },
      ],
    })
    const kept = async (source: string) => ({ ...(await ledger.original(namespace, { source })) })
    assert.deepEqual([await kept('a'), await kept('b'), await kept('none')], [original, {}, {}])
    await bring([], {
      removedChunkIds: await idsOf(ledger, namespace, 'a'),
      restorableUntil: Date.now() + 1e6,
    })
    assert.deepEqual(await kept('a'), {})
  })

  promises(
    'names the removed sources that can be restored, by name, until their time is over',
    async (parts) => {
      const { ledger, namespace, open, bring } = parts
      const now = Date.now()
      await bring(['b', 'a', 'c', 'stays'].map((source) => newChunk(source, `of ${source}`)))
      for (const [source, until] of [
        ['b', now + 1000],
        ['a', now + 1000],
        ['c', now + 10],
      ] as const) {
        const { embedder: _, ...plan } = (await ledger.planRemoval(namespace, {
          source,
          restorableUntil: until,
        }))!
        await (await open()).publish({ ...plan, stagedCount: 0, files: [] })
      }
      const asked = ['stays', 'b', 'none', 'c', 'a', 'b']
      assert.deepEqual(await ledger.planRestore(namespace, asked, now), {
        embedder: 'e',
        sources: ['a', 'b', 'c'],
      })
      assert.deepEqual((await ledger.planRestore(namespace, asked, now + 10))!.sources, ['a', 'b'])
      assert.equal(await ledger.planRestore(namespace, asked, now + 1000), undefined)
      assert.equal(await ledger.planRestore(namespace, asked, now, { flowId: 'f' }), undefined)
      assert.equal(await ledger.planRestore('no such namespace', asked, now), undefined)
    },
  )

  promises('knows what conversations and fences have, in which namespaces', async (parts) => {
    const { ledger, namespace, other, bring } = parts
    const conversation = { flowId: `flow of ${namespace}`, chatId: 'c' }
    const fence = `fence of ${namespace}`
    const [open, within] = [
      storedSourceName('d', conversation),
      storedSourceName('e', { ...conversation, fence }),
    ]
    // The mark of a fence in the name of a source outside of it.
    const looksLike = storedSourceName(`\u001e${fence}\u001fx`, conversation)
    await bring([
      newChunk(open, 'one'),
      newChunk(within, 'two'),
      newChunk(within, 'three'),
      newChunk(looksLike, 'four'),
    ])
    const apart = await ledger.open({ namespace: other, embedder: 'e', engine: ENGINE })
    await apart.stage([newChunk(storedSourceName('f', { fence }), 'five')], 2)
    await apart.publish(publication(1))
    assert.equal(await ledger.chunksWithin(fence), 3)
    assert.equal(await ledger.chunksWithin('another'), 0)
    assert.deepEqual(await ledger.namespacesWith(conversation), [namespace])
    assert.deepEqual(await ledger.namespacesWith({ flowId: conversation.flowId }), [namespace])
    assert.deepEqual(await ledger.namespacesWith({ ...conversation, chatId: 'another' }), [])
    await bring([], { removedChunkIds: await idsOf(ledger, namespace, within) })
    assert.equal(await ledger.chunksWithin(fence), 1)
  })

  promises('knows the texts of a rebuild, and sweeps what it left', async (parts) => {
    const { ledger, namespace, bring } = parts
    const chunk = newChunk('a', 'one')
    await bring([chunk])
    const request = { namespace, embedder: 'f', engine: ENGINE }
    const rebuild = (await ledger.rebuild(request))!
    const [stored] = (await collect(rebuild.chunks())).flat()
    await rebuild.stage([{ ...stored!, text: (await rebuild.text(stored!))!, pointId: chunk.pointId }], 2)
    assert.deepEqual(
      [...(await rebuild.texts([chunk.hash, 'unknown']))],
      [[chunk.hash, { text: 'one', pointId: chunk.pointId }]],
    )
    await rebuild.abandon()
    // The next attempt goes on with the same index, whose vectors it has.
    const next = (await ledger.rebuild(request))!
    assert.equal(next.index.collection, rebuild.index.collection)
    assert.equal(await next.text(stored!), undefined)
    await next.stage([{ ...stored!, pointId: chunk.pointId }], 2)
    await next.publish(1, undefined)
    const gone: string[] = []
    assert.equal(await next.sweep(async (ids) => void gone.push(...ids)), true)
    assert.deepEqual(gone, [])
    assert.equal((await ledger.find(namespace))!.chunks, 1)
  })

  promises('finds each letter in either case, and no letter that stands for others', async (parts) => {
    const { ledger, namespace, bring } = parts
    const texts = ["L'École de Paris", '100 % of a_b', 'a-b [c] * ?', 'ΑΘΗΝΑ']
    await bring(texts.map((text) => newChunk(`Ça ${text}.txt`, text)))
    const page = { offset: 0, limit: 9 }
    for (const [search, found] of [
      ['école', [0]],
      ['ÉCOLE DE', [0]],
      ['ecole', []],
      ['%', [1]],
      ['a_b', [1]],
      ['A-B [C] *', [2]],
      ['*', [2]],
      ['é*', []],
      ['αθηνα', [3]],
    ] as [string, number[]][]) {
      const chunks = await ledger.chunks(namespace, { ...page, search })
      assert.deepEqual(chunks.rows.map(({ pageContent }) => texts.indexOf(pageContent)).sort(), found, search)
      assert.equal(chunks.total, found.length)
      const sources = await ledger.sources(namespace, { ...page, search })
      assert.deepEqual(
        sources.rows.map(({ source }) => texts.findIndex((text) => source.includes(text))).sort(),
        found,
      )
      assert.equal(sources.total, found.length)
    }
    assert.equal((await ledger.sources(namespace, { ...page, search: 'ÇA' })).total, texts.length)
  })

  promises(
    'lists what a search finds in turns, in the order of the whole list, page by page',
    async (parts) => {
      const { ledger, namespace, bring } = parts
      const below = randomBelow(5)
      const chunks = Array.from({ length: 2600 }, (_, n) => {
        // Astral and other characters: the order is that of code points.
        const source = n < 1500 ? 'm large' : `${['a', '\uffee', '\u{1f9a6}', 'z'][n % 4]} ${n % 300}`
        const start = below(1000)
        const range = n % 7 === 0 ? undefined : { start, end: start + 5 }
        return { ...newChunk(source, `text ${n} ${n % 3 === 0 ? 'Otter' : 'seal'}`), range }
      })
      await bring(chunks)
      const all = await ledger.chunks(namespace, { offset: 0, limit: 5000 })
      assert.deepEqual([all.rows.length, all.total], [2600, 2600])
      const wanted = all.rows.filter(({ pageContent }) => pageContent.endsWith('Otter'))
      const pages: typeof wanted = []
      for (let offset = 0; offset < wanted.length; offset += 300) {
        const { rows, total } = await ledger.chunks(namespace, { offset, limit: 300, search: 'otter' })
        assert.equal(total, wanted.length)
        pages.push(...rows)
      }
      assert.deepEqual(pages, wanted)
      const ofLarge = { source: 'm large', offset: 5, limit: 10, search: 'OTTER' }
      const { result, turns } = await turnsOf(ledger.chunks(namespace, ofLarge))
      const large = wanted.filter(({ source }) => source === 'm large')
      assert.deepEqual(result, { rows: large.slice(5, 15), total: large.length, offset: 5 })
      assert.ok(turns > 1, `${turns} turns`)
      const nothing = await ledger.chunks(namespace, { offset: 0, limit: 9, search: 'walrus' })
      assert.deepEqual(nothing, { rows: [], total: 0, offset: 0 })
    },
  )

  promises(
    'names the chunks of a source, or one chunk, with the state of the index, and follows the words of a source',
    async ({ ledger, namespace, bring }) => {
      const texts = ({ chunks }: NamedChunks) => chunks.map(({ pageContent }) => pageContent).toSorted()
      const nothing = { state: '', ids: [], chunks: [] }
      assert.equal(await ledger.state(namespace), '')
      assert.deepEqual(await ledger.named(namespace, { expected: { source: 'a' } }), nothing)
      assert.equal(await ledger.trace(namespace, { source: 'a' }), undefined)
      const updatedSources = ['a', 'b']
      await bring([newChunk('a', 'one', { n: 1 }), newChunk('a', 'two'), newChunk('b', 'one')], {
        updatedSources,
      })
      const state = await ledger.state(namespace)
      const named = await ledger.named(namespace, { expected: { source: 'a' } })
      assert.deepEqual([named.state, texts(named)], [state, ['one', 'two']])
      const [chunk] = named.ids
      const one = await ledger.named(namespace, { expected: { chunk: chunk! } })
      assert.deepEqual([one.ids, one.chunks.length], [[chunk], 1])
      const unknown = await ledger.named(namespace, { expected: { chunk: 'no-such' } })
      assert.deepEqual(unknown, { ...nothing, state })
      // These chunks have no places in the text.
      const trace = await ledger.trace(namespace, { source: 'a' })
      assert.partialDeepStrictEqual(trace, { known: false, placed: false, chunks: 2, edited: 0 })
      await bring([newChunk('c', 'three')])
      assert.notEqual(await ledger.state(namespace), state)
    },
  )

  promises('counts the chunks of a version without reading them, and lists those alone', async (parts) => {
    const { ledger, namespace, bring } = parts
    const version = (outdatedChunkIds: number[]) => ({ updatedSources: ['a'], outdatedChunkIds })
    await bring([newChunk('a', 'first one'), newChunk('a', 'first two'), newChunk('b', 'other')], version([]))
    const old = await idsOf(ledger, namespace, 'a')
    await bring([newChunk('a', 'second one')], version(old))
    const { rows } = await ledger.chunks(namespace, { source: 'a', offset: 0, limit: 1 })
    const until = rows[0]!.outdatedAt!
    const page = { source: 'a', offset: 0, limit: 9 }
    const texts = async (more: object) => {
      const { rows, total } = await ledger.chunks(namespace, { ...page, ...more })
      return [...rows.map(({ pageContent }) => pageContent), total]
    }
    assert.deepEqual(await texts({}), ['first one', 'first two', 'second one', 3])
    assert.deepEqual(await texts({ version: 'newest' }), ['second one', 1])
    assert.deepEqual(await texts({ version: until }), ['first one', 'first two', 2])
    assert.deepEqual(await texts({ version: until, search: 'ONE' }), ['first one', 1])
    assert.deepEqual(await texts({ version: until + 1 }), [0])
    assert.deepEqual(await texts({ source: 'none', version: 'newest' }), [0])
  })
}
