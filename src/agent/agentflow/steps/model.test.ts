import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oneAgent } from '../../../../test/support/agent-drawing.ts'
import { agentHouse } from '../../../../test/support/agent-house.ts'
import { scriptedModel } from '../../../../test/support/scripted-model.ts'

test('an agent looks into knowledge, and says where an answer is from only where it is asked to', async () => {
  for (const returnSourceDocuments of [true, false]) {
    const model = scriptedModel({ calls: [{ name: 'our_rules', input: { input: 'rules' } }] }, 'ok')
    const { ask } = agentHouse({
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
    assert.equal(usedTools![0]!.toolOutput, 'rules: rules')
    assert.equal(sourceDocuments?.length, returnSourceDocuments ? 1 : undefined)
  }
})

for (const [type, inputs, contents] of [
  ['all messages', {}, ['11', '22', '33', '44', 'What is new?']],
  ['a window', { agentMemoryType: 'windowSize', agentMemoryWindowSize: 1 }, ['33', '44', 'What is new?']],
  [
    'what fits',
    { agentMemoryType: 'conversationSummaryBuffer', agentMemoryMaxTokenLimit: 1 },
    ['33', '44', 'What is new?'],
  ],
  ['nothing', { agentEnableMemory: false }, ['What is new?']],
] as const)
  test(`an agent remembers ${type}`, async () => {
    const past = ['11', '22', '33', '44'].map((content) => ({ role: 'userMessage', content }) as const)
    const model = scriptedModel('ok')
    await agentHouse({ models: { model }, past }).ask(oneAgent(inputs))
    assert.deepEqual(
      model.requests[0]!.messages.map(({ content }) => content),
      contents,
    )
  })
