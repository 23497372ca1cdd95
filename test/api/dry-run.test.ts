import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JobAnswer } from '../../src/api/job.ts'
import type { JobFileAnswer } from '../../src/api/job-file.ts'
import type { FatedChunkAnswer, FatedSourceAnswer } from '../../src/api/fate.ts'
import { form, makePlatform } from '../support/platform.ts'
import { until } from '../support/until.ts'

const platform = await makePlatform()
type Page<Row> = { data: Row[]; total: number }
type Stored = { id: string; flowData: string; apiConfig: string }
type Drawing = { nodes: { data: { name: string; inputs: Record<string, unknown> } }[] }

const { body: stored } = await platform.manage<Stored>('GET', '/api/v1/chatflows/quickstart')

/** The drawing of the quickstart with other values, by the names of nodes. */
function drawn(values: Record<string, object>): Drawing {
  const drawing = JSON.parse(stored.flowData) as Drawing
  for (const { data } of drawing.nodes) Object.assign(data.inputs, values[data.name])
  return drawing
}

const small = drawn({
  SQLiteRecordManager: { cleanup: 'incremental' },
  sluiceTextSplitter: { chunkSize: 30, chunkOverlap: 0 },
})
const created = await platform.manage('POST', '/api/v1/chatflows', {
  name: 'Small',
  flowData: small,
  apiConfig: stored.apiConfig,
})
assert.equal(created.status, 200, created.text)

/** The job of a dry run, once it has ended. */
async function dryRun(body: FormData | object, flow = 'quickstart'): Promise<JobAnswer> {
  const {
    status,
    body: accepted,
    text,
  } = await platform.manage<{ jobId: string }>('POST', `/api/v1/vector/dry-run/${flow}`, body as FormData)
  assert.equal(status, 202, text)
  await platform.call('GET', `/api/v1/jobs/${accepted.jobId}/events`)
  return (await platform.manage<JobAnswer>('GET', `/api/v1/jobs/${accepted.jobId}`)).body
}
const pageOf = async <Row>(job: JobAnswer, of: string) =>
  (await platform.manage<Page<Row>>('GET', `/api/v1/jobs/${job.id}/${of}`)).body

test('a dry run as a job lists the fate of each chunk by source, with tokens, and stores nothing [jobs:dry-run]', async () => {
  const before = {
    'same.txt': 'Otters swim all day.',
    'changed.txt': 'The ferry leaves at noon.\n\nTickets are sold on board.',
  }
  await platform.upload('small', before)
  const after = {
    ...before,
    'changed.txt': 'The ferry leaves at one.\n\nTickets are sold on board.',
    'new.txt': 'Tea is made of leaves.',
    'damaged.pdf': 'this is no PDF',
  }
  const { body: chunks } = await platform.call<Page<unknown>>('GET', '/api/v1/vector/chunks/small')
  const job = await dryRun(form(after), 'small')
  assert.partialDeepStrictEqual(job, { kind: 'dryRun', state: 'done' })
  assert.partialDeepStrictEqual(job.result, {
    dryRun: true,
    numAdded: 2,
    numSkipped: 2,
    numDeleted: 1,
    numFailed: 1,
    estimate: { texts: 2 },
  })
  assert.ok((job.result!.estimate as { tokens: number }).tokens > 8)
  const counts = { added: 0, updated: 0, moved: 0, skipped: 0, deleted: 0, unchanged: 0 }
  const sources = (await pageOf<FatedSourceAnswer>(job, 'sources')).data
  assert.deepEqual(
    sources
      .map(({ tokens, ...row }) => [tokens > 0, row])
      .toSorted((a, b) => (JSON.stringify(a[1]) < JSON.stringify(b[1]) ? -1 : 1)),
    [
      // The text before it is shorter now, so the second chunk is at another place.
      [true, { ...counts, source: 'changed.txt', added: 1, moved: 1, deleted: 1 }],
      [true, { ...counts, source: 'new.txt', added: 1 }],
      [false, { ...counts, source: 'same.txt', unchanged: 1 }],
    ],
  )
  const changed = await pageOf<FatedChunkAnswer>(job, 'chunks?source=changed.txt')
  assert.deepEqual(
    changed.data.map(({ fate, text }) => [fate, text]),
    [
      ['added', 'The ferry leaves at one.'],
      ['moved', 'Tickets are sold on board.'],
      ['deleted', 'The ferry leaves at noon.'],
    ],
  )
  const deleted = await pageOf<FatedChunkAnswer>(job, 'chunks?fate=deleted')
  assert.deepEqual([deleted.total, deleted.data.map(({ source }) => source)], [1, ['changed.txt']])
  const second = await pageOf<FatedChunkAnswer>(job, 'chunks?source=changed.txt&page=2&limit=2')
  assert.deepEqual([second.total, second.data.map(({ fate }) => fate)], [3, ['deleted']])
  const files = await pageOf<JobFileAnswer>(job, 'files')
  assert.deepEqual(
    files.data.map(({ name, state }) => [name, state]),
    [
      ['same.txt', 'unchanged'],
      ['changed.txt', 'indexed'],
      ['new.txt', 'indexed'],
      ['damaged.pdf', 'failed'],
    ],
  )

  // Nothing is stored, and the upsert has the counts that the dry run has shown.
  assert.deepEqual((await platform.call<Page<unknown>>('GET', '/api/v1/vector/chunks/small')).body, chunks)
  await until(() => platform.uploads().length === 0)
  const { body: upsert } = await platform.upload('small', after)
  assert.partialDeepStrictEqual(upsert, { numAdded: 2, numSkipped: 2, numDeleted: 1, numFailed: 1 })
})

