import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DraftStateAnswer, PublishedFlowAnswer, SavedDraftAnswer } from '../../src/api/flow-draft.ts'
import type { FlowAnswer } from '../../src/api/flow.ts'
import type { JobAnswer } from '../../src/api/job.ts'
import type { LoadComparisonAnswer } from '../../src/api/refresh.ts'
import type { FatedChunkAnswer, FatedSourceAnswer } from '../../src/api/fate.ts'
import type { UpsertAnswer } from '../../src/api/upsert.ts'
import { heldFlow, longText } from '../support/held-flow.ts'
import { ADMIN_KEY, form, makePlatform, MORE_SERVERS } from '../support/platform.ts'
import { startProviderServer } from '../support/provider-server.ts'
import { until } from '../support/until.ts'

// In the run over PostgreSQL three servers answer in turn, so that each test also shows that one sees what the others stored.
const platform = await makePlatform(
  { EMBEDDING_PRICES: 'sluice-static-256-v1=2 EUR, other=1' },
  { servers: MORE_SERVERS },
)

type Failure = { code: string; message: string }
type Drawing = { nodes: { data: { name: string; inputs: Record<string, unknown> } }[] }

const url = (flow: string) => `/api/v1/chatflows/${flow}`
const flowOf = async (flow: string) => (await platform.manage<FlowAnswer>('GET', url(flow))).body
const draftOf = async (flow: string) =>
  (await platform.manage<DraftStateAnswer>('GET', `${url(flow)}/draft`)).body
const revisionsOf = async (flow: string) =>
  (await platform.manage<{ data: { number: number; savedBy: string }[] }>('GET', `${url(flow)}/revisions`))
    .body.data

/** The drawing of a flow with other values in its splitter. */
async function cutInto(flow: string, chunkSize: number): Promise<Drawing> {
  const drawing = JSON.parse((await flowOf(flow)).flowData) as Drawing
  const splitter = drawing.nodes.find(({ data }) => data.name === 'recursiveCharacterTextSplitter')!
  splitter.data.inputs.chunkSize = chunkSize
  return drawing
}

const save = (flow: string, body: object, tag?: string) =>
  platform.call<SavedDraftAnswer & Failure>('PUT', `${url(flow)}/draft`, {
    key: ADMIN_KEY,
    body,
    headers: tag === undefined ? {} : { 'if-match': tag },
  })
const publish = (flow: string, tag?: string) =>
  platform.call<PublishedFlowAnswer & Failure & { hint?: string }>('POST', `${url(flow)}/draft/publish`, {
    key: ADMIN_KEY,
    headers: tag === undefined ? {} : { 'if-match': tag },
  })
const make = (name: string, splitter = { chunkSize: 1000, chunkOverlap: 0 }) =>
  platform.flow({ name, splitter, recordManager: { cleanup: 'incremental' } })

test('a draft is stored beside the live flow, which goes on as it is until the draft is published [drafts:store]', async () => {
  const flow = await make('Quiet')
  const none = await platform.manage<DraftStateAnswer>('GET', `${url(flow)}/draft`)
  assert.deepEqual([none.headers.get('etag'), none.body.draft, none.body.byDefault], ['"0"', null, false])
  const text = Array.from({ length: 20 }, (_, n) => `Otter ${n} swims in the river.`).join('\n')
  await platform.upload(flow, { 'a.txt': text })
  const before = await flowOf(flow)

  const saved = await save(flow, { flowData: await cutInto(flow, 100) })
  assert.equal(saved.status, 200, saved.text)
  assert.equal(saved.headers.get('etag'), '"1"')
  assert.partialDeepStrictEqual(saved.body, {
    revision: 1,
    draft: { number: 1, base: 1, savedBy: 'ADMIN_KEY', stale: false },
    summary: 'Chunk Size 1000 → 100',
    changes: [{ nodeId: 'recursiveCharacterTextSplitter_0', input: 'chunkSize', from: 1000, to: 100 }],
    warning: null,
  })
  assert.deepEqual(await flowOf(flow), before)
  const loaded = await platform.upload(flow, { 'b.txt': text })
  assert.equal(loaded.body.numAdded, 1)

  const published = await publish(flow, '"1"')
  assert.equal(published.status, 200, published.text)
  assert.partialDeepStrictEqual(published.body, { revision: 2, running: [], note: null, warning: null })
  assert.equal(published.headers.get('etag'), '"2"')
  assert.equal((await draftOf(flow)).draft, null)
  assert.partialDeepStrictEqual((await revisionsOf(flow))[0]!, { number: 2, savedBy: 'ADMIN_KEY' })
  assert.ok((await platform.upload(flow, { 'c.txt': text })).body.numAdded > 1)
  assert.partialDeepStrictEqual((await publish(flow)).body, { code: 'draft_not_found' })
})

