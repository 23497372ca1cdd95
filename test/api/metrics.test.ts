import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import type { JsonObject } from '../../src/kit/json.ts'
import { node } from '../support/agent-drawing.ts'
import { startChatServer } from '../support/chat-server.ts'
import { drawFlow, reference } from '../support/flow-drawing.ts'
import { readScrape } from '../support/metrics.ts'
import { ADMIN_KEY, form, makePlatform, type TestPlatform } from '../support/platform.ts'
import { startProviderServer } from '../support/provider-server.ts'
import { untilEqual } from '../support/until.ts'

const METRICS_KEY = 'the-key-of-the-scraper'

const [platform, exposed, keyed, provider, chat] = await Promise.all([
  makePlatform({ MAX_METADATA_KB: '1' }, { embedded: true }),
  makePlatform({ HOST: '0.0.0.0' }, { servers: 1 }),
  makePlatform({ METRICS_KEY }, { servers: 1 }),
  startProviderServer(),
  startChatServer(),
])
after(() => {
  provider.close()
  chat.close()
})

const scrape = async (of: TestPlatform = platform) => {
  const { status, text } = await of.call('GET', '/metrics', { key: ADMIN_KEY })
  assert.equal(status, 200, text)
  return readScrape(text)
}

/** How much samples grow by some work; a request is counted when its connection has taken the whole answer. */
async function growth(
  wanted: readonly [name: string, labels: Record<string, string>, by: number][],
  work: () => Promise<unknown>,
) {
  const before = await scrape()
  await work()
  await untilEqual(
    async () => {
      const now = await scrape()
      return wanted.map(([name, labels]) => now.value(name, labels) - before.value(name, labels))
    },
    wanted.map(([, , by]) => by),
  )
}

/** Stores a flow that embeds with a provider of the test. */
async function providerFlow(): Promise<string> {
  const drawing = drawFlow({ splitter: { chunkSize: 40, chunkOverlap: 0 }, recordManager: {} })
  const { nodes } = drawing.flowData as unknown as { nodes: { data: JsonObject }[] }
  const embeddings = nodes.find(({ data }) => data.name === 'builtInEmbeddings')!
  const inputs = { openAIApiKey: 'none', basepath: `${provider.url}/v1` }
  Object.assign(embeddings.data, { name: 'openAIEmbeddings', inputs })
  return (await platform.manage<{ id: string }>('POST', '/api/v1/chatflows', drawing)).body.id
}

