import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { JsonObject } from '../../src/kit/json.ts'
import { start, step, steps } from '../support/agent-drawing.ts'
import { startChatServer } from '../support/chat-server.ts'
import { makePlatform } from '../support/platform.ts'

/** What agent flows did, kept for managers. */

const [platform, model] = await Promise.all([makePlatform(), startChatServer()])
after(() => model.close())

const SECRET = 'sk-the-key-of-the-provider'

type Execution = {
  id: string
  agentflowId: string
  sessionId: string
  chatId: string
  state: string
  executionData: { nodeId: string; status: string; data: JsonObject; previousNodeIds: string[] }[]
}
type Page = { data: Execution[]; total: number }
type Prediction = { text: string; executionId?: string; action?: { data: { nodeId: string } } }

async function makeFlow(name: string, nodes: object[], edges: object[]): Promise<string> {
  const made = await platform.manage<{ id: string }>('POST', '/api/v1/chatflows', {
    name,
    flowData: { nodes, edges },
  })
  assert.equal(made.status, 200, made.text)
  return made.body.id
}

const replies = await makeFlow(
  'Replies',
  [start(), step('directReplyAgentflow_0', { directReplyMessage: 'You said: {{question}}' })],
  steps('startAgentflow_0 > directReplyAgentflow_0'),
)
const asks = await makeFlow(
  'Asks',
  [
    start(),
    step('llmAgentflow_0', {
      llmModel: 'chatOpenAICustom',
      llmModelConfig: { modelName: 'scripted', basepath: `${model.url}/v1`, openAIApiKey: SECRET },
      llmUserMessage: '{{question}}',
    }),
    step('humanInputAgentflow_0', {
      humanInputDescriptionType: 'fixed',
      humanInputDescription: 'Is that right?',
      humanInputEnableFeedback: false,
    }),
    step('directReplyAgentflow_0', { directReplyMessage: 'Then it is.' }),
  ],
  steps(
    'startAgentflow_0 > llmAgentflow_0',
    'llmAgentflow_0 > humanInputAgentflow_0',
    'humanInputAgentflow_0 0> directReplyAgentflow_0',
  ),
)

