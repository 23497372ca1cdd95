import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChunkRemovalAnswer, SourceRestoreAnswer } from '../../src/api/source-removal.ts'
import type { SourceAnswer } from '../../src/api/source.ts'
import { makePlatform } from '../support/platform.ts'

const platform = await makePlatform()
const brief = await makePlatform({ KEEP_REMOVED_DAYS: '0' })

const FILES = {
  'otter.txt': 'The otter swims in the river.',
  'heron.txt': 'The heron stands in the river. It waits for fish.',
  'tea.txt': 'Tea is made of leaves.',
}
const flowOf = async (server: typeof platform, name: string) => {
  const flow = await server.flow({ name, overridable: ['files'], recordManager: { cleanup: 'incremental' } })
  await server.upload(flow, FILES)
  return flow
}
const flow = await flowOf(platform, 'Restored')
const sorted = await flowOf(platform, 'Sorted')
const atOnce = await flowOf(brief, 'At once')

type Sources = { data: SourceAnswer[]; total: number }
const list = async (id: string, query = '', server = platform) =>
  (await server.manage<Sources>('GET', `/api/v1/vector/sources/${id}${query}`)).body
const names = async (id: string, query = '', server = platform) =>
  (await list(id, query, server)).data.map(({ source }) => source)
const remove = async (id: string, body: object, server = platform) =>
  (await server.manage<ChunkRemovalAnswer>('DELETE', `/api/v1/vector/upsert/${id}`, body)).body
const restore = (id: string, ...sources: string[]) =>
  platform.manage<SourceRestoreAnswer>('POST', `/api/v1/vector/sources/${id}/restore`, { sources })
const found = async (id: string) => {
  const hits = []
  for (const mode of ['vector', 'keyword'])
    hits.push(...(await platform.query(id, { query: 'Where does the otter swim?', mode, topK: 9 })).body.docs)
  return [...new Set(hits.map(({ metadata }) => metadata.source))].sort()
}
const rows = async (id: string) => (await list(id)).data.map(({ updatedAt: _, ...row }) => row)

test('sources are found by a part of their names, and sorted by chunks, size and time [sources:list]', async () => {
  assert.deepEqual(await names(sorted, '?search=TE'), ['otter.txt', 'tea.txt'])
  assert.equal((await list(sorted, '?search=r.t&limit=1')).total, 1)
  assert.deepEqual(await names(sorted, '?search=%25'), [])
  assert.deepEqual(await names(sorted, '?sort=size&order=DESC'), ['heron.txt', 'otter.txt', 'tea.txt'])
  assert.deepEqual(await names(sorted, '?sort=size&order=DESC&limit=1&page=3'), ['tea.txt'])
  assert.deepEqual(await names(sorted, '?sort=chunks'), ['heron.txt', 'otter.txt', 'tea.txt'])
  await platform.upload(sorted, { 'otter.txt': 'The otter sleeps.' })
  assert.deepEqual(await names(sorted, '?sort=updated&order=DESC&limit=1'), ['otter.txt'])
})

test('sources name the size of the file, the length of the text, and the job that read it last [sources:list]', async () => {
  const { data } = await list(sorted)
  const otter = data.find(({ source }) => source === 'otter.txt')!
  assert.deepEqual([otter.bytes, otter.characters, otter.chunks], [17, 17, 1])
  const { body: job } = await platform.manage<{ id: string; kind: string }>(
    'GET',
    `/api/v1/jobs/${otter.job}`,
  )
  assert.deepEqual([job.id, job.kind], [otter.job, 'upsert'])
})

test('DELETE hides documents, and restoring brings each back as it was [sources:restore]', async () => {
  const [before, everything] = [await rows(flow), await found(flow)]
  assert.ok(everything.includes('otter.txt'))
  const { numDeleted, restorableUntil } = await remove(flow, { sources: ['otter.txt', 'tea.txt'] })
  assert.equal(numDeleted, 2)
  assert.ok(Date.parse(restorableUntil!) > Date.now() + 29 * 86_400_000)
  assert.deepEqual(await names(flow), ['heron.txt'])
  assert.deepEqual(await found(flow), ['heron.txt'])
  const removed = await list(flow, '?removed=true&search=otter')
  assert.deepEqual([removed.total, removed.data[0]!.source, removed.data[0]!.chunks], [1, 'otter.txt', 1])
  assert.equal(removed.data[0]!.restorableUntil, restorableUntil)

  // A run in between sweeps what is dead.
  await platform.upload(flow, { 'heron.txt': 'The heron flies over the river.' })
  const { status, body } = await restore(flow, 'otter.txt', 'tea.txt', 'unknown.txt')
  assert.deepEqual([status, body.sources.toSorted(), body.numRestored], [200, ['otter.txt', 'tea.txt'], 2])
  const after = await rows(flow)
  assert.deepEqual(after.slice(1), before.slice(1))
  assert.deepEqual(await found(flow), everything)
  assert.equal((await list(flow, '?removed=true')).total, 0)
  assert.deepEqual((await restore(flow, 'otter.txt')).body, { sources: [], numRestored: 0 })
})

test('a document that was loaded again after its removal is not restored over the new one [sources:restore]', async () => {
  await remove(flow, { source: 'otter.txt' })
  await platform.upload(flow, { 'otter.txt': 'The otter sleeps in its holt.' })
  assert.deepEqual((await restore(flow, 'otter.txt')).body, { sources: [], numRestored: 0 })
  const chunks = await platform.manage<{ total: number }>(
    'GET',
    `/api/v1/vector/chunks/${flow}?source=otter.txt`,
  )
  assert.equal(chunks.body.total, 1)
})

test('what is removed by a filter, as permanent, or with KEEP_REMOVED_DAYS=0 cannot be restored [sources:restore:not]', async () => {
  const filter = { source: 'heron.txt' }
  assert.equal((await remove(flow, { filter })).restorableUntil, null)
  assert.equal((await remove(flow, { source: 'tea.txt', permanent: true })).restorableUntil, null)
  for (const name of ['heron.txt', 'tea.txt']) assert.deepEqual((await restore(flow, name)).body.sources, [])
  assert.equal((await remove(atOnce, { source: 'tea.txt' }, brief)).restorableUntil, null)
  assert.deepEqual(await names(atOnce, '?removed=true', brief), [])
})
