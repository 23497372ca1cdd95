import assert from 'node:assert/strict'
import type { Ledger } from '../../src/contract/ledger.ts'
import type { PointGroup } from '../../src/contract/ledger-points.ts'
import { collect } from '../support/collect.ts'
import { ENGINE, idsOf, ledgerPromises, type MakeLedger, newChunk, publication } from './ledger-parts.ts'

/** The texts of an index that have a vector, of runs that are open, published or abandoned. */
const storedOf = async (ledger: Ledger, namespace: string, texts: readonly string[]): Promise<string[]> => {
  const known = await ledger.view(await ledger.find(namespace)).known(
    'no source',
    texts.map((text) => newChunk('', text).hash),
  )
  return texts.filter((_, at) => known[at]!.embedded)
}

/** What every ledger promises of a sweep. */
export function ledgerSweepSuite(name: string, make: MakeLedger): void {
  const promises = ledgerPromises(name, make)
  const sweep = async (ledger: Ledger, namespace: string, goOn?: () => boolean) => {
    const gone: string[] = []
    const whole = await (await ledger.sweeper(namespace))!.sweep(async (ids) => void gone.push(...ids), goOn)
    return { whole, gone: gone.sort() }
  }

  promises('sweeps removed chunks, with the texts and sources that are left without any', async (parts) => {
    const { ledger, namespace, bring } = parts
    const [a, b, c] = ['a', 'b', 'c'].map((text) => newChunk('s', text))
    await bring([a!, b!, c!])
    const removedChunkIds = (await idsOf(ledger, namespace, 's')).slice(0, 2)
    const again = newChunk('other', 'b')
    await bring([again], { removedChunkIds })
    const collection = (await ledger.find(namespace))!.collection
    assert.deepEqual(await storedOf(ledger, namespace, ['a', 'b', 'c']), ['a', 'b', 'c'])
    assert.deepEqual(await sweep(ledger, namespace), { whole: true, gone: [a!.pointId, b!.pointId].sort() })
    assert.deepEqual(await storedOf(ledger, namespace, ['a', 'b', 'c']), ['b', 'c'])
    assert.deepEqual(
      (await collect(ledger.points(collection))).flat().toSorted(),
      [again.pointId, c!.pointId].sort(),
    )
    const last = await idsOf(ledger, namespace, 's')
    await bring([], { removedChunkIds: last })
    await sweep(ledger, namespace)
    const { rows } = await ledger.sources(namespace, { offset: 0, limit: 9 })
    assert.deepEqual(
      rows.map(({ source, chunks }) => [source, chunks]),
      [['other', 1]],
    )
    // The source begins anew.
    await bring([newChunk('s', 'd')])
    assert.equal((await ledger.sources(namespace, { offset: 0, limit: 9 })).total, 2)
  })

  promises('tells the points of removed chunks that can be restored from all others', async (parts) => {
    const { ledger, namespace, bring, open } = parts
    const [gone, copy, kept, staged] = [
      newChunk('s', 'gone'),
      newChunk('s', 'copy'),
      newChunk('t', 'kept'),
      newChunk('t', 'staged'),
    ]
    const collection = await bring([gone, copy, kept])
    const ids = await idsOf(ledger, namespace, 's')
    assert.deepEqual(
      (await ledger.pointsOf(collection, ids)).toSorted(),
      [gone.pointId, copy.pointId].toSorted(),
    )
    const plan = (await ledger.planRemoval(namespace, { source: 's', restorableUntil: Date.now() + 1e6 }))!
    const { embedder: _, ...removal } = plan
    await bring([], removal)
    const run = await open()
    // One point of both: it was removed, and is staged again.
    await run.stage([staged, copy], 2)
    const group = async (which: PointGroup) =>
      [...new Set((await collect(ledger.points(collection, which))).flat())].toSorted()
    assert.deepEqual(await group('restorable'), [gone.pointId, copy.pointId].toSorted())
    const others = [copy.pointId, kept.pointId, staged.pointId].toSorted()
    assert.deepEqual(await group('others'), others)
    // All of them, each once: a comparison counts them.
    const every = (await collect(ledger.points(collection))).flat().toSorted()
    assert.deepEqual(every, [...others, gone.pointId].toSorted())
    const all = [gone, copy, kept, staged].map(({ pointId }) => pointId)
    const known = async (which?: PointGroup) =>
      [...(await ledger.knownPoints(collection, [...all, 'unknown'], which))].toSorted()
    assert.deepEqual(await known(), all.toSorted())
    assert.deepEqual(await known('restorable'), [gone.pointId, copy.pointId].toSorted())
    assert.deepEqual(await known('others'), others)
    assert.deepEqual(await ledger.restorablePoints(collection, all), [gone.pointId])
    assert.deepEqual(await ledger.pointsOf(collection, []), [])
    await run.abandon()
    await sweep(ledger, namespace)
    assert.deepEqual(
      (await ledger.restorablePoints(collection, all)).toSorted(),
      [gone.pointId, copy.pointId].toSorted(),
    )
  })

  promises(
    'knows of a second collection what was noted, and that one may be where a source can be restored',
    async (parts) => {
      const { ledger, namespace, bring } = parts
      const collection = await bring([newChunk('s', 'one')])
      assert.equal(await ledger.hasRemovedPoints(collection), false)
      await ledger.noteRemovedPoints(collection, true)
      assert.equal(await ledger.hasRemovedPoints(collection), true)
      await ledger.noteRemovedPoints(collection, false)
      assert.equal(await ledger.hasRemovedPoints(collection), false)
      const plan = (await ledger.planRemoval(namespace, { source: 's', restorableUntil: Date.now() + 1e6 }))!
      const { embedder: _, ...removal } = plan
      await bring([], removal)
      assert.equal(await ledger.hasRemovedPoints(collection), true)
    },
  )

  promises(
    'sweeps removed chunks and those of abandoned runs together, in steps that it can leave off',
    async (parts) => {
      const { ledger, namespace, open, bring } = parts
      const chunks = Array.from({ length: 6000 }, (_, n) => newChunk('s', `text ${n}`))
      await bring(chunks)
      await bring([], { removedChunkIds: (await idsOf(ledger, namespace, 's')).slice(1) })
      const lost = await open()
      await lost.stage([newChunk('s', 'lost')], 2)
      await lost.abandon()
      const unswept = async () => (await ledger.invisible()).get(namespace)?.unswept ?? 0
      assert.equal(await unswept(), 6000)
      const step = await sweep(ledger, namespace, () => false)
      const left = await unswept()
      assert.ok(!step.whole && left > 0 && left < 6000, `${left} are left`)
      assert.equal(step.gone.length, 6000 - left)
      assert.deepEqual((await sweep(ledger, namespace)).whole, true)
      assert.equal(await unswept(), 0)
      assert.deepEqual(await storedOf(ledger, namespace, ['text 0', 'text 1', 'lost']), ['text 0'])
      assert.ok(!(await ledger.unswept()).namespaces.includes(namespace))
    },
  )

  promises('sweeps nothing of another namespace, and nothing that an open run has staged', async (parts) => {
    const { ledger, namespace, other, open, bring } = parts
    await bring([newChunk('s', 'a')])
    const elsewhere = { namespace: other, embedder: 'e', engine: ENGINE }
    const apart = await ledger.open(elsewhere)
    await apart.stage([newChunk('s', 'x'), newChunk('s', 'y')], 2)
    await apart.publish(publication(2))
    const removal = await ledger.open(elsewhere)
    const [x] = await idsOf(ledger, other, 's')
    await removal.publish(publication(0, { removedChunkIds: [x!] }))
    const abandoned = await ledger.open(elsewhere)
    await abandoned.stage([newChunk('s', 'z')], 2)
    await abandoned.abandon()
    const run = await open()
    await run.stage([newChunk('s', 'b')], 2)
    await sweep(ledger, namespace)
    assert.deepEqual(await storedOf(ledger, other, ['x', 'y', 'z']), ['x', 'y', 'z'])
    assert.equal((await ledger.invisible()).get(other)!.unswept, 2)
    assert.equal((await run.staged('s')).length, 1)
    await run.publish(publication(1))
    assert.equal((await ledger.find(namespace))!.chunks, 2)
  })
}
