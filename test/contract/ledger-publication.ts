import assert from 'node:assert/strict'
import type { Receipt } from '../../src/contract/job.ts'
import type { Ledger, Publication } from '../../src/contract/ledger.ts'
import { collect } from '../support/collect.ts'
import { ENGINE, idsOf, ledgerPromises, type MakeLedger, newChunk, publication } from './ledger-parts.ts'

/** What of a namespace can be read, to compare two moments: what is counted, and what is not. */
async function stateOf(ledger: Ledger, namespace: string) {
  const view = ledger.view(await ledger.find(namespace))
  const { rows, total } = await ledger.chunks(namespace, { offset: 0, limit: 99 })
  const sources = await ledger.sources(namespace, { offset: 0, limit: 99 })
  return {
    chunks: rows.map(({ source, pageContent }) => `${source}: ${pageContent}`),
    ...{ total, count: await view.count(), sources },
    files: await Promise.all(['a', 'b', 'c', 'z'].map((name) => view.file(name))),
    contents: (await ledger.contents()).get(namespace),
    invisible: (await ledger.invisible()).get(namespace),
  }
}

/** What every ledger promises of a publication. */
export function ledgerPublicationSuite(name: string, make: MakeLedger): void {
  const promises = ledgerPromises(name, make)
  const updated = { updatedSources: ['a'] }

  promises('publishes nothing of a run that is abandoned, published, or none', async (parts) => {
    const { ledger, namespace, open, bring } = parts
    await bring([newChunk('a', 'one')], { ...updated, files: [{ name: 'a', fingerprint: 'f', chunks: 1 }] })
    const removedChunkIds = await idsOf(ledger, namespace, 'a')
    const change = publication(1, {
      ...{ ...updated, removedChunkIds, files: [{ name: 'b', fingerprint: 'f', chunks: 1 }] },
      ...{ invalidatedFiles: ['a'], loads: { settings: [{ hash: 'h', content: '{}' }], sources: [] } },
    })
    const abandoned = await open()
    await abandoned.stage([newChunk('a', 'two')], 2)
    await abandoned.abandon()
    const before = await stateOf(ledger, namespace)
    await assert.rejects(abandoned.publish(change), { code: 'run_not_open' })
    assert.deepEqual(await stateOf(ledger, namespace), before)
    const run = await open()
    await run.publish(publication(0))
    const after = await stateOf(ledger, namespace)
    await assert.rejects(run.publish(change), { code: 'run_not_open' })
    assert.deepEqual(await stateOf(ledger, namespace), after)
  })

  promises(
    'publishes nothing into a namespace that was removed meanwhile, nor a rebuild of it',
    async (parts) => {
      const { ledger, namespace, open, bring } = parts
      await bring([newChunk('a', 'one')], updated)
      const rebuild = (await ledger.rebuild({ namespace, embedder: 'other', engine: ENGINE }))!
      const run = await open()
      await run.stage([newChunk('b', 'two')], 2)
      await ledger.remove(namespace)
      await assert.rejects(run.publish(publication(1)), { code: 'run_not_open' })
      await assert.rejects(rebuild.publish(0, undefined), { code: 'run_not_open' })
      assert.equal(await ledger.find(namespace), undefined)
    },
  )

  promises(
    'does not replace an index by one whose run is abandoned: readers keep the old one',
    async (parts) => {
      const { ledger, namespace, bring, seen } = parts
      const chunk = newChunk('a', 'one')
      await bring([chunk], updated)
      const rebuild = (await ledger.rebuild({ namespace, embedder: 'other', engine: ENGINE }))!
      const [stored] = (await collect(rebuild.chunks())).flat()
      await rebuild.stage([{ ...stored!, text: (await rebuild.text(stored!))!, pointId: chunk.pointId }], 2)
      await rebuild.abandon()
      const before = await stateOf(ledger, namespace)
      await assert.rejects(rebuild.publish(1, undefined), { code: 'run_not_open' })
      assert.deepEqual(await stateOf(ledger, namespace), before)
      assert.deepEqual(await seen([chunk]), ['one'])
    },
  )

  promises('does not count a chunk again that was removed before', async (parts) => {
    const { ledger, namespace, open, bring } = parts
    await bring([newChunk('a', 'one')], updated)
    const [first] = await idsOf(ledger, namespace, 'a')
    await bring([newChunk('a', 'two'), newChunk('b', 'three')], { removedChunkIds: [first!] })
    const count = async () => {
      const { count, total, sources, invisible } = await stateOf(ledger, namespace)
      const bySource = sources.rows.map(({ source, chunks }) => `${source}: ${chunks}`)
      return { count, total, bySource, unswept: invisible?.unswept }
    }
    assert.deepEqual(await count(), { count: 2, total: 2, bySource: ['a: 1', 'b: 1'], unswept: 1 })
    const [second] = await idsOf(ledger, namespace, 'a')
    const run = await open()
    await run.stage([newChunk('b', 'four')], 2)
    // Twice the same chunk, and one that was removed by another run.
    await run.publish(publication(1, { removedChunkIds: [first!, second!, second!, first!] }))
    assert.deepEqual(await count(), { count: 2, total: 2, bySource: ['b: 2'], unswept: 2 })
  })

  promises('removes what it is told, also where that is more than one statement takes', async (parts) => {
    const { ledger, namespace, bring } = parts
    const texts = Array.from({ length: 10_050 }, (_, n) => `text ${n}`)
    await bring(texts.map((text, n) => newChunk(n < 10_020 ? 'large' : 'small', text)))
    const large = await idsOf(ledger, namespace, 'large')
    const [kept, ...removedChunkIds] = [...large, ...(await idsOf(ledger, namespace, 'small')).slice(1)]
    await bring([], { removedChunkIds })
    const { count, chunks, sources } = await stateOf(ledger, namespace)
    assert.deepEqual([count, chunks], [2, ['large: text 0', 'small: text 10020']])
    assert.deepEqual(
      sources.rows.map(({ chunks }) => chunks),
      [1, 1],
    )
    assert.deepEqual(await idsOf(ledger, namespace, 'large'), [kept])
  })

  promises('keeps, forgets and dates the files and sources of its own index only', async (parts) => {
    const { ledger, namespace, other, open, bring } = parts
    const names = ['a', 'b', 'c']
    const files = names.map((name) => ({ name, fingerprint: `f ${name}`, chunks: 1 }))
    await bring([newChunk('a', 'one')], { ...updated, files })
    const apart = await ledger.open({ namespace: other, embedder: 'e', engine: ENGINE })
    await apart.stage([newChunk('a', 'one')], 2)
    await apart.publish(publication(1, { ...updated, files }))
    const known = async (of: string) => {
      const view = ledger.view(await ledger.find(of))
      const found = await Promise.all(names.map(async (name) => (await view.file(name))?.fingerprint))
      return found.filter((fingerprint) => fingerprint !== undefined)
    }
    const dates = async (of: string) =>
      (await ledger.sources(of, { offset: 0, limit: 9 })).rows.map(({ updatedAt }) => updatedAt)
    const elsewhere = [await dates(other), await known(other)]
    const [first] = await dates(namespace)
    const run = await open()
    await run.stage([newChunk('z', 'new')], 2)
    const change: Partial<Publication> = {
      ...updated,
      files: [{ name: 'c', fingerprint: 'f other', chunks: 2 }],
      invalidatedFiles: ['b'],
    }
    await run.publish(publication(1, change))
    assert.deepEqual(await known(namespace), ['f a', 'f other'])
    const [a, z] = await dates(namespace)
    assert.ok(a! >= first! && z !== undefined)
    await bring([], { invalidatedFiles: 'all' })
    assert.deepEqual(await known(namespace), [])
    assert.deepEqual(await dates(namespace), [a, z])
    assert.deepEqual([await dates(other), await known(other)], elsewhere)
  })

  promises(
    'keeps the job of a source until another one has read it, and publishes no other run',
    async (parts) => {
      const { ledger, namespace, other, bring } = parts
      const receipt = { job: 'job-1' } as unknown as Receipt
      const waiting = await ledger.open({ namespace: other, embedder: 'e', engine: ENGINE })
      await waiting.stage([newChunk('a', 'waits')], 2)
      await bring([newChunk('a', 'one'), newChunk('b', 'two')], { updatedSources: ['a'], receipt })
      await bring([], { updatedSources: ['a'] })
      const jobs = (await ledger.sources(namespace, { offset: 0, limit: 9 })).rows.map(({ job }) => job)
      assert.deepEqual(jobs, ['job-1', null])
      assert.equal((await ledger.find(other))!.chunks, 0)
      await waiting.publish(publication(1))
      assert.deepEqual((await stateOf(ledger, other)).chunks, ['a: waits'])
    },
  )

  promises('moves the ranges of chunks that stay', async (parts) => {
    const { ledger, namespace, bring } = parts
    await bring([{ ...newChunk('a', 'one'), range: { start: 0, end: 3 } }, newChunk('a', 'two')])
    const ranges = async () =>
      (await ledger.chunks(namespace, { source: 'a', offset: 0, limit: 9 })).rows.map(
        ({ pageContent, range }) => [pageContent, range],
      )
    assert.deepEqual(await ranges(), [
      ['two', undefined],
      ['one', { start: 0, end: 3 }],
    ])
    const [one, two] = await idsOf(ledger, namespace, 'a')
    const movedChunks = [
      { id: one!, range: { start: 9, end: 12 } },
      { id: two!, range: { start: 4, end: 7 } },
    ]
    await bring([], { movedChunks })
    assert.deepEqual(await ranges(), [
      ['two', { start: 4, end: 7 }],
      ['one', { start: 9, end: 12 }],
    ])
  })
}