test('a dry run takes a drawing that is not stored, from managers only [jobs:dry-run-draft]', async () => {
  const drawing = drawn({ sluiceTextSplitter: { chunkSize: 24, chunkOverlap: 0 } })
  const text = 'One two three four.\n\nFive six seven eight.\n\nNine ten eleven.'
  const whole = await dryRun(form({ 'numbers.txt': text }))
  const draft = await dryRun(form({ 'numbers.txt': text }, { flowData: JSON.stringify(drawing) }))
  assert.deepEqual([whole.result!.numAdded, draft.result!.numAdded], [1, 3])
  const refused = await platform.call('POST', '/api/v1/vector/dry-run/quickstart', {
    body: form({ 'numbers.txt': text }, { flowData: JSON.stringify(drawing) }),
  })
  assert.equal(refused.status, 401)
  const broken = await platform.manage('POST', '/api/v1/vector/dry-run/quickstart', {
    flowData: { nodes: [], edges: [] },
  })
  assert.partialDeepStrictEqual(broken, { status: 422, body: { code: 'flow_cannot_upsert' } })
  await until(() => platform.uploads().length === 0)
})

test('a dry run with other metadata counts updates, and no tokens', async () => {
  const files = { 'meta.txt': 'Metadata changes, the text stays.' }
  await platform.upload('quickstart', files)
  const job = await dryRun(form(files, { metadata: '{"team":"blue"}' }))
  assert.partialDeepStrictEqual(job.result, { numAdded: 0, numUpdated: 1, estimate: { texts: 0, tokens: 0 } })
  const { data } = await pageOf<FatedChunkAnswer>(job, 'chunks')
  assert.partialDeepStrictEqual(data, [{ fate: 'updated', tokens: 0, metadata: { team: 'blue' } }])
})

test('the chunks of a job that is no dry run are refused with the reason', async () => {
  const { body } = await platform.upload('quickstart', { 'a.txt': 'Words.' })
  const { status, body: failure } = await platform.manage(
    'GET',
    `/api/v1/jobs/${(body as { jobId?: string }).jobId}/chunks`,
  )
  assert.equal(status, 404)
  assert.partialDeepStrictEqual(failure, { code: 'dry_run_not_kept' })
})
