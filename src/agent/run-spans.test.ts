import assert from 'node:assert/strict'
import { test } from 'node:test'
import { node, oneAgent, start, step, steps } from '../../test/support/agent-drawing.ts'
import { agentRuntime } from '../../test/support/agent-runtime.ts'
import { scriptedModel } from '../../test/support/scripted-model.ts'
import type { RunSpan } from '../contract/run-span.ts'

/** What a span is, within which other one, and how it ended. */
const shape = ({ id, parent, kind, name, status }: RunSpan) =>
  `${parent === undefined ? '' : `${parent}>`}${id} ${kind} ${name} ${status}`

const plug = (name: string) => `{{${name}.data.instance}}`

const documents = {
  nodes: [
    node('scripted_0', {}),
    node('builtInEmbeddings_0', {}),
    node('builtInVectorStore_0', {
      embeddings: plug('builtInEmbeddings_0'),
      document: [plug('huge_0')],
      namespace: 'docs',
    }),
    node('conversationalRetrievalQAChain_0', {
      model: plug('scripted_0'),
      vectorStoreRetriever: plug('builtInVectorStore_0'),
    }),
  ],
}

test('the spans of a retrieval chain are the rephrasing, the search with its sources and scores, and the answer', async () => {
  const { ask } = agentRuntime({
    models: { model: scriptedModel('When was Ada born?', 'In 1815') },
    past: [{ role: 'userMessage', content: 'Who is Ada?' }],
    async retrieve(_part, _query, _narrowing, _signal, noteScores) {
      noteScores?.([0.9, 0.4])
      return ['ada.txt', 'bee.txt'].map((source) => ({ pageContent: source, metadata: { source } }))
    },
  })
  const { spans } = await ask(documents, { question: 'When born?' })
  assert.deepEqual(spans.map(shape), [
    '1 model scripted FINISHED',
    '2 search docs FINISHED',
    '3 model scripted FINISHED',
  ])
  const [rephrasing, search, answer] = spans as [RunSpan, RunSpan, RunSpan]
  assert.equal(rephrasing.purpose, 'rephrase the question')
  assert.partialDeepStrictEqual(search, {
    query: 'When was Ada born?',
    hits: 2,
    sources: [
      { source: 'ada.txt', score: 0.9 },
      { source: 'bee.txt', score: 0.4 },
    ],
  })
  assert.partialDeepStrictEqual(answer, { inputTokens: 1, outputTokens: 1 })
  for (const { start: began, ms } of spans) assert.ok(began > 1e12 && ms !== undefined && ms >= 0)
})

test('the spans of a called flow are within the node that called it, with numbers of one count', async () => {
  const look = {
    name: 'look',
    description: 'Looks',
    parameters: { type: 'object' },
    call: async () => ({ output: 'gone', failed: true }),
  }
  const model = scriptedModel({ calls: [{ name: 'look', input: { deep: true } }] }, 'Seen')
  const calls = {
    nodes: [
      start(),
      step('executeFlowAgentflow_0', { executeFlowSelectedFlow: 'other', executeFlowInput: '{{question}}' }),
    ],
    edges: steps('startAgentflow_0 > executeFlowAgentflow_0'),
  }
  const other = {
    nodes: [
      node('scripted_0', {}),
      node('props_0', {}),
      node('toolAgent_0', { model: plug('scripted_0'), tools: [plug('props_0')] }),
    ],
  }
  const { ask } = agentRuntime({ models: { model }, tools: [look], flows: { other } })
  const { spans, names } = await ask(calls)
  assert.deepEqual(spans.map(shape), [
    '1 node startAgentflow_0 FINISHED',
    '2 node executeFlowAgentflow_0 FINISHED',
    '2>3 model scripted FINISHED',
    '2>4 tool look ERROR',
    '2>5 model scripted FINISHED',
  ])
  assert.deepEqual([spans[3]!.input, spans[3]!.output], [{ deep: true }, 'gone'])
  assert.ok(!names.includes('toolResult'), 'the events of the called flow are not those of the answer')
})

test('a span that fails has the code of the failure, and one that is stopped has none', async () => {
  const failing = scriptedModel(() => {
    throw new Error('secret detail')
  })
  const stage = agentRuntime({ models: { model: failing } })
  const seen: RunSpan[] = []
  const flow = { id: 'f', flowData: JSON.stringify(oneAgent()), apiConfig: {} }
  const request = { question: '?', chatId: 'c', history: [], uploads: [], overrides: {} }
  const prepared = await stage.predictor.prepare(flow, request)
  const noted = (event: { event: string; data: unknown }) => {
    if (event.event === 'span') seen.push(event.data as RunSpan)
  }
  await assert.rejects(prepared.run(noted, new AbortController().signal))
  const last = seen.findLast(({ kind }) => kind === 'model')!
  assert.deepEqual([last.status, last.error], ['ERROR', { code: 'internal', message: 'Internal error' }])

  const leaving = new AbortController()
  const stopped = scriptedModel(() => {
    leaving.abort()
    return 'late'
  })
  const other = agentRuntime({ models: { model: stopped } })
  const second = await other.predictor.prepare(flow, request)
  await assert.rejects(second.run(noted, leaving.signal))
  const cut = seen.findLast(({ kind }) => kind === 'model')!
  assert.deepEqual([cut.status, cut.error], ['TERMINATED', undefined])
})