async function ask(flow: string, body: JsonObject): Promise<Prediction> {
  const answer = await platform.call<Prediction>('POST', `/api/v1/prediction/${flow}`, { body })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const list = async (query = '') => (await platform.manage<Page>('GET', `/api/v1/executions${query}`)).body
const find = async (id: string) => (await platform.manage<Execution>('GET', `/api/v1/executions/${id}`)).body

test('GET /executions/:id holds the input and output of each node of a run [agent:executions]', async () => {
  const { executionId } = await ask(replies, { question: 'Hello', chatId: 'one' })
  const execution = await find(executionId!)
  assert.partialDeepStrictEqual(execution, {
    id: executionId,
    agentflowId: replies,
    chatId: 'one',
    sessionId: 'one',
    state: 'FINISHED',
  })
  assert.deepEqual(
    execution.executionData.map(({ nodeId, status, previousNodeIds }) => [nodeId, status, previousNodeIds]),
    [
      ['startAgentflow_0', 'FINISHED', []],
      ['directReplyAgentflow_0', 'FINISHED', ['startAgentflow_0']],
    ],
  )
  const { data } = execution.executionData.at(-1)!
  assert.partialDeepStrictEqual(data, { output: { content: 'You said: Hello' }, state: {} })
  const { body } = await platform.manage<JsonObject[]>('GET', `/api/v1/chatmessage/${replies}?chatId=one`)
  assert.equal(body.at(-1)!.executionId, executionId)
})

test('GET /executions pages, newest first, and filters by flow, session, state and time [agent:executions]', async () => {
  for (const question of ['a', 'b', 'c']) await ask(replies, { question, chatId: 'paged' })
  const all = await list('?sessionId=paged')
  assert.equal(all.total, 3)
  const page = await list('?sessionId=paged&page=2&limit=2')
  assert.deepEqual([page.total, page.data], [3, all.data.slice(2)])
  assert.match(JSON.stringify(all.data[0]), /You said: c/)
  assert.equal((await list(`?sessionId=paged&agentflowId=${asks}`)).total, 0)
  assert.equal((await list('?sessionId=paged&agentflowId=replies&state=FINISHED')).total, 3)
  assert.equal((await list('?sessionId=paged&state=ERROR')).total, 0)
  assert.equal((await list('?sessionId=paged&startDate=2999-01-01')).total, 0)
  const unknown = await platform.manage('GET', '/api/v1/executions?agentflowId=gone')
  assert.equal(unknown.status, 404)
  assert.equal((await platform.manage('GET', '/api/v1/executions?state=ODD')).status, 400)
})

test('a run that waits for a person is STOPPED, and the same execution when it goes on [agent:executions]', async () => {
  model.script({ text: 'Four weeks.' })
  const waiting = await ask(asks, { question: 'How long?', chatId: 'decides' })
  const stopped = await find(waiting.executionId!)
  assert.equal(stopped.state, 'STOPPED')
  assert.ok(!JSON.stringify(stopped).includes(SECRET))
  const humanInput = { type: 'proceed', startNodeId: waiting.action!.data.nodeId }
  const decided = await ask(asks, { question: 'Yes', humanInput, chatId: 'decides' })
  assert.equal(decided.executionId, waiting.executionId)
  const { state, executionData } = await find(waiting.executionId!)
  assert.deepEqual([state, executionData.length], ['FINISHED', 4])
})

test('a run that fails is kept with the node that failed, as ERROR, without a secret [agent:executions]', async () => {
  model.script({ status: 400 })
  const failed = await platform.call('POST', `/api/v1/prediction/${asks}`, {
    body: { question: 'How long?', chatId: 'fails' },
  })
  assert.ok(failed.status >= 400, failed.text)
  const { data, total } = await list('?sessionId=fails')
  assert.equal(total, 1)
  assert.equal(data[0]!.state, 'ERROR')
  const last = data[0]!.executionData.at(-1)!
  assert.deepEqual([last.nodeId, last.status, typeof last.data.error], ['llmAgentflow_0', 'ERROR', 'string'])
  assert.ok(!JSON.stringify(data).includes(SECRET))
})

test('executions go one by one, several, with their question, and with their flow [agent:executions]', async () => {
  const gone = async (id: string) => (await platform.manage('GET', `/api/v1/executions/${id}`)).status
  const ids: string[] = []
  for (const chatId of ['d1', 'd2', 'd3', 'd4'])
    ids.push((await ask(replies, { question: 'x', chatId })).executionId!)
  const [first, second, third, fourth] = ids as [string, string, string, string]
  assert.equal((await platform.manage('DELETE', `/api/v1/executions/${first}`)).status, 200)
  assert.equal((await platform.manage('DELETE', `/api/v1/executions/${first}`)).status, 404)
  const several = await platform.manage('DELETE', '/api/v1/executions', { executionIds: [first, second] })
  assert.partialDeepStrictEqual(several.body, { affected: 1 })
  await platform.manage('DELETE', `/api/v1/chatmessage/${replies}?chatId=d3`)
  assert.deepEqual([await gone(third), await gone(fourth)], [404, 200])
  const own = await makeFlow('Goes', [start()], [])
  await ask(own, { question: 'x', chatId: 'd5' }).catch(() => undefined)
  await platform.manage('DELETE', `/api/v1/chatflows/${replies}`)
  assert.equal(await gone(fourth), 404)
})

test('executions are for managers alone, as messages are [agent:executions]', async () => {
  const { apiKey } = await platform.key({ scopes: ['predict', 'query', 'upsert'] })
  for (const key of [undefined, apiKey])
    for (const [method, path, body] of [
      ['GET', '/api/v1/executions', undefined],
      ['GET', '/api/v1/executions/x', undefined],
      ['DELETE', '/api/v1/executions/x', undefined],
      ['DELETE', '/api/v1/executions', { executionIds: ['x'] }],
    ] as const) {
      const { status } = await platform.call(method, path, {
        ...(key ? { key } : {}),
        ...(body ? { body } : {}),
      })
      assert.equal(status, key ? 403 : 401, `${method} ${path}`)
    }
})