test('two saves of one draft: the second is told, and nothing of the first is lost [drafts:conflict]', async () => {
  const flow = await make('Two people')
  const [first, second] = [await cutInto(flow, 100), await cutInto(flow, 200)]
  const saves = await Promise.all([
    save(flow, { flowData: first }, '"0"'),
    save(flow, { flowData: second }, '"0"'),
  ])
  assert.deepEqual(saves.map(({ status }) => status).toSorted(), [200, 412])
  const refused = saves.find(({ status }) => status === 412)!
  assert.equal(refused.body.code, 'draft_changed')
  assert.match(refused.body.message, /^The draft of two-people was saved.* its number is 1, .* based on 0$/)
  const kept = (await draftOf(flow)).draft!
  assert.equal((await save(flow, { flowData: second }, '"1"')).body.draft!.number, 2)
  assert.notEqual((await draftOf(flow)).draft!.number, kept.number)
  assert.equal((await publish(flow, '"1"')).body.code, 'draft_changed')
  const remove = (tag: string) =>
    platform.call<{ affected: number }>('DELETE', `${url(flow)}/draft`, {
      key: ADMIN_KEY,
      headers: { 'if-match': tag },
    })
  assert.equal((await remove('"1"')).status, 412)
  assert.deepEqual((await remove('"2"')).body, { raw: [], affected: 1 })
  // A number is not given again, so a tab that was left open cannot save over the next draft.
  assert.equal((await save(flow, { flowData: first })).body.draft!.number, 3)
})

test('a draft whose live drawing was saved meanwhile is stale, is not published, and is merged by its base [drafts:stale]', async () => {
  const flow = await make('Moved on')
  await save(flow, { flowData: await cutInto(flow, 100) })
  // The name is no part of the drawing.
  await platform.manage('PUT', url(flow), { name: 'Moved on, renamed' })
  assert.equal((await draftOf(flow)).draft!.stale, false)
  const live = await cutInto(flow, 700)
  await platform.manage('PUT', url(flow), { flowData: live })
  assert.equal((await draftOf(flow)).draft!.stale, true)
  const refused = await publish(flow)
  assert.deepEqual([refused.status, refused.body.code], [409, 'draft_stale'])
  assert.match(refused.body.message, /made of revision 1, .* its revision is 3/)
  assert.match(refused.body.hint!, /save the draft with the base of the live revision/)
  const told = await save(flow, { flowData: await cutInto(flow, 101) })
  assert.deepEqual([told.status, told.body.draft!.base, told.body.draft!.stale], [200, 1, true])
  assert.match(told.body.warning!, /made of revision 1/)
  const merged = await save(flow, { flowData: await cutInto(flow, 101), base: 3 })
  assert.deepEqual([merged.body.draft!.stale, merged.body.warning], [false, null])
  assert.equal((await publish(flow)).body.revision, 4)
  assert.equal((await save(flow, { flowData: live, base: 99 })).body.code, 'revision_not_found')
})

test('a draft that cannot run is kept and not published: the refusal names node and input [drafts:unfit]', async () => {
  const flow = await make('Unfit')
  const drawing = await cutInto(flow, 100)
  drawing.nodes.find(({ data }) => data.name === 'recursiveCharacterTextSplitter')!.data.inputs.chunkOverlap =
    500
  const saved = await save(flow, { flowData: drawing })
  assert.equal(saved.status, 200)
  assert.match(saved.body.warning!, /^The draft of unfit cannot be published: .*would fail: /)
  assert.ok(saved.body.problems.length > 0)
  const refused = await publish(flow)
  assert.deepEqual([refused.status, refused.body.code], [422, 'draft_unfit'])
  assert.equal((await flowOf(flow)).revision, 1)
  assert.notEqual((await draftOf(flow)).draft, null)
  for (const flowData of ['{', { edges: [] }])
    assert.equal((await save(flow, { flowData })).body.code, 'flow_invalid')
})

