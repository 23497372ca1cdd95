import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { JsonObject } from '../../src/kit/json.ts'
import { node } from '../support/agent-drawing.ts'
import { startChatServer } from '../support/chat-server.ts'
import { drawFlow, reference } from '../support/flow-drawing.ts'
import { attributesOf, type OtlpSpan, startCollector } from '../support/otlp-collector.ts'
import { makePlatform, type TestPlatform } from '../support/platform.ts'
import { startProviderServer } from '../support/provider-server.ts'
import { until, untilEqual } from '../support/until.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const CALLER = 'b7ad6b7169203331'
const SECRET = 'the-token-of-the-collector'

const [collector, provider, chat] = await Promise.all([
  startCollector(),
  startProviderServer(),
  startChatServer(),
])
const settings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
  OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${SECRET},x-tenant=a`,
  OTEL_SERVICE_NAME: 'library',
  OTEL_BSP_SCHEDULE_DELAY: '20',
  OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
}
const [platform, silent, unsampled] = await Promise.all([
  makePlatform({ ...settings, TRACEPARENT_TO: new URL(provider.url).host }),
  makePlatform(),
  makePlatform({ ...settings, OTEL_TRACES_SAMPLER: 'parentbased_always_off' }),
])
after(() => {
  collector.close()
  provider.close()
  chat.close()
})

async function providerFlow(on: TestPlatform): Promise<string> {
  const drawing = drawFlow({ splitter: { chunkSize: 40, chunkOverlap: 0 }, recordManager: {} })
  const { nodes } = drawing.flowData as unknown as { nodes: { data: JsonObject }[] }
  const embeddings = nodes.find(({ data }) => data.name === 'builtInEmbeddings')!
  const inputs = { openAIApiKey: 'none', basepath: `${provider.url}/v1` }
  Object.assign(embeddings.data, { name: 'openAIEmbeddings', inputs })
  return (await on.manage<{ id: string }>('POST', '/api/v1/chatflows', drawing)).body.id
}

/**
 * The spans of the trace that a request with this id begins or continues, once its own span has ended, and those with the names
 * `also` are there: another server may do the job, and sends its spans in its own time.
 */
async function traceOf(request: string, also: readonly string[] = []): Promise<OtlpSpan[]> {
  const root = () => collector.spans().find((span) => attributesOf(span)['sluice.request'] === request)
  await until(root, `the span of the request ${request}`)
  const trace = () => collector.spans().filter(({ traceId }) => traceId === root()!.traceId)
  for (const name of also)
    await until(() => trace().some((span) => span.name === name), `the span ${name} of ${request}`)
  return trace()
}

/** What whichever server does it sends of an upsert. */
const OF_A_JOB = ['job upsert', 'embed', 'call POST']

const withId = (id: string, more: Record<string, string> = {}) => ({ 'x-request-id': id, ...more })

/** The names of a span and of all above it. */
function line(span: OtlpSpan, spans: readonly OtlpSpan[]): string[] {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId)
  return [span.name, ...(parent ? line(parent, spans) : [])]
}

const lines = (spans: readonly OtlpSpan[], name: string) =>
  spans.filter((span) => span.name === name).map((span) => line(span, spans).join(' < '))

test('an upsert is one trace: request, job, stages, embedding and outgoing call, each within the other [traces:spans]', async () => {
  const flow = await providerFlow(platform)
  const data = new FormData()
  data.append('files', new File(['The text-of-the-document is here.'], 'the-file-of-the-test.txt'))
  const answer = await platform.call('POST', `/api/v1/vector/upsert/${flow}`, {
    body: data,
    headers: withId('upsert-1'),
  })
  assert.equal(answer.status, 200, answer.text)
  const stages = ['parse', 'embed', 'publish']
  const spans = await traceOf('upsert-1', [...OF_A_JOB, ...stages.map((stage) => `stage ${stage}`)])
  const request = 'POST /api/v1/vector/upsert/:flowId'
  assert.deepEqual(lines(spans, 'job upsert'), [`job upsert < ${request}`])
  for (const stage of stages)
    assert.deepEqual(lines(spans, `stage ${stage}`), [`stage ${stage} < job upsert < ${request}`])
  assert.deepEqual(lines(spans, 'embed'), [`embed < job upsert < ${request}`])
  assert.deepEqual(lines(spans, 'call POST'), [`call POST < embed < job upsert < ${request}`])

  const job = attributesOf(spans.find(({ name }) => name === 'job upsert')!)
  assert.equal(job['sluice.chunks.added'], 1)
  const embed = spans.find(({ name }) => name === 'embed')!
  assert.partialDeepStrictEqual(attributesOf(embed), {
    'gen_ai.operation.name': 'embeddings',
    'gen_ai.provider.name': 'openai',
    'sluice.texts': 1,
  })
  const root = spans.find(({ name }) => name === request)!
  assert.equal(root.kind, 2)
  assert.partialDeepStrictEqual(attributesOf(root), {
    'http.request.method': 'POST',
    'http.route': '/api/v1/vector/upsert/:flowId',
    'http.response.status_code': 200,
    'sluice.flow': flow,
  })
  for (const { startTimeUnixNano, endTimeUnixNano } of spans)
    assert.ok(BigInt(startTimeUnixNano) <= BigInt(endTimeUnixNano))
  const sent = JSON.stringify(collector.requests.map(({ body }) => body))
  for (const hidden of ['text-of-the-document', 'the-file-of-the-test', SECRET])
    assert.ok(!sent.includes(hidden), hidden)
})

test('a jobs trace is that of its own request, also where it waited behind another [traces:spans]', async () => {
  const flow = await providerFlow(platform)
  provider.hold(0)
  const submit = async (id: string) => {
    const data = new FormData()
    data.append('files', new File([`Words of ${id}.`], `${id}.txt`))
    const { status } = await platform.call('POST', `/api/v1/vector/upsert/${flow}`, {
      body: data,
      headers: withId(id, { prefer: 'respond-async' }),
    })
    assert.equal(status, 202)
  }
  await submit('first')
  await submit('second')
  provider.release()
  for (const id of ['first', 'second'])
    await untilEqual(
      async () => lines(await traceOf(id), 'job upsert'),
      ['job upsert < POST /api/v1/vector/upsert/:flowId'],
    )
})

test('a prediction is one trace with its model calls, tool calls and searches [traces:spans]', async () => {
  const nodes = [
    node('chatOpenAICustom_0', { modelName: 'scripted', basepath: `${chat.url}/v1`, openAIApiKey: 'none' }),
    node('fileLoader_0'),
    node('builtInEmbeddings_0'),
    node('builtInVectorStore_0', {
      document: [reference('fileLoader_0')],
      embeddings: reference('builtInEmbeddings_0'),
    }),
    node('retrieverTool_0', {
      name: 'timetable',
      description: 'x',
      retriever: reference('builtInVectorStore_0'),
    }),
    node('toolAgent_0', { model: reference('chatOpenAICustom_0'), tools: [reference('retrieverTool_0')] }),
  ]
  const apiConfig = { overrideConfig: { status: true, nodes: { '*': [{ name: 'files', enabled: true }] } } }
  const flow = { name: 'Departures', flowData: { nodes, edges: [] }, apiConfig }
  const { body } = await platform.manage<{ id: string }>('POST', '/api/v1/chatflows', flow)
  await platform.upload(body.id, { 'ferry.txt': 'The ferry leaves at noon.' })
  chat.script({ calls: [{ name: 'timetable', input: { input: 'ferry' } }] }, { text: 'At noon.' })
  const answer = await platform.call('POST', `/api/v1/prediction/${body.id}`, {
    body: { question: 'the-question-of-the-test' },
    headers: withId('ask-1'),
  })
  assert.equal(answer.status, 200, answer.text)
  const spans = await traceOf('ask-1')
  const request = 'POST /api/v1/prediction/:flowId'
  assert.deepEqual(lines(spans, 'chat'), [`chat < ${request}`, `chat < ${request}`])
  assert.deepEqual(
    lines(spans, 'call POST'),
    [1, 2].map(() => `call POST < chat < ${request}`),
  )
  assert.deepEqual(lines(spans, 'tool'), [`tool < ${request}`])
  assert.deepEqual(lines(spans, 'search'), [`search < tool < ${request}`])
  assert.ok(lines(spans, 'embed').every((one) => one === `embed < search < tool < ${request}`))
  const tool = attributesOf(spans.find(({ name }) => name === 'tool')!)
  assert.equal(tool['gen_ai.tool.name'], 'timetable')
  assert.ok(!JSON.stringify(collector.requests).includes('the-question-of-the-test'))
  // It is not listed in TRACEPARENT_TO.
  assert.ok(chat.calls.length >= 2 && chat.calls.every(({ headers }) => headers.traceparent === undefined))
})

test('the trace of a request is continued, and passed on only to the hosts in TRACEPARENT_TO [traces:context]', async () => {
  const flow = await providerFlow(platform)
  provider.calls.length = 0
  const traceparent = `00-${TRACE}-${CALLER}-01`
  await platform.upload(flow, { 'a.txt': 'Words.' })
  provider.calls.length = 0
  await platform.call('POST', `/api/v1/vector/query/${flow}`, {
    body: { query: 'words', mode: 'vector' },
    headers: withId('query-1', { traceparent }),
  })
  const spans = await traceOf('query-1')
  const root = spans.find(({ name }) => name === 'POST /api/v1/vector/query/:flowId')!
  assert.deepEqual([root.traceId, root.parentSpanId], [TRACE, CALLER])
  const call = spans.find(({ name }) => name === 'call POST')!
  assert.deepEqual(
    provider.calls.map(({ headers }) => headers.traceparent),
    [`00-${TRACE}-${call.spanId}-01`],
  )
})

test('a failure is the status of its span, by its code [traces:spans]', async () => {
  const flow = await providerFlow(platform)
  provider.script({ status: 401 })
  const data = new FormData()
  data.append('files', new File(['Words.'], 'a.txt'))
  await platform.call('POST', `/api/v1/vector/upsert/${flow}`, { body: data, headers: withId('failing') })
  const spans = await traceOf('failing', OF_A_JOB)
  const failed = Object.fromEntries(
    spans.filter(({ status }) => status.code === 2).map(({ name, status }) => [name, status.message]),
  )
  assert.partialDeepStrictEqual(failed, {
    'POST /api/v1/vector/upsert/:flowId': 'provider_failed',
    'job upsert': 'failed',
    embed: 'provider_failed',
    'call POST': '4xx',
  })
})

test('spans are sent as OTLP in JSON, with the headers and the resource of the settings [traces:settings]', async () => {
  await platform.call('GET', '/api/v1/ping', { headers: withId('ping-1') })
  await traceOf('ping-1')
  for (const { path, headers, body } of collector.requests) {
    assert.equal(path, '/v1/traces')
    assert.equal(headers['content-type'], 'application/json')
    assert.equal(headers.authorization, `Bearer ${SECRET}`)
    assert.equal(headers['x-tenant'], 'a')
    const [{ resource, scopeSpans }] = body.resourceSpans as [(typeof body.resourceSpans)[0]]
    assert.partialDeepStrictEqual(attributesOf(resource), {
      'service.name': 'library',
      'deployment.environment.name': 'test',
    })
    assert.equal(scopeSpans[0]!.scope.name, 'sluice')
    for (const span of scopeSpans[0]!.spans) {
      assert.match(span.traceId, /^[0-9a-f]{32}$/)
      assert.match(span.spanId, /^[0-9a-f]{16}$/)
    }
  }
})

test('a sampler that records nothing records what its caller records [traces:settings]', async () => {
  await unsampled.call('GET', '/api/v1/ping', { headers: withId('unrecorded') })
  const headers = withId('recorded', { traceparent: `00-${TRACE.replace('0a', '0b')}-${CALLER}-01` })
  await unsampled.call('GET', '/api/v1/version', { headers })
  await traceOf('recorded')
  assert.ok(!collector.spans().some((span) => attributesOf(span)['sluice.request'] === 'unrecorded'))
})

test('a collector that is away for a moment gets the spans later; one that refuses them is named in the log once [traces:away]', async () => {
  const warnings = () => platform.log.filter(({ event }) => event === 'traces-not-sent').length
  const before = warnings()
  collector.script(503)
  await platform.call('GET', '/api/v1/ping', { headers: withId('late') })
  await traceOf('late')
  assert.equal(warnings(), before + 1)
  collector.script(400)
  const asked = collector.requests.length
  await platform.call('GET', '/api/v1/ping', { headers: withId('lost') })
  await until(() => collector.requests.length > asked)
  await platform.call('GET', '/api/v1/ping', { headers: withId('after') })
  await traceOf('after')
  assert.ok(!collector.spans().some((span) => attributesOf(span)['sluice.request'] === 'lost'))
  assert.ok(!JSON.stringify(platform.log).includes(SECRET))
})

test('a server without a collector sends no traceparent [traces:settings]', async () => {
  const flow = await providerFlow(silent)
  provider.calls.length = 0
  await silent.upload(flow, { 'a.txt': 'Words.' })
  assert.deepEqual(
    provider.calls.map(({ headers }) => headers.traceparent),
    [undefined],
  )
})

for (const [name, wrong] of [
  ['OTEL_EXPORTER_OTLP_ENDPOINT', { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317' }],
  ['OTEL_EXPORTER_OTLP_HEADERS', { ...settings, OTEL_EXPORTER_OTLP_HEADERS: SECRET }],
  ['OTEL_EXPORTER_OTLP_PROTOCOL', { ...settings, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }],
  ['TRACEPARENT_TO', { ...settings, TRACEPARENT_TO: 'not a host' }],
  ['OTEL_TRACES_SAMPLER_ARG', { ...settings, OTEL_TRACES_SAMPLER_ARG: '2' }],
] as const)
  test(`a wrong ${name} ends the start with a message that names it and shows no secret [traces:settings]`, async () => {
    await assert.rejects(makePlatform(wrong), (error: Error) => {
      assert.match(error.message, new RegExp(`^The setting ${name} is not valid: `))
      return !error.message.includes(SECRET)
    })
  })
