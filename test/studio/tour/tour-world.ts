import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import type { ChatServer } from '../../support/chat-server.ts'
import { heldFlow } from '../../support/held-flow.ts'
import { ADMIN_KEY, form, makePlatform, type TestPlatform } from '../../support/platform.ts'
import type { ProviderServer } from '../../support/provider-server.ts'
import { drawToolAgent } from '../../support/tool-agent.ts'
import type { ToolServer } from '../../support/tool-server.ts'
import { until } from '../../support/until.ts'
import { TOUR_QUESTIONS } from './tour-questions.ts'

const FOLDER = new URL('../../../examples/documents/', import.meta.url)

/** The sample documents. */
export const SAMPLES = readdirSync(FOLDER).map((name) => [name, readFileSync(new URL(name, FOLDER))] as const)

/** Flows of the tour. */
export const DRAFTED = 'house-documents'
export const COMPARED = 'house-search'
export const WRITER = 'repair-desk'
export const LOADED = 'archive'

type Servers = { chat: ChatServer; tools: ToolServer; provider: ProviderServer }

/** A server with all that the tour shows. Each call is one that a person makes. */
export async function tourWorld(servers: Servers): Promise<TestPlatform> {
  const platform = await makePlatform({
    STUDIO_DRAFTS: 'true',
    EMBEDDING_PRICES: 'sluice-static-256-v1=0.02 EUR',
  })
  for (const [name, template, set] of [
    ['Handbook', 'pdf-knowledge-base', {}],
    ['Events', 'event-agent', {}],
    ['Support', 'agent-flow', {}],
    ['House documents', 'quickstart', { originals: 'on' }],
    ['House search', 'quickstart', { mode: 'vector' }],
  ] as const) {
    const { slug } = await made(platform, 'POST', '/api/v1/chatflows', { name, template })
    if (Object.keys(set).length > 0) await change(platform, String(slug), set)
  }
  await change(platform, 'quickstart', { originals: 'on' })
  for (const flow of ['quickstart', DRAFTED, COMPARED]) {
    const loaded = await platform.upload(flow, Object.fromEntries(SAMPLES))
    assert.equal(loaded.status, 200, loaded.text)
  }
  for (const flow of ['quickstart', COMPARED])
    await made(platform, 'POST', `/api/v1/questions/${flow}`, { questions: TOUR_QUESTIONS })
  await draft(platform)
  await earlierRuns(platform)
  await writer(platform, servers)
  await archive(platform, servers.provider)
  return platform
}

async function made(platform: TestPlatform, method: string, path: string, body?: object) {
  const answer = await platform.manage<Record<string, unknown>>(method, path, body)
  assert.ok(answer.status < 300, answer.text)
  return answer.body
}

const change = (platform: TestPlatform, flow: string, set: object) =>
  made(platform, 'PATCH', `/api/v1/chatflows/${flow}/settings`, { set })

type Drawing = {
  nodes: { id: string; data: { name: string; label: string; inputs: Record<string, unknown> } }[]
}

async function drawingOf(platform: TestPlatform, flow: string): Promise<Drawing> {
  const { flowData } = await made(platform, 'GET', `/api/v1/chatflows/${flow}`)
  return JSON.parse(String(flowData)) as Drawing
}

/** A draft with smaller chunks that searches by words too. */
async function draft(platform: TestPlatform): Promise<void> {
  const flowData = await drawingOf(platform, COMPARED)
  for (const { data } of flowData.nodes) {
    if (data.name === 'sluiceTextSplitter') data.inputs.chunkSize = 500
    if (data.name === 'builtInVectorStore') data.inputs.mode = 'hybrid'
  }
  await made(platform, 'PUT', `/api/v1/chatflows/${COMPARED}/draft`, { flowData })
}

/** Runs of the questions with other settings, over some days. */
async function earlierRuns(platform: TestPlatform): Promise<void> {
  for (const set of [{ mode: 'vector' }, { mode: 'hybrid' }, { mode: 'keyword' }]) {
    await change(platform, 'quickstart', set)
    await made(platform, 'POST', '/api/v1/eval/quickstart', {})
  }
  await change(platform, 'quickstart', { mode: 'hybrid' })
  const runs = await platform.sql<{ id: string }>('SELECT id FROM question_runs ORDER BY finished_at')
  for (const [at, { id }] of runs.entries()) {
    const moment = Date.now() - (runs.length - at) * 2 * 86_400_000
    await platform.sql('UPDATE question_runs SET finished_at = ? WHERE id = ?', moment, id)
  }
}

/** An agent that has written a repair ticket. */
async function writer(platform: TestPlatform, { chat, tools }: Servers): Promise<void> {
  const drawing = drawToolAgent(chat.url, {
    requestsPostUrl: tools.url,
    requestsPostName: 'open_ticket',
    requestsPostDescription: 'Opens a repair ticket',
  })
  const labels = ['Chat Model', 'Memory', 'Open a ticket', 'Repair desk']
  for (const [at, one] of drawing.nodes.entries()) {
    one.data.label = labels[at]!
    Object.assign(one, { position: { x: at < 3 ? 0 : 420, y: at < 3 ? at * 190 : 120 } })
  }
  await made(platform, 'POST', '/api/v1/chatflows', { name: 'Repair desk', slug: WRITER, flowData: drawing })
  tools.answer = JSON.stringify({ id: 'T-2711', state: 'open', minutes: null })
  const ticket = { place: 'Kitchen', subject: 'Dishwasher stops with code E14' }
  chat.script(
    { calls: [{ name: 'open_ticket', input: { body: ticket } }] },
    {
      text: 'Ticket T-2711 is open. The last time a cocktail stick was in the rinse nozzle: please look there first.',
    },
  )
  await made(platform, 'POST', `/api/v1/prediction/${WRITER}`, {
    question: 'The dishwasher stops again',
    chatId: 'tour',
  })
}

/** An upsert that goes on as long as the provider holds its answers. */
async function archive(platform: TestPlatform, provider: ProviderServer): Promise<void> {
  const slug = await heldFlow(platform.manage, provider, 'Archive')
  assert.equal(slug, LOADED)
  const flowData = await drawingOf(platform, slug)
  const labels = { fileLoader: 'File Loader', builtInVectorStore: 'Built-in Vector Store' }
  const others = { recursiveCharacterTextSplitter: 'Text Splitter', SQLiteRecordManager: 'Record Manager' }
  for (const { data } of flowData.nodes)
    data.label = { ...labels, ...others, openAIEmbeddings: 'OpenAI Embeddings' }[data.name] ?? data.label
  await made(platform, 'PUT', `/api/v1/chatflows/${slug}`, { flowData })
  provider.hold(4)
  const handbook = SAMPLES.find(([name]) => name === 'handbook.txt')![1]
  const started = await platform.call<{ jobId: string }>('POST', `/api/v1/vector/upsert/${slug}?async=true`, {
    key: ADMIN_KEY,
    body: form({ 'handbook.txt': handbook, 'minutes.txt': handbook.toString().toLowerCase() }),
  })
  assert.ok(started.status < 300, started.text)
  await until(() => provider.most() > 0)
}