test('GET /metrics is read by a parser of the Prometheus format, each family with type and help [metrics:format]', async () => {
  const answer = await platform.call('GET', '/metrics')
  assert.equal(answer.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8')
  assert.ok(answer.text.endsWith('\n'))
  const { families, value } = readScrape(answer.text)
  assert.ok(families.length > 20)
  for (const { name, help, type } of families) {
    assert.match(name, /^(sluice|process)_[a-z_]+$/)
    assert.ok(help.length > 10, name)
    assert.ok(['COUNTER', 'GAUGE', 'HISTOGRAM'].includes(type), name)
    if (type === 'COUNTER') assert.match(name, /_total$/)
  }
  const { version } = (await platform.call<{ version: string }>('GET', '/api/v1/version')).body
  assert.equal(value('sluice_build_info', { version, node: process.version }), 1)
  assert.ok(value('process_resident_memory_bytes') > 50e6)
  assert.ok(value('process_cpu_seconds_total') > 0)
  assert.ok(Math.abs(value('process_start_time_seconds') - Date.now() / 1000) < 3600)
  assert.ok(value('sluice_database_bytes', { file: 'main' }) > 0)
  assert.ok(value('sluice_disk_free_bytes') > 0)
  assert.equal(value('sluice_read_only'), 0)
  assert.equal(value('sluice_vector_image_evictions_total'), 0)
})

test('GET /metrics shows the delay of the event loop from the second scrape on [metrics:figures]', async () => {
  await scrape()
  await untilEqual(async () => {
    const { families } = await scrape()
    const delay = families.find(({ name }) => name === 'sluice_event_loop_delay_seconds')
    return delay?.metrics.map(({ labels }) => labels!.percentile)
  }, ['50', '99', '100'])
})

test('GET /metrics counts what an upsert over HTTP added, updated, skipped and deleted [metrics:counts]', async () => {
  const flow = await providerFlow()
  const upsert = async (files: Record<string, string>) => {
    const { status, text } = await platform.upload(flow, files)
    assert.equal(status, 200, text)
  }
  const count = (outcome: string, by: number) => ['sluice_upsert_chunks_total', { outcome }, by] as const
  const route = { method: 'POST', route: '/api/v1/vector/upsert/:flowId', status: '200' }
  await growth(
    [
      [...count('added', 2)],
      [...count('skipped', 0)],
      ['sluice_job_duration_seconds', { kind: 'upsert', state: 'done' }, 1],
      ['sluice_http_request_duration_seconds', route, 1],
      ['sluice_embedding_texts_total', { provider: 'openai' }, 2],
    ],
    () => upsert({ 'a.txt': 'The ferry leaves at noon.', 'b.txt': 'The train leaves at nine.' }),
  )
  await growth([[...count('added', 1)], [...count('updated', 0)], [...count('skipped', 1)]], () =>
    upsert({ 'a.txt': 'The ferry leaves at noon.', 'b.txt': 'The train leaves at ten.' }),
  )
  await growth([[...count('skipped', 1)], ['sluice_embedding_texts_total', { provider: 'openai' }, 0]], () =>
    upsert({ 'a.txt': 'The ferry leaves at noon.' }),
  )
  provider.script({ status: 401 })
  await growth(
    [
      ['sluice_embedding_failures_total', { provider: 'openai', code: 'provider_failed' }, 1],
      ['sluice_job_duration_seconds', { kind: 'upsert', state: 'failed' }, 1],
      ['sluice_outgoing_request_duration_seconds', { outcome: '4xx' }, 1],
      [...count('added', 0)],
    ],
    () => platform.upload(flow, { 'c.txt': 'The bus leaves at six.' }),
  )
})

test('GET /metrics counts queries by mode, and those that fail [metrics:counts]', async () => {
  await platform.upload('quickstart', { 'a.txt': 'The ferry leaves at noon.' })
  await growth(
    [
      ['sluice_query_duration_seconds', { mode: 'keyword' }, 2],
      ['sluice_query_duration_seconds', { mode: 'vector' }, 1],
      ['sluice_embedding_duration_seconds', { provider: 'built-in' }, 1],
    ],
    async () => {
      await platform.query('quickstart', { query: 'ferry', mode: 'keyword' })
      await platform.query('quickstart', { query: 'ferry', mode: 'vector' })
      const refused = await platform.query('quickstart', { query: 'ferry', mode: 'keyword', minScore: 0.5 })
      assert.equal(refused.status, 400)
    },
  )
})

test('GET /metrics counts calls of models, their tokens, and calls of tools [metrics:counts]', async () => {
  const nodes = [
    node('chatOpenAICustom_0', { modelName: 'scripted', basepath: `${chat.url}/v1`, openAIApiKey: 'none' }),
    node('currentDateTime_0'),
    node('toolAgent_0', { model: reference('chatOpenAICustom_0'), tools: [reference('currentDateTime_0')] }),
  ]
  const { body } = await platform.manage<{ id: string }>('POST', '/api/v1/chatflows', {
    name: 'Clock',
    flowData: { nodes, edges: [] },
  })
  chat.script({ calls: [{ name: 'current_date_time', input: {} }] }, { text: 'It is noon.' })
  await growth(
    [
      ['sluice_model_call_duration_seconds', { provider: 'openai-compatible' }, 3],
      ['sluice_tool_call_duration_seconds', { outcome: 'done' }, 1],
      ['sluice_model_failures_total', { provider: 'openai-compatible', code: 'provider_failed' }, 1],
    ],
    async () => {
      const answer = await platform.call('POST', `/api/v1/prediction/${body.id}`, {
        body: { question: 'What time is it?' },
      })
      assert.equal(answer.status, 200, answer.text)
      chat.script({ status: 401 })
      await platform.call('POST', `/api/v1/prediction/${body.id}`, { body: { question: 'And now?' } })
    },
  )
})

test('GET /metrics shows queued and running jobs, and the age of the oldest queued one [metrics:figures]', async () => {
  const flow = await providerFlow()
  provider.script('silence')
  const jobs: string[] = []
  for (const name of ['a.txt', 'b.txt']) {
    const submitted = await platform.call<{ jobId: string }>('POST', `/api/v1/vector/upsert/${flow}`, {
      body: form({ [name]: 'Words.' }),
      headers: { prefer: 'respond-async' },
    })
    assert.equal(submitted.status, 202, submitted.text)
    jobs.push(submitted.body.jobId)
  }
  const state = async () => {
    const { value } = await scrape()
    return [
      value('sluice_jobs', { state: 'running' }),
      value('sluice_jobs', { state: 'queued' }),
      value('sluice_oldest_queued_job_seconds') > 0,
    ]
  }
  await untilEqual(state, [1, 1, true])
  await growth(
    [
      ['sluice_job_duration_seconds', { kind: 'upsert', state: 'cancelled' }, 1],
      ['sluice_jobs', { state: 'running' }, -1],
    ],
    async () => {
      for (const id of jobs.toReversed()) await platform.manage('POST', `/api/v1/jobs/${id}/cancel`)
    },
  )
  assert.deepEqual(await state(), [0, 0, false])
})

test('GET /metrics names routes by their patterns, unknown ones as one, and no flow and no text of a user [metrics:labels]', async () => {
  const { id } = (
    await platform.manage<{ id: string }>('POST', '/api/v1/chatflows', drawFlow({ name: 'Otterflow' }))
  ).body
  await platform.upload(id, { 'otterfile.txt': 'ottertext' })
  await platform.query(id, { query: 'otterquestion' })
  await growth([['sluice_http_request_duration_seconds', { route: 'none', status: '404' }, 2]], async () => {
    await platform.call('GET', '/otterpath')
    await platform.call('GET', '/api/v1/otterpath?otter=1')
  })
  const { text } = await platform.call('GET', '/metrics')
  assert.doesNotMatch(text, /otter/i)
  assert.ok(!text.includes(id))
})

test('GET /metrics counts a request whose client leaves before its answer with the status 499 [metrics:counts]', async () => {
  const flow = await providerFlow()
  await platform.upload(flow, { 'a.txt': 'Words.' })
  const { hostname, port } = new URL(platform.url)
  const calls = provider.calls.length
  provider.script('silence')
  const labels = { method: 'POST', route: '/api/v1/vector/query/:flowId', status: '499' }
  await growth([['sluice_http_request_duration_seconds', labels, 1]], async () => {
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    const body = '{"query":"words"}'
    socket.write(
      `POST /api/v1/vector/query/${flow} HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    await untilEqual(() => provider.calls.length, calls + 1)
    socket.destroy()
  })
})

test('GET /metrics is for this machine, METRICS_KEY and managers; METRICS_KEY opens nothing else [metrics:access]', async () => {
  const status = async (of: TestPlatform, key?: string, path = '/metrics') =>
    (await of.call('GET', path, key === undefined ? {} : { key })).status
  const { apiKey } = await exposed.key({ scopes: ['upsert', 'query', 'predict'] })
  assert.deepEqual(
    [
      await status(platform),
      await status(exposed),
      await status(exposed, apiKey),
      await status(exposed, ADMIN_KEY),
    ],
    [200, 401, 403, 200],
  )
  assert.deepEqual(
    [
      await status(keyed),
      await status(keyed, 'wrong'),
      await status(keyed, METRICS_KEY),
      await status(keyed, ADMIN_KEY),
    ],
    [401, 401, 200, 200],
  )
  assert.equal(await status(keyed, METRICS_KEY, '/api/v1/variables'), 401)
})
