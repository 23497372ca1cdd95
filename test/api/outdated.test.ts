import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JobAnswer } from '../../src/api/job.ts'
import type { JobFileAnswer } from '../../src/api/job-file.ts'
import type { ListedChunkPage, SourceAnswer, SourceTextAnswer } from '../../src/api/source.ts'
import type { FileAnswer } from '../../src/api/upsert.ts'
import type { Answer } from '../support/platform.ts'
import { form, makePlatform } from '../support/platform.ts'

const platform = await makePlatform()

/** A text of so many parts of one chunk each; the parts with a number in `changed` have a new text. */
const book = (parts: number, changed: Record<number, string> = {}) =>
  Array.from({ length: parts }, (_, n) => changed[n] ?? `Part ${n} of the book about otters.`).join('\n\n')
const small = {
  overridable: ['files', 'chunkSize', 'chunkOverlap'],
  splitter: { chunkSize: 40, chunkOverlap: 0 },
}
const flowWith = (name: string, cleanup?: string) =>
  platform.flow({ name, ...small, ...(cleanup === undefined ? {} : { recordManager: { cleanup } }) })
const none = await flowWith('Keeps all', 'none')
const bare = await flowWith('No record manager')
const incremental = await flowWith('Tidy', 'incremental')
const removed = await flowWith('Removed', 'none')
const cleared = await flowWith('Cleared later', 'none')

const get = async <Body>(path: string) => (await platform.manage<Body>('GET', `/api/v1/vector/${path}`)).body
const sourceOf = async (flow: string, source: string) =>
  (await get<{ data: SourceAnswer[] }>(`sources/${flow}?search=${source}`)).data[0]
const textOf = (flow: string, query: Record<string, string>) =>
  platform.manage<SourceTextAnswer & { code?: string }>(
    'GET',
    `/api/v1/vector/sources/${flow}/text?${new URLSearchParams(query)}`,
  )
const newest = async (flow: string, source = 'a.txt') => (await textOf(flow, { source })).body
const chunksOf = (flow: string, source = 'a.txt') =>
  get<ListedChunkPage>(`chunks/${flow}?source=${source}&limit=1000`)

const VERSIONS = [
  book(3),
  book(3, { 1: 'Nothing is left of the middle.' }),
  book(3, { 1: 'Yet another middle.' }),
]

for (const [what, flow, way] of [
  ['the cleanup none', none, /^1 chunk of an earlier version of a\.txt .*Set Cleanup .* to incremental/],
  ['no record manager', bare, /^1 chunk of an earlier version of a\.txt .*Add a record manager/],
] as const)
  test(`an upsert with ${what} tells how many chunks of earlier versions stay, and of which files [upsert:outdated]`, async () => {
    await platform.upload(flow, { 'a.txt': VERSIONS[0]!, 'b.txt': 'The heron waits.' })
    const first = await platform.upload(flow, { 'b.txt': 'The heron waits.' })
    assert.deepEqual([first.body.numOutdated, first.body.warnings], [0, []])
    const dry = await platform.upload(flow, { 'a.txt': VERSIONS[1]! }, { dryRun: 'true' })
    assert.equal((await sourceOf(flow, 'a.txt'))!.outdated, 0)
    const { body } = await platform.upload(flow, { 'a.txt': VERSIONS[1]!, 'b.txt': 'The heron waits.' })
    assert.deepEqual(
      [body.numAdded, body.numUpdated, body.numSkipped, body.numDeleted, body.numOutdated],
      [1, 0, 3, 0, 1],
    )
    assert.equal(dry.body.numOutdated, 1)
    assert.deepEqual(
      (body.files as FileAnswer[]).map(({ name, outdated }) => [name, outdated]),
      [
        ['a.txt', 1],
        ['b.txt', undefined],
      ],
    )
    assert.deepEqual(
      body.warnings.map(({ key }) => key),
      ['cleanup'],
    )
    assert.match(body.warnings[0]!.reason, way)

    // The stored record and the history tell the same.
    const { jobId } = body as typeof body & { jobId: string }
    const { body: job } = await platform.manage<JobAnswer>('GET', `/api/v1/jobs/${jobId}`)
    assert.equal(job.result!.numOutdated, 1)
    const { body: files } = await platform.manage<{ data: JobFileAnswer[] }>(
      'GET',
      `/api/v1/jobs/${jobId}/files`,
    )
    assert.deepEqual(
      files.data.map(({ outdated }) => outdated),
      [1, undefined],
    )
    const { body: history } = await platform.manage<{ result: string }[]>(
      'GET',
      `/api/v1/upsert-history/${flow}`,
    )
    assert.ok(history.some(({ result }) => JSON.stringify(result).includes('numOutdated')))
    const row = (await sourceOf(flow, 'a.txt'))!
    assert.deepEqual([row.chunks, row.outdated], [4, 1])

    // The same file again is not read, and still has the old chunk beside it.
    const again = await platform.upload(flow, { 'a.txt': VERSIONS[1]! })
    assert.deepEqual(
      (again.body.files as FileAnswer[]).map(({ status, outdated }) => [status, outdated]),
      [['unchanged', 1]],
    )
    assert.deepEqual([again.body.numOutdated, again.body.warnings.length], [1, 1])
  })

