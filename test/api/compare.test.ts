import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import type { ComparisonAnswer } from '../../src/api/compare.ts'
import type { JobAnswer } from '../../src/api/job.ts'
import { comparedDocuments, comparedFlow } from '../support/compared-flow.ts'
import { heldFlow } from '../support/held-flow.ts'
import { makePlatform, MORE_SERVERS } from '../support/platform.ts'
import { startProviderServer } from '../support/provider-server.ts'
import { until } from '../support/until.ts'

const provider = await startProviderServer()
const platform = await makePlatform({ MAX_COMPARE_TOKENS: '4000' }, { servers: MORE_SERVERS })
after(() => provider.close())

type Comparison = {
  id: string
  state: string
  outcome: ComparisonAnswer | null
  error: { message: string } | null
}
type Refusal = { code: string; message: string }

const start = <Body = { jobId: string }>(flow: string, variants: object[], more: object = {}) =>
  platform.manage<Body>('POST', `/api/v1/compare/${flow}`, { variants, ...more })

const read = async (flow: string, job: string): Promise<Comparison> =>
  (await platform.manage<Comparison>('GET', `/api/v1/compare/${flow}/${job}`)).body

async function ended(flow: string, job: string): Promise<Comparison> {
  let now = await read(flow, job)
  await until(async () => {
    now = await read(flow, job)
    return now.state !== 'queued' && now.state !== 'running'
  })
  return now
}

async function compare(flow: string, variants: object[], more: object = {}): Promise<ComparisonAnswer> {
  const { status, text, body } = await start(flow, variants, more)
  assert.equal(status, 202, text)
  const { state, error, outcome } = await ended(flow, body.jobId)
  assert.equal(state, 'done', error?.message)
  return outcome!
}

/** The folders of comparisons on the first server of the test. */
const folders = (): string[] => {
  const root = path.join(platform.dataDirectory, 'comparisons')
  return existsSync(root) ? readdirSync(root) : []
}

const chunksOf = async (flow: string): Promise<number> =>
  (await platform.manage<{ total: number }>('GET', `/api/v1/vector/chunks/${flow}?limit=1`)).body.total

test('a comparison tells each variant from the baseline, over the documents and questions of the flow, and leaves no index [compare:run]', async () => {
  const flow = await comparedFlow(platform)
  const before = await chunksOf(flow)
  const outcome = await compare(flow, [
    { name: 'live' },
    { name: 'tiny', inputs: { chunkSize: 40 } },
    { name: 'keywords', inputs: { 'builtInVectorStore_0.weight': 0 } },
    { name: 'one hit', inputs: { topK: 1 } },
  ])
  assert.partialDeepStrictEqual(outcome, {
    questions: 32,
    planned: 32,
    looks: 1,
    resumed: false,
    documents: { files: 0, texts: 32, missing: { count: 0, names: [] } },
    uncounted: [],
  })
  const [live, tiny, keywords, oneHit] = outcome.variants
  assert.deepEqual(
    outcome.variants.map(({ index, documents, failed, tokens }) => [index, documents, failed, tokens]),
    [
      [0, 32, 0, 0],
      [1, 32, 0, 0],
      [0, 32, 0, 0],
      [0, 32, 0, 0],
    ],
  )
  assert.equal(live!.verdict, null)
  assert.equal(live!.chunks, before)
  assert.ok(tiny!.chunks > live!.chunks)
  assert.equal(keywords!.chunks, live!.chunks)
  assert.deepEqual(tiny!.changes, [
    {
      nodeId: 'recursiveCharacterTextSplitter_0',
      input: 'chunkSize',
      label: 'Chunk Size',
      from: 400,
      to: 40,
    },
  ])
  for (const { verdict } of [tiny!, keywords!, oneHit!])
    assert.match(verdict!.sentence, /is better: \+|is unlikely$|^Cannot tell: 32 questions /)
  for (const { counts } of outcome.variants) assert.equal(counts.better + counts.worse + counts.same, 32)
  assert.equal(outcome.rows.length, 32)
  const sizes = outcome.rows.map(({ answers }) =>
    Math.min(...answers.map(({ ndcg10 }) => ndcg10 - answers[0]!.ndcg10)),
  )
  assert.deepEqual(
    sizes,
    sizes.toSorted((one, other) => one - other),
    'worse answers come first',
  )
  // Nothing that users see has changed, and nothing temporary is left.
  assert.equal(await chunksOf(flow), before)
  assert.deepEqual(folders(), [])
})

