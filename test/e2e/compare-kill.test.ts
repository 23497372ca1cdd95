import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import type { ComparisonAnswer } from '../../src/api/compare.ts'
import { comparedDocuments, comparedQuestions } from '../support/compared-flow.ts'
import { drawFlow } from '../support/flow-drawing.ts'
import { LOOPBACK } from '../support/loopback.ts'
import { form } from '../support/platform.ts'
import { room, start } from '../support/program.ts'
import { startProviderServer } from '../support/provider-server.ts'
import { until } from '../support/until.ts'

const KEY = 'the-management-key-of-the-tests'
const environment = { ADMIN_KEY: KEY, EGRESS_ALLOW: LOOPBACK.join(',') }

type Comparison = {
  state: string
  attempt: number
  outcome: ComparisonAnswer | null
  error: { message: string } | null
}

async function call<Body>(
  url: string,
  method: string,
  place: string,
  body?: object | FormData,
): Promise<Body> {
  const isForm = body instanceof FormData
  const response = await fetch(url + place, {
    method,
    headers: {
      authorization: `Bearer ${KEY}`,
      ...(body && !isForm ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
  })
  const text = await response.text()
  assert.ok(response.ok, `${method} ${place}: ${text}`)
  return JSON.parse(text) as Body
}

const foldersIn = (directory: string): string[] => {
  const root = path.join(directory, 'sluice-data/comparisons')
  return existsSync(root) ? readdirSync(root) : []
}

/** A server that was killed while its comparison loaded the second of two indexes, with another server after it. */
async function afterKill(t: TestContext) {
  const provider = await startProviderServer()
  t.after(() => provider.close())
  const directory = room(t)
  const argv = ['start']
  const first = await start(t, argv, { directory, environment })
  const drawing = drawFlow({ name: 'Held', splitter: { chunkSize: 60, chunkOverlap: 0 } })
  const { nodes } = drawing.flowData as unknown as { nodes: { data: { name: string } }[] }
  const inputs = { openAIApiKey: 'none', basepath: `${provider.url}/v1`, batchSize: 10, timeout: 600_000 }
  Object.assign(nodes.find(({ data }) => data.name === 'builtInEmbeddings')!.data, {
    name: 'openAIEmbeddings',
    label: 'OpenAI Embeddings',
    inputs,
  })
  const { id } = await call<{ id: string }>(first.url, 'POST', '/api/v1/chatflows', drawing)
  await call(first.url, 'POST', `/api/v1/vector/upsert/${id}`, form(comparedDocuments(12)))
  await call(first.url, 'POST', `/api/v1/questions/${id}`, { questions: comparedQuestions(12) })
  // The first index needs fewer calls than these; what comes after is held.
  provider.hold(8)
  const { jobId } = await call<{ jobId: string }>(first.url, 'POST', `/api/v1/compare/${id}`, {
    variants: [{ name: 'live' }, { name: 'small', inputs: { chunkSize: 30 } }],
  })
  await until(() => foldersIn(directory).length === 1)
  const folder = path.join(directory, 'sluice-data/comparisons', jobId)
  await until(() => readdirSync(folder).some((name) => name.startsWith('index-')))
  first.kill('SIGKILL')
  await first.ended
  assert.deepEqual(foldersIn(directory), [jobId])
  const second = await start(t, argv, { directory, environment })
  const read = () => call<Comparison>(second.url, 'GET', `/api/v1/compare/${id}/${jobId}`)
  return { provider, directory, second, id, jobId, read }
}

test('a comparison goes on after its server was killed, and leaves no index [compare:kill]', async (t) => {
  const { provider, directory, read } = await afterKill(t)
  provider.release()
  await until(async () => !['queued', 'running'].includes((await read()).state))
  const { state, attempt, outcome, error } = await read()
  assert.equal(state, 'done', error?.message)
  assert.equal(attempt, 2)
  assert.ok(outcome!.resumed)
  assert.equal(outcome!.questions, 12)
  assert.ok(outcome!.variants[1]!.chunks > outcome!.variants[0]!.chunks)
  await until(() => foldersIn(directory).length === 0)
})

test('a comparison whose server was killed can be cancelled at the next, and leaves no index [compare:kill]', async (t) => {
  const { provider, directory, second, id, jobId, read } = await afterKill(t)
  await call(second.url, 'POST', `/api/v1/jobs/${jobId}/cancel`)
  provider.release()
  assert.equal((await read()).state, 'cancelled')
  await until(() => foldersIn(directory).length === 0)
  const { total } = await call<{ total: number }>(second.url, 'GET', `/api/v1/vector/chunks/${id}?limit=1`)
  assert.ok(total > 0)
})
