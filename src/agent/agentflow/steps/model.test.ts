import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oneAgent } from '../../../../test/support/agent-drawing.ts'
import { agentRuntime } from '../../../../test/support/agent-runtime.ts'
import { scriptedModel } from '../../../../test/support/scripted-model.ts'

test('an agent searches its knowledge, and returns sources only if its input requests them', async () => {
  for (const returnSourceDocuments of [true, false]) {
    const model = scriptedModel({ calls: [{ name: 'our_rules', input: { input: 'rules' } }] }, 'ok')
    const { ask } = agentRuntime({
      models: { model },
      retrieve: async (part, query) => [{ pageContent: `${part.store.namespace}: ${query}`, metadata: {} }],
    })
    const { usedTools, sourceDocuments } = await ask(
      oneAgent({
        agentKnowledgeVSEmbeddings: [
          {
            vectorStore: 'builtInVectorStore',
            vectorStoreConfig: { namespace: 'rules' },
            embeddingModel: 'builtInEmbeddings',
            embeddingModelConfig: {},
            knowledgeName: 'Our rules!',
            returnSourceDocuments,
          },
        ],
      }),
    )
    assert.match(usedTools![0]!.toolOutput, /\n<doc id='0'>rules: rules<\/doc>$/)
    assert.equal(sourceDocuments?.length, returnSourceDocuments ? 1 : undefined)
  }
})

for (const [type, inputs, contents] of [
  ['all messages', {}, ['11', '22', '33', '44', 'What is new?']],
  ['a window', { agentMemoryType: 'windowSize', agentMemoryWindowSize: 1 }, ['33', '44', 'What is new?']],
  [
    'the newest messages that fit',
    { agentMemoryType: 'conversationSummaryBuffer', agentMemoryMaxTokenLimit: 1 },
    ['33', '44', 'What is new?'],
  ],
  ['nothing', { agentEnableMemory: false }, ['What is new?']],
] as const)
  test(`an agent with a memory of ${type} sends these messages`, async () => {
    const past = ['11', '22', '33', '44'].map((content) => ({ role: 'userMessage', content }) as const)
    const model = scriptedModel('ok')
    await agentRuntime({ models: { model }, past }).ask(oneAgent(inputs))
    assert.deepEqual(
      model.requests[0]!.messages.map(({ content }) => content),
      contents,
    )
  })

test('an agent uses the limit of its node, and the text of a limit is not parsed as JSON', async () => {
  const model = scriptedModel({ calls: [{ name: 'gone', input: {} }] })
  const agentStructuredOutput = [{ key: 'a', type: 'string' }]
  const { text } = await agentRuntime({ models: { model } }).ask(
    oneAgent({ agentMaxIterations: 1, agentStructuredOutput }),
  )
  assert.equal(text, 'Agent stopped due to max iterations.')
})

for (const [name, field, schema] of [
  ['a list of texts', { type: 'stringArray' }, { type: 'array', items: { type: 'string' } }],
  ['one of several', { type: 'enum', enumValues: 'a, b' }, { type: 'string', enum: ['a', 'b'] }],
  [
    'a list of objects',
    { type: 'jsonArray', jsonSchema: '{"n": {"type": "number", "required": true}}' },
    {
      type: 'array',
      items: {
        type: 'object',
        properties: { n: { type: 'number' } },
        required: ['n'],
        additionalProperties: false,
      },
    },
  ],
] as const)
  test(`an agent answers with JSON: ${name}`, async () => {
    const model = scriptedModel('```json\n{"a": null}\n```')
    const { agentFlowExecutedData } = await agentRuntime({ models: { model } }).ask(
      oneAgent({ agentStructuredOutput: [{ key: 'a', ...field }] }),
    )
    const { properties } = model.requests[0]!.answerSchema!.schema
    assert.deepEqual(properties, { a: schema })
    assert.partialDeepStrictEqual(agentFlowExecutedData!.at(-1)!.data.output, { a: null })
  })

test('an agent with a JSON answer fails for an answer that is not JSON', async () => {
  const { ask } = agentRuntime({ models: { model: scriptedModel('Sorry') } })
  const agentStructuredOutput = [{ key: 'a', type: 'string' }]
  await assert.rejects(ask(oneAgent({ agentStructuredOutput })), { code: 'provider_failed' })
})
