import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { z } from 'zod'
import { streamedData } from '../../src/api/prediction.ts'
import type { JsonObject } from '../../src/kit/json.ts'
import { node, step, steps } from '../support/agent-drawing.ts'
import { startChatServer } from '../support/chat-server.ts'
import { reference } from '../support/flow-drawing.ts'
import { makePlatform } from '../support/platform.ts'

const [platform, chat] = await Promise.all([makePlatform(), startChatServer()])
after(() => {
  assert.deepEqual(chat.violations, [])
  chat.close()
})

const model = { modelName: 'scripted', basepath: `${chat.url}/v1`, openAIApiKey: 'none' }

async function store(nodes: object[], more: object = {}): Promise<string> {
  const flow = { name: 'A flow that answers', flowData: { nodes, edges: [] }, ...more }
  const { status, text, body } = await platform.manage<{ id: string }>('POST', '/api/v1/chatflows', flow)
  assert.equal(status, 200, text)
  return body.id
}

type Prediction = {
  text: string
  sessionId: string
  sourceDocuments?: { pageContent: string; metadata: JsonObject }[]
  action?: { data: { nodeId: string } }
  hint?: string
}

const ask = (flow: string, body: object) =>
  platform.call<Prediction>('POST', `/api/v1/prediction/${flow}`, { body })

test('the flow that was loaded answers a question, with the chunks that it used [query:predict]', async () => {
  const open = { overrideConfig: { status: true, nodes: { '*': [{ name: 'files', enabled: true }] } } }
  const id = await store(
    [
      node('chatOpenAICustom_0', model),
      node('fileLoader_0'),
      node('builtInEmbeddings_0'),
      node('builtInVectorStore_0', {
        document: [reference('fileLoader_0')],
        embeddings: reference('builtInEmbeddings_0'),
        topK: 1,
      }),
      node('conversationalRetrievalQAChain_0', {
        model: reference('chatOpenAICustom_0'),
        vectorStoreRetriever: reference('builtInVectorStore_0'),
        returnSourceDocuments: true,
      }),
    ],
    { apiConfig: open },
  )
  await platform.upload(id, {
    'ferry.txt': 'The ferry to Bergen leaves at noon.',
    'tea.txt': 'Tea is made of leaves.',
  })

  chat.script({ text: 'At noon.' })
  const first = await ask(id, { question: 'When does the ferry leave?', chatId: 'ferry' })
  assert.deepEqual([first.status, first.body.text], [200, 'At noon.'])
  assert.deepEqual(
    first.body.sourceDocuments?.map(({ pageContent, metadata }) => [pageContent, metadata.source]),
    [['The ferry to Bergen leaves at noon.', 'ferry.txt']],
  )
  const [system] = chat.calls.at(-1)!.body.messages as JsonObject[]
  assert.match(
    String(system!.content),
    /<doc id='0' source='ferry\.txt'>The ferry to Bergen leaves at noon\.<\/doc>/,
  )

  chat.script({ text: 'What is tea made of?' }, { text: 'Of leaves.' })
  const second = await ask(id, { question: 'And tea?', chatId: 'ferry' })
  assert.equal(second.body.sourceDocuments?.[0]?.metadata.source, 'tea.txt')
  assert.match(JSON.stringify(chat.calls.at(-2)!.body.messages), /Human: When does the ferry leave/)

  chat.script({ text: 'Of leaves.' })
  const streamed = await ask(id, { question: 'What is tea made of?', streaming: true })
  const read = checkedData(framesOf(streamed.text))
  assert.deepEqual([...new Set(read)], ['token', 'sourceDocuments', 'metadata'])
})

type Frame = { event: string; data: unknown }

const framesOf = (stream: string): Frame[] =>
  stream
    .split('\n\n')
    .filter((frame) => frame.startsWith('message:\ndata:'))
    .map((frame) => JSON.parse(frame.slice('message:\ndata:'.length)) as Frame)

/** Checks the data of events by their shapes in src/api/. @returns the names of the checked events */
function checkedData(frames: readonly Frame[]): string[] {
  const shapes: Record<string, z.ZodType | undefined> = streamedData
  return frames.flatMap(({ event, data }) => {
    const shape = shapes[event]
    if (!shape) return []
    shape.parse(data)
    return [event]
  })
}

test('a flow without a model names what is missing, and the route that returns its chunks', async () => {
  const { status, body } = await ask('quickstart', { question: 'When?' })
  assert.equal(status, 422)
  assert.match(body.hint!, /\/api\/v1\/vector\/query/)
})