test('the text of a document is that of one version: the newest, or what is left of an earlier one [sources:versions]', async () => {
  const flow = none
  await platform.upload(flow, { 'a.txt': VERSIONS[2]! })
  const { text, total, earlier } = await newest(flow)
  assert.equal(text, VERSIONS[2])
  assert.equal(total, VERSIONS[2]!.length)
  assert.deepEqual(
    earlier.map(({ chunks }) => chunks),
    [1, 1],
  )
  for (const [at, lost] of [VERSIONS[1]!, VERSIONS[0]!]
    .map((version) => version.split('\n\n')[1]!)
    .entries()) {
    const { body } = await textOf(flow, { source: 'a.txt', version: earlier[at]!.version })
    assert.equal(body.text.trim(), lost)
    assert.equal(body.text.indexOf(lost), VERSIONS[0]!.split('\n\n')[0]!.length + 2)
    assert.deepEqual(body.earlier, earlier)
  }
  const gone = await textOf(flow, { source: 'a.txt', version: '2001-01-01T00:00:00.000Z' })
  assert.deepEqual([gone.status, gone.body.code], [404, 'source_version_not_found'])
  assert.equal((await textOf(flow, { source: 'a.txt', version: 'latest' })).status, 400)

  const { data } = await chunksOf(flow)
  assert.equal(data.filter(({ outdatedAt }) => outdatedAt === null).length, 3)
  for (const { pageContent, range, outdatedAt } of data)
    if (outdatedAt === null) assert.equal(text.slice(range!.start, range!.end), pageContent)

  const listed = (query: string) =>
    platform.manage<ListedChunkPage>('GET', `/api/v1/vector/chunks/${flow}?limit=2&${query}`)
  const idsOf = async (query: string) => (await listed(`source=a.txt&${query}`)).body.data.map(({ id }) => id)
  const [first, second, last] = data.filter(({ outdatedAt }) => outdatedAt === null).map(({ id }) => id)
  assert.deepEqual(await idsOf('version=newest'), [first, second])
  assert.deepEqual(await idsOf(`version=newest&around=${last}`), [last])
  for (const { version } of earlier) {
    const old = data.find(({ outdatedAt }) => outdatedAt === version)!.id
    assert.deepEqual(await idsOf(`version=${version}&around=${old}`), [old])
  }
  assert.equal((await listed('version=newest')).status, 400)

  // A version that comes back is the newest again, of the chunks that stayed too.
  await platform.upload(flow, { 'a.txt': VERSIONS[1]! })
  assert.equal((await newest(flow)).text, VERSIONS[1])
  assert.equal((await sourceOf(flow, 'a.txt'))!.outdated, 2)
})

test('a reindex keeps the versions of a document apart [sources:versions]', async () => {
  const before = [await newest(none), (await chunksOf(none)).data.map(({ outdatedAt }) => outdatedAt)]
  assert.equal((await platform.manage('POST', `/api/v1/vector/reindex/${none}`)).status, 200)
  assert.deepEqual(
    [await newest(none), (await chunksOf(none)).data.map(({ outdatedAt }) => outdatedAt)],
    before,
  )
  assert.equal((await sourceOf(none, 'a.txt'))!.outdated, 2)
})