test('the answers of a comparison are those that users of the flow get [compare:as-met]', async () => {
  const flow = await comparedFlow(platform, { questions: 6 })
  const { rows, variants } = await compare(flow, [{ name: 'live' }, { name: 'again' }])
  for (const { text, answers } of rows) {
    const { docs } = (await platform.query(flow, { query: text })).body
    const source = `${/the (\w+) looked/.exec(text)![1]}.txt`
    const place = docs.findIndex(({ metadata }) => metadata.source === source)
    assert.equal(answers[0]!.place, place < 0 ? null : place + 1, text)
    assert.equal(answers[1]!.place, answers[0]!.place)
  }
  assert.deepEqual(variants[1]!.counts, {
    better: 0,
    worse: 0,
    same: 6,
    neither: variants[1]!.counts.neither,
  })
})

test('below thirty questions a comparison cannot tell, and says how many it needs [compare:few-questions]', async () => {
  const flow = await comparedFlow(platform, { questions: 5 })
  const { variants } = await compare(flow, [{ name: 'live' }, { name: 'none', inputs: { minScore: 0.99 } }], {
    looks: 3,
  })
  const [, none] = variants
  assert.equal(none!.ndcg10.value, 0)
  assert.partialDeepStrictEqual(none!.verdict, { kind: 'open', low: null, high: null, questions: 5 })
  assert.match(
    none!.verdict!.sentence,
    /^Cannot tell: 5 questions show only differences above \.\d\d; \.02 needs about /,
  )
})

test('a comparison tells a variant that finds nothing, with three looks before all are asked [compare:looks]', async () => {
  const flow = await comparedFlow(platform)
  const { variants, questions } = await compare(
    flow,
    [{ name: 'live' }, { name: 'none', inputs: { minScore: 0.99 } }],
    { looks: 3 },
  )
  assert.equal(variants[1]!.verdict!.kind, 'worse')
  assert.match(variants[1]!.verdict!.sentence, /^live is better: \+/)
  // Two thirds of 32 are below thirty: the last look tells.
  assert.equal(questions, 32)
})

test('questions that are judged by what is gone are told and not asked [compare:uncounted]', async () => {
  const flow = await comparedFlow(platform, { questions: 3 })
  await platform.manage('POST', `/api/v1/questions/${flow}`, {
    questions: [{ text: 'Who feeds the dodo?', judgements: [{ source: 'dodo.txt', grade: 1 }] }],
  })
  const { uncounted, questions } = await compare(flow, [{ name: 'live' }, { name: 'again' }])
  assert.equal(questions, 3)
  assert.deepEqual(
    uncounted.map(({ text, reason }) => [text, reason]),
    [['Who feeds the dodo?', 'gone']],
  )
})

test('kept files are read again, and a revision or a drawing is a variant [compare:variants]', async () => {
  const flow = await comparedFlow(platform, { drawing: { apiConfig: { originals: 'keep' } }, questions: 4 })
  const stored = (await platform.manage<{ flowData: string }>('GET', `/api/v1/chatflows/${flow}`)).body
  const other = stored.flowData.replace('"chunkSize":400', '"chunkSize":90')
  assert.notEqual(other, stored.flowData)
  await platform.manage('PUT', `/api/v1/chatflows/${flow}`, { flowData: other })
  const { variants, documents } = await compare(flow, [
    { name: 'live' },
    { name: 'before', revision: 1 },
    { name: 'drawn', flowData: stored.flowData },
  ])
  assert.deepEqual(documents, { files: 32, texts: 0, missing: { count: 0, names: [] } })
  const [live, before, drawn] = variants
  assert.ok(live!.chunks > before!.chunks)
  assert.deepEqual([before!.chunks, before!.index], [drawn!.chunks, drawn!.index])
  assert.deepEqual([before!.revision, drawn!.ownDrawing, live!.revision], [1, true, null])
})

