import assert from 'node:assert/strict'
import type { FileOutcomes } from '../../src/contract/failed-file-store.ts'
import { insertFlows, type MakeRepositories, promisesOf, type Repositories } from './repositories.ts'

const SPACE = { namespace: 'space', fence: '' }

type Failure = FileOutcomes['failed'][number]

const failure = (name: string, given: Partial<Failure> = {}): Failure => ({
  ...{ name, source: name, code: 'file_unreadable', message: `${name} cannot be read`, uploaded: true },
  original: null,
  ...given,
})

/** Runs a job of a flow to its end with these outcomes. */
async function end(
  { jobs }: Repositories,
  id: string,
  outcomes: Partial<FileOutcomes>,
  { flowId = 'flow', now = 10 } = {},
): Promise<void> {
  const payload = { namespace: 'space', request: 'sealed', description: [] }
  await jobs.insert({ ...payload, id, flowId, kind: 'upsert', now }, 0)
  await jobs.begin(id, now)
  await jobs.end({
    ...{ id, state: 'done', progress: null, result: {}, error: null, now },
    outcomes: { namespace: 'space', fence: '', failed: [], loaded: [], ...outcomes },
  })
}

/** What every store of failed files promises; run by each implementation. */
export function failedFileStoreSuite(name: string, make: MakeRepositories): void {
  const promises = promisesOf(`${name}: the FailedFileStore`, make)
  const page = { offset: 0, limit: 10 }

  promises('has files that failed until they are loaded, or forgotten', async (repositories) => {
    const { failedFiles } = repositories
    await insertFlows(repositories, 'flow')
    const names = async (search?: string) =>
      (await failedFiles.list(SPACE, { ...page, search })).rows.map((file) => file.name)
    await end(repositories, 'one', { failed: [failure('a.pdf'), failure('B_1.pdf'), failure('c\u0000.pdf')] })
    assert.equal((await names()).length, 3)
    assert.deepEqual(await names('b_'), ['B_1.pdf'])
    assert.deepEqual(await names('%'), [])
    await end(repositories, 'letters', { failed: [failure('L’École.pdf')] })
    assert.deepEqual([await names('éCOLE'), await names('ecole')], [['L’École.pdf'], []])
    assert.equal(await failedFiles.remove(SPACE, ['L’École.pdf']), 1)
    assert.deepEqual(await failedFiles.list({ namespace: 'other', fence: '' }, page), { rows: [], total: 0 })
    const [first] = await failedFiles.named(SPACE, ['a.pdf', 'none'])
    assert.deepEqual(first, {
      ...{ name: 'a.pdf', code: 'file_unreadable', message: 'a.pdf cannot be read', uploaded: true },
      ...{ flowId: 'flow', job: 'one', failedAt: 10, original: null, olderChunks: 0 },
    })

    // It fails again, another one is loaded.
    const again = failure('a.pdf', { code: null, message: 'later', uploaded: false })
    await end(repositories, 'two', { failed: [again], loaded: ['B_1.pdf', 'd.pdf'] }, { now: 20 })
    assert.partialDeepStrictEqual(await failedFiles.list(SPACE, { offset: 0, limit: 1 }), {
      rows: [{ name: 'a.pdf', code: null, message: 'later', job: 'two', failedAt: 20, uploaded: false }],
      total: 2,
    })
    assert.equal(await failedFiles.remove(SPACE, ['a.pdf', 'none']), 1)
    assert.equal((await names()).length, 1)
  })

  promises('keeps the files of fences apart, and tells of older chunks', async (repositories) => {
    const { failedFiles, sql } = repositories
    await insertFlows(repositories, 'flow')
    await end(repositories, 'one', { fence: 'f1', failed: [failure('a.pdf', { source: 'f1/a.pdf' })] })
    await end(repositories, 'two', { fence: 'f2', failed: [failure('a.pdf', { source: 'f2/a.pdf' })] })
    await end(repositories, 'three', { failed: [failure('a.pdf')] })
    const of = async (fence: string) =>
      (await failedFiles.list({ namespace: 'space', fence }, page)).rows.map(({ job }) => job).toSorted()
    assert.deepEqual([await of(''), await of('f1'), await of('f3')], [['three'], ['one'], []])
    assert.equal(await failedFiles.remove({ namespace: 'space', fence: 'f3' }, ['a.pdf']), 0)
    assert.equal((await failedFiles.named({ namespace: 'space', fence: 'f2' }, ['a.pdf']))[0]?.job, 'two')

    await sql(`INSERT INTO indexes (namespace, embedder, created_at) VALUES ('space', 'e', 1)`)
    await sql(
      `INSERT INTO sources (index_id, name, updated_at, chunks) SELECT id, 'f1/a.pdf', 1, 7 FROM indexes`,
    )
    const chunksOf = async (fence: string) =>
      (await failedFiles.list({ namespace: 'space', fence }, page)).rows[0]?.olderChunks
    assert.deepEqual([await chunksOf('f1'), await chunksOf('f2'), await chunksOf('')], [7, 0, 0])
  })

  promises('names kept files, and goes with its flow', async (repositories) => {
    const { failedFiles, flows, originals } = repositories
    await insertFlows(repositories, 'flow', 'gone')
    const kept = (id: string) => failure('a.pdf', { original: { id, bytes: 30 } })
    await end(repositories, 'one', { failed: [kept('file-1')] })
    assert.deepEqual(await originals.named(['file-1', 'file-2']), new Set(['file-1']))
    assert.equal(await originals.bytes(), 30)
    await end(repositories, 'two', { failed: [kept('file-2')] }, { flowId: 'gone' })
    assert.deepEqual(await originals.gone(), ['file-1'])
    assert.deepEqual((await failedFiles.named(SPACE, ['a.pdf']))[0]?.original, {
      ...{ id: 'file-2', bytes: 30 },
    })
    await flows.delete({ id: 'gone', namespaces: [], own: [], now: 30 })
    assert.equal((await failedFiles.list(SPACE, page)).total, 0)
    await flows.restore('gone')
    assert.equal((await failedFiles.list(SPACE, page)).total, 1)
    await flows.remove('gone')
    assert.deepEqual((await originals.gone()).toSorted(), ['file-1', 'file-2'])
  })
}
