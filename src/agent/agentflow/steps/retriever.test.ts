import assert from 'node:assert/strict'
import { test } from 'node:test'
import { node, oneAgent, start, step, steps } from '../../../../test/support/agent-drawing.ts'
import { agentRuntime } from '../../../../test/support/agent-runtime.ts'
import { scriptedModel } from '../../../../test/support/scripted-model.ts'
import { parseFilter } from '../../../vector/filter.ts'

/** A flow with documents. */
const holding = (namespace: string) => ({
  nodes: [
    node('builtInEmbeddings_0'),
    node('builtInVectorStore_0', { namespace, embeddings: '{{builtInEmbeddings_0.data.instance}}' }),
  ],
})

const stage = {
  flows: { rules: holding('rules'), menu: holding('menu') },
  retrieve: async (part: { store: { namespace: string } }, query: string) => [
    { pageContent: `${query} in ${part.store.namespace}`, metadata: { of: part.store.namespace } },
  ],
}

const asking = (inputs: object) => ({
  nodes: [
    start(),
    step('retrieverAgentflow_0', {
      retrieverKnowledgeDocumentStores: [{ documentStore: 'rules:House rules' }, { documentStore: 'menu' }],
      retrieverQuery: '<p>{{ question }}</p>',
      ...inputs,
    }),
  ],
  edges: steps('startAgentflow_0 > retrieverAgentflow_0'),
})

test('a Retriever node searches the stores of all its flows', async () => {
  const { text, sourceDocuments } = await agentRuntime(stage).ask(asking({}), { question: 'Tea' })
  assert.equal(text, 'Tea in rules\n\nTea in menu')
  assert.deepEqual(
    sourceDocuments?.map(({ metadata }) => metadata.of),
    ['rules', 'menu'],
  )
})

test('a Retriever node without a query searches for the question', async () => {
  const { text } = await agentRuntime(stage).ask(asking({ retrieverQuery: '' }), { question: 'Tea' })
  assert.equal(text, 'Tea in rules\n\nTea in menu')
})

test('a Retriever node outputs metadata if its output format includes them', async () => {
  const { text, sourceDocuments } = await agentRuntime(stage).ask(
    asking({ outputFormat: 'textWithMetadata' }),
  )
  assert.deepEqual(JSON.parse(text), sourceDocuments)
})

test('an agent searches the stores of flows', async () => {
  const model = scriptedModel({ calls: [{ name: 'house_rules', input: { input: 'noise' } }] }, 'ok')
  const { usedTools } = await agentRuntime({ ...stage, models: { model } }).ask(
    oneAgent({ agentKnowledgeDocumentStores: [{ documentStore: 'rules:House rules' }] }),
  )
  assert.match(usedTools![0]!.toolOutput, /\n<doc id='0'>noise in rules<\/doc>$/)
})

test('a Retriever node replaces variables of the workspace in the mandatory filter of a store', async () => {
  const flow = holding('rules')
  const [, store] = flow.nodes
  store!.data.inputs = { ...store!.data.inputs, filter: { team: '{{$vars.team}}' } }
  const filters: unknown[] = []
  const runtime = agentRuntime({
    flows: { rules: flow, menu: holding('menu') },
    variables: [{ name: 'team', type: 'static', value: 'blue' }],
    retrieve: async ({ retrieval }) => {
      filters.push(retrieval.filter)
      return []
    },
  })
  await runtime.ask(asking({}))
  assert.deepEqual(filters, [parseFilter({ team: 'blue' }), undefined])
})

test('a Retriever node searches the questions before with that of the person, and not with a query of its own [query:history]', async () => {
  const searches: unknown[] = []
  const runtime = agentRuntime({
    ...stage,
    past: [
      { role: 'userMessage', content: 'Which teas are there?' },
      { role: 'apiMessage', content: 'Green and black.' },
    ],
    retrieve: async (_, query, narrowing) => {
      searches.push([query, narrowing.history])
      return []
    },
  })
  const one = { retrieverKnowledgeDocumentStores: [{ documentStore: 'menu' }] }
  await runtime.ask(asking(one), { question: 'And coffee?' })
  await runtime.ask(asking({ ...one, retrieverQuery: 'drinks' }), { question: 'And coffee?' })
  assert.deepEqual(searches, [
    ['And coffee?', ['Which teas are there?']],
    ['drinks', undefined],
  ])
})
