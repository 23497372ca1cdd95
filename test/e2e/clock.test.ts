import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { steps, start as startNode, step } from '../support/agent-drawing.ts'
import { startChatServer } from '../support/chat-server.ts'
import { startProviderServer } from '../support/provider-server.ts'
import { room, start } from '../support/program.ts'

const HOUR_MS = 3_600_000
const ADMIN_KEY = 'the-admin-key-of-the-test'
const MOVED_CLOCK = fileURLToPath(new URL('../support/moved-clock.ts', import.meta.url))

/** A server with a wall clock that the test sets. */
async function serverWithClock(t: TestContext) {
  const directory = room(t)
  const clock = path.join(directory, 'clock')
  const setClock = (milliseconds: number) => writeFileSync(clock, String(milliseconds))
  setClock(0)
  const environment = { ADMIN_KEY, CLOCK_FILE: clock, NODE_OPTIONS: `--import ${MOVED_CLOCK}` }
  const { url } = await start(t, ['start'], { directory, environment })
  const call = async (method: string, route: string, body?: object) => {
    const response = await fetch(`${url}/api/v1/${route}`, {
      method,
      headers: {
        authorization: `Bearer ${ADMIN_KEY}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const answer = (await response.json()) as Record<string, unknown>
    return { status: response.status, headers: response.headers, answer }
  }
  return { url, setClock, call }
}

test('a rate limit holds for its time where the wall clock is set back or forward by days [server:clock]', async (t) => {
  const { setClock, call } = await serverWithClock(t)
  const { answer } = await call('GET', 'chatflows/quickstart')
  const rateLimit = { status: true, limitMax: 2, limitDuration: 3600, limitMsg: 'Slowly, please' }
  const apiConfig = { ...(JSON.parse(answer.apiConfig as string) as object), rateLimit }
  assert.equal((await call('PUT', 'chatflows/quickstart', { apiConfig })).status, 200)
  const query = () => call('POST', 'vector/query/quickstart', { query: 'otters' })
  for (let i = 0; i < 2; i++) assert.equal((await query()).status, 200)
  for (const days of [-2, 2]) {
    setClock(days * 24 * HOUR_MS)
    const { status, headers } = await query()
    assert.equal(status, 429, `${days} days`)
    const wait = Number(headers.get('retry-after'))
    assert.ok(wait > 0 && wait <= 3600, `${days} days: retry-after ${wait} s`)
  }
})

for (const [way, moved] of [
  ['back', -HOUR_MS],
  ['forward', HOUR_MS],
] as const) {
  test(`an upsert job measures its time while the wall clock is set ${way} [server:clock]`, async (t) => {
    const { url, setClock, call } = await serverWithClock(t)
    const provider = await startProviderServer()
    t.after(() => provider.close())
    provider.observe = (kind) => {
      if (kind === 'request') setClock(moved)
    }
    const { answer } = await call('GET', 'chatflows/quickstart')
    const text = (answer.flowData as string).replaceAll('builtInEmbeddings', 'ollamaEmbedding')
    const drawing = JSON.parse(text) as { nodes: { data: Record<string, unknown> }[] }
    const embedder = drawing.nodes.find(({ data }) => data.name === 'ollamaEmbedding')!
    embedder.data.inputs = { baseUrl: provider.url, modelName: 'nomic-embed-text' }
    const flow = { name: 'Timed', flowData: JSON.stringify(drawing), apiConfig: answer.apiConfig }
    const made = await call('POST', 'chatflows', flow)
    assert.equal(made.status, 200)

    const body = new FormData()
    body.append('files', new File(['Otters hold hands.'], 'otters.txt'))
    const upserted = await fetch(`${url}/api/v1/vector/upsert/timed`, {
      method: 'POST',
      body,
      headers: { prefer: 'respond-async' },
    })
    assert.equal(upserted.status, 202)
    const { jobId } = (await upserted.json()) as { jobId: string }
    const events = await fetch(`${url}/api/v1/jobs/${jobId}/events`, {
      headers: { authorization: `Bearer ${ADMIN_KEY}` },
    })
    // The stream ends with the job.
    await events.text()
    const { state, result } = (await call('GET', `jobs/${jobId}`)).answer as {
      state: string
      result: { timeTaken: number }
    }
    assert.equal(state, 'done')
    assert.ok(provider.calls.length > 0)
    assert.ok(result.timeTaken >= 0 && result.timeTaken < HOUR_MS, `timeTaken ${result.timeTaken}`)
  })

  test(`a step of an agent flow measures its time while the wall clock is set ${way} [server:clock]`, async (t) => {
    const { setClock, call } = await serverWithClock(t)
    const model = await startChatServer()
    t.after(() => model.close())
    model.script({ text: 'Otters do.' })
    model.observe = (kind) => {
      if (kind === 'request') setClock(moved)
    }
    const llm = step('llmAgentflow_0', {
      llmModel: 'chatOllama',
      llmModelConfig: { baseUrl: model.url, modelName: 'llama3' },
    })
    const flowData = { nodes: [startNode(), llm], edges: steps('startAgentflow_0 > llmAgentflow_0') }
    const made = await call('POST', 'chatflows', {
      name: 'Timed',
      type: 'AGENTFLOW',
      flowData: JSON.stringify(flowData),
    })
    assert.equal(made.status, 200, JSON.stringify(made.answer))
    const { status, answer } = await call('POST', 'prediction/timed', { question: 'Who holds hands?' })
    assert.equal(status, 200, JSON.stringify(answer))
    assert.deepEqual(model.violations, [])
    const executed = answer.agentFlowExecutedData as {
      nodeId: string
      data: { output: { timeMetadata: { delta: number } } }
    }[]
    const { delta } = executed.find(({ nodeId }) => nodeId === 'llmAgentflow_0')!.data.output.timeMetadata
    assert.ok(delta >= 0 && delta < HOUR_MS, `delta ${delta}`)
  })
}