test('with the cleanup incremental the next load removes the chunks of all earlier versions [upsert:outdated]', async () => {
  for (const version of VERSIONS.slice(0, 2)) await platform.upload(cleared, { 'a.txt': version })
  assert.equal((await sourceOf(cleared, 'a.txt'))!.outdated, 1)
  const changed = await platform.manage<{ code?: string }>('PATCH', `/api/v1/chatflows/${cleared}/settings`, {
    set: { cleanup: 'incremental' },
  })
  assert.equal(changed.status, 200, JSON.stringify(changed.body))
  const { body } = await platform.upload(cleared, { 'a.txt': VERSIONS[1]! })
  assert.deepEqual([body.numDeleted, body.numOutdated, body.warnings], [1, 0, []])
  assert.deepEqual([(await sourceOf(cleared, 'a.txt'))!.outdated, (await newest(cleared)).earlier], [0, []])
})

test('a document that is removed and restored has its versions again; of removed chunks none is counted [sources:versions]', async () => {
  for (const version of VERSIONS.slice(0, 2)) await platform.upload(removed, { 'a.txt': version })
  const before = await newest(removed)
  const source = { sources: ['a.txt'] }
  await platform.manage('DELETE', `/api/v1/vector/upsert/${removed}`, source)
  assert.equal((await newest(removed)).total, 0)
  await platform.manage('POST', `/api/v1/vector/sources/${removed}/restore`, source)
  assert.deepEqual(await newest(removed), before)
  assert.equal((await sourceOf(removed, 'a.txt'))!.outdated, 1)
  const filter = { 'loc.lines.from': { $gte: 3 } }
  await platform.manage('DELETE', `/api/v1/vector/upsert/${removed}`, { filter })
  assert.deepEqual([(await sourceOf(removed, 'a.txt'))!.outdated, (await newest(removed)).earlier], [0, []])
})

for (const [what, flow] of [
  ['incremental is one of them', incremental],
  ['none is the later one, and both are told', none],
] as const)
  test(`two versions of a document loaded at once: what stays with the cleanup ${what} [upsert:two-versions]`, async () => {
    const versions = ['first', 'second'].map((word) =>
      book(60, { 3: `The ${word} word.`, 50: `The ${word} end.` }),
    )
    const name = 'twice.txt'
    const answers: Answer<{ jobId: string }>[] = await Promise.all(
      versions.map((text) =>
        platform.call<{ jobId: string }>('POST', `/api/v1/vector/upsert/${flow}?async=true`, {
          body: form({ [name]: text }),
        }),
      ),
    )
    for (const { status, text } of answers) assert.equal(status, 202, text)
    const jobs: JobAnswer[] = []
    for (const { body } of answers) {
      await platform.call('GET', `/api/v1/jobs/${body.jobId}/events`)
      jobs.push((await platform.manage<JobAnswer>('GET', `/api/v1/jobs/${body.jobId}`)).body)
    }
    assert.deepEqual(
      jobs.map(({ state }) => state),
      ['done', 'done'],
    )
    const later = jobs[0]!.finishedAt! > jobs[1]!.finishedAt! ? 0 : 1
    const { text, earlier } = await newest(flow, name)
    assert.ok(versions.includes(text), 'the newest version is one of the two, wholly')
    if (jobs[0]!.finishedAt !== jobs[1]!.finishedAt) assert.equal(text, versions[later])
    const told = jobs.map(({ result }) => result!.numOutdated).toSorted()
    const { data } = await chunksOf(flow, name)
    if (flow === incremental) {
      assert.deepEqual([told, earlier, data.length], [[0, 0], [], 60])
      return
    }
    assert.deepEqual([told, earlier.map(({ chunks }) => chunks), data.length], [[0, 2], [2], 62])
    const left = (await textOf(flow, { source: name, version: earlier[0]!.version })).body.text
    const other = versions.find((version) => version !== text)!
    assert.deepEqual(
      left.trim().split(/\n\s+\n/),
      [3, 50].map((part) => other.split('\n\n')[part]),
    )
  })