test('a comparison that cannot be made is refused with the name of the variant [compare:refused]', async () => {
  const flow = await comparedFlow(platform, { questions: 1 })
  const refused = async (variants: object[], code: string, message: RegExp, of = flow) => {
    const { status, body } = await start<Refusal>(of, variants)
    assert.equal(body.code, code, JSON.stringify(body))
    assert.ok(status >= 400 && status < 500)
    assert.match(body.message, message)
  }
  const live = { name: 'live' }
  await refused([live], 'comparison_invalid', /2 to 8 variants, the baseline among them, and has 1/)
  await refused(
    Array.from({ length: 9 }, (_, at) => ({ name: `v${at}` })),
    'comparison_invalid',
    /and has 9/,
  )
  await refused(
    [live, live],
    'variant_invalid',
    /The variant live cannot be compared: another variant has this name/,
  )
  await refused(
    [live, { name: 'wrong', inputs: { chunkSise: 9 } }],
    'variant_invalid',
    /The variant wrong .* no node has the input chunkSise; did you mean chunkSize\?/,
  )
  await refused(
    [live, { name: 'wrong', inputs: { 'nobody_0.chunkSize': 9 } }],
    'variant_invalid',
    /no node nobody_0/,
  )
  await refused(
    [live, { name: 'wrong', inputs: { chunkSize: 'many' } }],
    'variant_invalid',
    /Chunk Size cannot be that/,
  )
  await refused([live, { name: 'old', revision: 99 }], 'variant_invalid', /the flow has no revision 99/)
  await refused([live, { name: 'broken', flowData: '{"nodes":[]}' }], 'variant_invalid', /The variant broken/)
  const unasked = await comparedFlow(platform, { documents: 1, questions: 0 })
  await refused([live, { name: 'b' }], 'comparison_invalid', /no accepted question/, unasked)
  const empty = await platform.flow({})
  await platform.manage('POST', `/api/v1/questions/${empty}`, {
    questions: [{ text: 'Anything?', judgements: [{ source: 'a.txt', grade: 1 }] }],
  })
  await refused([live, { name: 'b' }], 'comparison_invalid', /load some first/, empty)
  assert.equal((await platform.manage('GET', `/api/v1/compare/${flow}/none`)).status, 404)
})

test('a second comparison of a flow is refused while one runs, a comparison can be cancelled, and jobs tell no texts of it [compare:cancel]', async () => {
  const slug = await heldFlow(platform.manage, provider, 'Held comparison')
  const { body: flow } = await platform.manage<{ id: string }>('GET', `/api/v1/chatflows/${slug}`)
  assert.equal((await platform.upload(flow.id, comparedDocuments(3))).status, 200)
  await platform.manage('POST', `/api/v1/questions/${flow.id}`, {
    questions: [{ text: 'When is the heron looked after?', judgements: [{ source: 'heron.txt', grade: 1 }] }],
  })
  provider.hold(0)
  const first = await start(slug, [{ name: 'live' }, { name: 'b', inputs: { chunkSize: 80 } }])
  assert.equal(first.status, 202, first.text)
  const { jobId } = first.body
  await until(async () => (await read(slug, jobId)).state === 'running')
  const second = await start<Refusal>(slug, [{ name: 'live' }, { name: 'c' }])
  assert.partialDeepStrictEqual(second, { status: 409, body: { code: 'comparison_running' } })
  assert.match(second.body.message, new RegExp(jobId))
  const cancelled = await platform.manage<JobAnswer>('POST', `/api/v1/jobs/${jobId}/cancel`)
  assert.partialDeepStrictEqual(cancelled, { status: 200, body: { state: 'cancelled', kind: 'compare' } })
  provider.release()
  assert.deepEqual(folders(), [])

  const after = await compare(slug, [{ name: 'live' }, { name: 'b', inputs: { chunkSize: 80 } }])
  assert.ok(after.variants[0]!.tokens > 0)
  const { body: listed } = await platform.manage<{ data: Comparison[]; total: number }>(
    'GET',
    `/api/v1/compare/${slug}`,
  )
  assert.deepEqual(
    listed.data.map(({ state }) => state),
    ['done', 'cancelled'],
  )
  const job = await platform.manage<JobAnswer>('GET', `/api/v1/jobs/${listed.data[0]!.id}`)
  assert.ok(!job.text.includes('heron'))
  assert.ok(!('rows' in job.body.result!))
})

test('a comparison over MAX_COMPARE_TOKENS is refused with the variant that does not fit [compare:bounds]', async () => {
  const slug = await heldFlow(platform.manage, provider, 'Large comparison')
  const { body: flow } = await platform.manage<{ id: string }>('GET', `/api/v1/chatflows/${slug}`)
  assert.equal((await platform.upload(flow.id, comparedDocuments())).status, 200)
  await platform.manage('POST', `/api/v1/questions/${flow.id}`, {
    questions: [{ text: 'When is the heron looked after?', judgements: [{ source: 'heron.txt', grade: 1 }] }],
  })
  const { status, body } = await start<Refusal>(slug, [
    { name: 'live' },
    { name: 'second', inputs: { chunkSize: 80 } },
  ])
  assert.partialDeepStrictEqual([status, body.code], [422, 'comparison_over_limit'])
  assert.match(body.message, /variant second: .* tokens .* MAX_COMPARE_TOKENS allows 4,000/)
  assert.deepEqual(folders(), [])
})