test('variables of the workspace reach the texts of a flow, and its callers cannot read them', async () => {
  await platform.manage('POST', '/api/v1/variables', {
    name: 'house_rule',
    type: 'static',
    value: 'Be brief',
  })
  const open = {
    overrideConfig: {
      status: true,
      nodes: { '*': [{ name: 'systemMessagePrompt', enabled: true }] },
    },
  }
  const id = await store(
    [
      node('chatOpenAICustom_0', model),
      node('conversationChain_0', {
        model: reference('chatOpenAICustom_0'),
        systemMessagePrompt: '{{$vars.house_rule}}! {{ $flow.chatId }}',
      }),
    ],
    { apiConfig: open },
  )
  const overrideConfig = { systemMessagePrompt: 'Say {{$vars.house_rule}}' }
  for (const [more, system] of [
    [{}, 'Be brief! rules'],
    [{ overrideConfig }, 'Be brief! rules'],
    [{ overrideConfig: { systemMessagePrompt: 'Sing' } }, 'Sing'],
  ] as const) {
    chat.script({ text: 'Yes.' })
    const { status, text } = await ask(id, { question: '{{$vars.house_rule}}', chatId: 'rules', ...more })
    assert.equal(status, 200, text)
    const messages = chat.calls.at(-1)!.body.messages as JsonObject[]
    assert.deepEqual([messages[0]!.content, messages.at(-1)!.content], [system, '{{$vars.house_rule}}'])
  }
})

test('a call waits for a person, over HTTP as well: it is made when it is allowed, and only once', async () => {
  const flowData = {
    nodes: [
      step('startAgentflow_0'),
      step('agentAgentflow_0', {
        agentModel: 'chatOpenAICustom',
        agentModelConfig: model,
        agentTools: [{ agentSelectedTool: 'currentDateTime', agentSelectedToolRequiresHumanInput: true }],
      }),
    ],
    edges: steps('startAgentflow_0 > agentAgentflow_0'),
  }
  const flow = { name: 'Asks first', type: 'AGENTFLOW', flowData }
  const made = await platform.manage<{ id: string }>('POST', '/api/v1/chatflows', flow)
  const session = { chatId: 'approval' }

  chat.script({ calls: [{ name: 'current_date_time', input: {} }] })
  const { body } = await ask(made.body.id, { question: 'What time is it?', ...session })
  assert.match(body.text, /current_date_time/)
  const startNodeId = body.action!.data.nodeId

  chat.script({ text: 'It is late.' })
  const humanInput = { type: 'proceed', startNodeId }
  const decided = await ask(made.body.id, { question: 'Proceed', humanInput, ...session })
  assert.equal(decided.body.text, 'It is late.')
  const again = await ask(made.body.id, { humanInput, ...session })
  assert.equal(again.status, 409, again.text)
})

test('an agent flow streams what clients of Flowise wait for, in their order', async () => {
  const flowData = {
    nodes: [
      step('startAgentflow_0'),
      step('agentAgentflow_0', {
        agentModel: 'chatOpenAICustom',
        agentModelConfig: { ...model, streaming: true },
        agentTools: [{ agentSelectedTool: 'currentDateTime' }],
      }),
    ],
    edges: steps('startAgentflow_0 > agentAgentflow_0'),
  }
  const made = await platform.manage<{ id: string }>('POST', '/api/v1/chatflows', {
    name: 'Streams',
    type: 'AGENTFLOW',
    flowData,
  })
  chat.script({ calls: [{ name: 'current_date_time', input: {} }] }, { text: ['It is', ' late.'] })
  const { text } = await ask(made.body.id, { question: 'What time is it?', streaming: true })
  const frames = framesOf(text)
  assert.deepEqual(checkedData(frames), ['token', 'token', 'usedTools', 'metadata'])
  assert.deepEqual(
    frames.map(({ event, data }) => (event === 'agentFlowEvent' ? `${event} ${data}` : event)),
    [
      'agentFlowEvent INPROGRESS',
      'nextAgentFlow',
      'nextAgentFlow',
      'agentFlowExecutedData',
      'nextAgentFlow',
      'calledTools',
      'token',
      'token',
      'nextAgentFlow',
      'agentFlowExecutedData',
      'usedTools',
      'usageMetadata',
      'agentFlowEvent FINISHED',
      'metadata',
      'end',
    ],
  )
})