test('a publication during an upsert leaves it its drawing, and says so [drafts:publish-running]', async () => {
  const provider = await startProviderServer()
  const flow = await heldFlow(platform.manage, provider, 'Loading')
  provider.hold(0)
  const { body: accepted } = await platform.call<{ jobId: string }>(
    'POST',
    `/api/v1/vector/upsert/${flow}?async=true`,
    { body: form({ 'a.txt': longText('otter', 40) }) },
  )
  await until(() => provider.calls.length > 0, 'the call of the upsert')
  await save(flow, { flowData: await cutInto(flow, 2000) })
  const { body } = await publish(flow)
  assert.deepEqual(body.running, [{ id: accepted.jobId, kind: 'upsert' }])
  assert.match(body.note!, new RegExp(`^The upsert job ${accepted.jobId} began before`))
  provider.release()
  const job = async () => (await platform.manage<JobAnswer>('GET', `/api/v1/jobs/${accepted.jobId}`)).body
  await until(async () => (await job()).state === 'done', 'the upsert')
  // Forty lines of 60 characters: the drawing of before cuts each, the new one would make two chunks.
  assert.ok(((await job()).result!.numAdded as number) >= 40)
  provider.close()
})

test('a publish is refused while a question that passes would fail, where the flow says block [drafts:questions]', async () => {
  const flow = await make('Guarded')
  await platform.upload(flow, {
    'ferry.txt': 'The ferry leaves at noon.',
    'tea.txt': 'Tea is made of leaves.',
  })
  const questions = [{ text: 'ferry', judgements: [{ source: 'ferry.txt', grade: 1 }] }]
  await platform.manage('POST', `/api/v1/questions/${flow}`, { questions })
  const drawing = JSON.parse((await flowOf(flow)).flowData) as Drawing
  const store = drawing.nodes.find(({ data }) => data.name === 'builtInVectorStore')!
  store.data.inputs.filter = { source: 'tea.txt' }
  await save(flow, { flowData: drawing })
  await platform.manage('PATCH', `${url(flow)}/settings`, { set: { questions: 'block' } })
  const refused = await publish(flow)
  assert.deepEqual([refused.status, refused.body.code], [409, 'questions_worse'], refused.text)
  assert.match(refused.body.message, /^Nothing was published: 1 questions? of the flow guarded/)
  assert.doesNotMatch((await flowOf(flow)).flowData, /tea\.txt/)
  assert.ok((await draftOf(flow)).draft)
  await platform.manage('PATCH', `${url(flow)}/settings`, { set: { questions: 'watch' } })
  assert.equal((await publish(flow)).status, 200)
})

test('a draft stays with a deleted flow, is exported where asked, and a copy has the live drawing [drafts:flow]', async () => {
  const flow = await make('Travels')
  await save(flow, { flowData: await cutInto(flow, 123) })
  const exported = async (query: string) =>
    JSON.stringify((await platform.manage<object>('GET', `${url(flow)}/export${query}`)).body)
  assert.doesNotMatch(await exported(''), /"chunkSize":123/)
  assert.match(await exported('?draft=true'), /"chunkSize":123/)
  const { body: copy } = await platform.manage<FlowAnswer>('POST', '/api/v1/chatflows', {
    name: 'Copy',
    copyOf: flow,
  })
  assert.doesNotMatch(copy.flowData, /"chunkSize":123/)
  assert.equal((await draftOf(copy.id)).draft, null)
  assert.equal((await platform.manage('GET', `${url(copy.id)}/export?draft=true`)).status, 404)
  await platform.manage('DELETE', url(flow))
  assert.equal((await platform.manage('GET', `${url(flow)}/draft`)).status, 404)
  await platform.manage('POST', `${url(flow)}/restore`, {})
  assert.equal((await draftOf(flow)).summary, 'Chunk Size 1000 → 123')
  // What another server was asked is in the log a moment later.
  await until(async () => {
    const { body } = await platform.manage<{ entries: { method: string; route: string; object: string }[] }>(
      'GET',
      '/api/v1/audit?limit=50',
    )
    return body.entries.some(
      ({ method, route, object }) => method === 'PUT' && /\/draft$/.test(route) && object === flow,
    )
  }, 'the change of the draft in the audit log')
})

test('what would change: a dry run of the draft over the kept files, with moved chunks, changes, tokens and a price [drafts:dry-run]', async () => {
  const flow = await make('Preview', { chunkSize: 60, chunkOverlap: 0 })
  await platform.manage('PATCH', `${url(flow)}/settings`, { set: { originals: 'on' } })
  const lines = Array.from({ length: 12 }, (_, n) => `Line ${n} says that the otters of the bay swim.`)
  const files = { 'lines.txt': lines.join('\n\n'), 'short.txt': 'One otter.' }
  await platform.upload(flow, files)

  const run = async (body: object | FormData) => {
    const sent = await platform.manage<{ jobId: string }>('POST', `/api/v1/vector/dry-run/${flow}`, body)
    assert.equal(sent.status, 202, sent.text)
    await platform.call('GET', `/api/v1/jobs/${sent.body.jobId}/events`)
    return (await platform.manage<JobAnswer>('GET', `/api/v1/jobs/${sent.body.jobId}`)).body
  }
  // A line before all others: the rest has the same text at another place.
  const moved = await run(form({ 'lines.txt': ['A new first line.', ...lines].join('\n\n') }))
  const { fates } = moved.result as UpsertAnswer
  assert.deepEqual(
    [fates!.moved, fates!.updated, fates!.added, fates!.deleted],
    [12, 0, 1, 0],
    JSON.stringify(moved.result),
  )
  const { data } = (
    await platform.manage<{ data: FatedChunkAnswer[] }>(
      'GET',
      `/api/v1/jobs/${moved.id}/chunks?fate=moved&limit=1`,
    )
  ).body
  assert.equal(data[0]!.text, lines[0])
  assert.equal((moved.result as UpsertAnswer).changes, undefined)

  // A flow that keeps files recognises them as its upsert does.
  const same = await run(form(files))
  assert.partialDeepStrictEqual((same.result as UpsertAnswer).fates, { unchanged: 13, skipped: 0, added: 0 })

  // Nothing is loaded again where nothing differs.
  const nothing = await run({ refresh: true })
  assert.deepEqual((nothing.result as UpsertAnswer).files, [])
  assert.equal((await platform.manage('POST', `/api/v1/vector/dry-run/${flow}`, { draft: true })).status, 404)

  await save(flow, { flowData: await cutInto(flow, 130) })
  const { body: compared } = await platform.manage<LoadComparisonAnswer>(
    'GET',
    `/api/v1/vector/refresh/${flow}?draft=true`,
  )
  assert.partialDeepStrictEqual(compared, {
    next: 'refresh',
    differing: 2,
    differences: [{ differing: 2, summary: 'Chunk Size 60 → 130' }],
  })
  assert.equal(
    (await platform.manage<LoadComparisonAnswer>('GET', `/api/v1/vector/refresh/${flow}`)).body.next,
    null,
  )
  const { result, id } = await run({ draft: true, refresh: true })
  const answer = result as UpsertAnswer
  assert.deepEqual(
    answer.changes!.map(({ label, from, to }) => [label, from, to]),
    [['Chunk Size', 60, 130]],
  )
  assert.equal(answer.files!.length, 2)
  assert.ok(answer.fates!.deleted > 0 && answer.fates!.added > 0, JSON.stringify(answer.fates))
  const { tokens, price } = answer.estimate!
  assert.deepEqual(price, { amount: (tokens * 2) / 1_000_000, currency: 'EUR' })
  const sources = (
    await platform.manage<{ data: FatedSourceAnswer[] }>(
      'GET',
      `/api/v1/jobs/${id}/sources?largestFirst=true`,
    )
  ).body.data
  assert.partialDeepStrictEqual(sources, [
    { source: 'lines.txt', deleted: 12 },
    { source: 'short.txt', skipped: 1 },
  ])
  // And that is what comes of it.
  assert.equal((await publish(flow)).status, 200)
  const loaded = await platform.manage<UpsertAnswer>('POST', `/api/v1/vector/refresh/${flow}`, {})
  assert.partialDeepStrictEqual(loaded.body, {
    numAdded: answer.fates!.added,
    numDeleted: answer.fates!.deleted,
    numSkipped: answer.fates!.skipped,
  })
})

test('only managers reach drafts; a key of the flow that loads learns nothing of them [drafts:access]', async () => {
  const flow = await make('Guarded')
  await save(flow, { flowData: await cutInto(flow, 100) })
  const { apiKey } = await platform.key({ scopes: ['upsert', 'query'], flows: [flow] })
  for (const [method, path, body] of [
    ['GET', `${url(flow)}/draft`, undefined],
    ['PUT', `${url(flow)}/draft`, { flowData: '{"nodes":[]}' }],
    ['POST', `${url(flow)}/draft/publish`, {}],
    ['GET', `/api/v1/vector/refresh/${flow}?draft=true`, undefined],
    ['POST', `/api/v1/vector/dry-run/${flow}`, { draft: true, refresh: true }],
  ] as const)
    assert.equal(
      (await platform.call(method, path, { key: apiKey, ...(body ? { body } : {}) })).status,
      403,
      path,
    )
})
