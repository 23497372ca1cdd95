import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { makePlatform } from '../support/platform.ts'

const platform = await makePlatform()

type Problem = {
  nodeId: string | null
  input: string | null
  line: number | null
  code: string
  message: string
}
type Inputs = Record<string, unknown>

const node = (id: string, inputs: Inputs = {}, more: object = {}) => {
  const name = id.split('_')[0]!
  return { id, type: 'customNode', ...more, data: { id, name, label: name, inputs, ...more } }
}
const to = (id: string) => `{{${id}.data.instance}}`

async function validate(flowData: unknown): Promise<Problem[]> {
  const answer = await platform.manage<{ problems: Problem[] }>('POST', '/api/v1/flows/validate', {
    flowData: typeof flowData === 'string' ? flowData : { nodes: flowData, edges: [] },
  })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.problems
}

/** Each problem in one line. */
const found = async (flowData: unknown) =>
  (await validate(flowData)).map(
    ({ nodeId, input, line, code, message }) => `${nodeId} ${input} ${line} ${code}: ${message}`,
  )

const store = (inputs: Inputs) =>
  node('builtInVectorStore_0', {
    document: [to('plainText_0')],
    embeddings: to('builtInEmbeddings_0'),
    ...inputs,
  })
const parts = [node('builtInEmbeddings_0'), node('plainText_0', { text: 'x' })]

test('POST /flows/validate finds nothing in flows that run [studio:problems]', async () => {
  assert.deepEqual(await validate([store({}), ...parts]), [])
  const stored = await platform.manage('POST', '/api/v1/flows/validate', { flow: 'quickstart' })
  assert.partialDeepStrictEqual(stored.body, { problems: [], runs: 'yes', rows: [] })
  const templates = await platform.manage<{ name: string }[]>('GET', '/api/v1/flow-templates')
  for (const { name } of templates.body) {
    const made = await platform.manage<{ flowData: string }>('POST', '/api/v1/chatflows', {
      name,
      template: name,
    })
    const problems = await validate(made.body.flowData)
    // What a person has to fill in is the only thing that is missing.
    assert.ok(
      problems.every(({ code }) => ['input_invalid', 'flow_invalid', 'credential_missing'].includes(code)),
      JSON.stringify(problems),
    )
  }
})

test('POST /flows/validate finds all problems at once, at their node, input and line [studio:problems]', async () => {
  const credential = await platform.manage<{ id: string }>('POST', '/api/v1/credentials', {
    name: 'Search',
    credentialName: 'cohereApi',
    plainDataObj: { cohereApiKey: 'k'.repeat(20) },
  })
  const problems = await found([
    store({ topK: 'abc', document: [to('plainText_0'), to('gone_1'), to('builtInEmbeddings_0')] }),
    node('builtInEmbeddings_0'),
    node('plainText_0', {
      text: 'x',
      metadata: '{\n  "a": 1,\n  b: 2\n}',
      textSplitter: to('recursiveCharacterTextSplitter_0'),
    }),
    node('recursiveCharacterTextSplitter_0', { chunkSize: 100, chunkOverlap: 100 }),
    node('openAIEmbeddings_0', {}, { credential: credential.body.id }),
    node('openAIEmbeddings_1', {}, { credential: 'gone' }),
    node('milvus_0'),
    node('builtInVectorStore_1'),
  ])
  assert.deepEqual(problems, [
    'builtInVectorStore_0 document null flow_invalid: The flow is not valid: it refers to the node gone_1, which is not there',
    'builtInVectorStore_0 document null flow_invalid: The flow is not valid: builtInEmbeddings cannot be plugged in as Document',
    'builtInVectorStore_1 embeddings null flow_invalid: The flow is not valid: nothing is plugged into Embeddings of builtInVectorStore',
    'builtInVectorStore_0 topK null input_invalid: The input Top K of the node builtInVectorStore is not valid: expected a number, received "abc"',
    'plainText_0 metadata 3 input_invalid: The input Additional Metadata of the node plainText is not valid: expected a JSON object, received text that is not one',
    'recursiveCharacterTextSplitter_0 chunkOverlap null input_invalid: The input Chunk Overlap of the node recursiveCharacterTextSplitter is not valid: chunkOverlap must be smaller than chunkSize, received chunkOverlap 100 with chunkSize 100',
    'openAIEmbeddings_0 credential null credential_wrong_kind: The node openAIEmbeddings takes a credential of the kind openAIApi, and Search is of the kind cohereApi',
    'openAIEmbeddings_1 credential null credential_not_found: Credential gone not found',
    'milvus_0 null null node_unknown: The flow uses the node milvus, which this server does not have',
  ])
})

test('POST /flows/validate looks into the parts of agent flows, and leaves values with variables [studio:problems]', async () => {
  const agent = (inputs: Inputs) => ({
    ...node('agentAgentflow_0', inputs),
    type: 'agentFlow',
  })
  const problems = await found([
    agent({
      agentModel: 'chatOpenAI',
      agentModelConfig: { temperature: 'warm', maxTokens: '{{$vars.tokens}}' },
    }),
  ])
  assert.deepEqual(problems, [
    'null null null flow_cannot_answer: This flow cannot answer: it has no Start node',
    'agentAgentflow_0 agentModel.temperature null input_invalid: The input Temperature of the node ChatOpenAI in agentAgentflow is not valid: expected a number, received "warm"',
  ])
})

test('POST /flows/validate finds circles in linear time, and drawings that are none [studio:problems]', async () => {
  const chain = (length: number, last: string) =>
    Array.from({ length }, (_, n) =>
      node(`cohereRerankRetriever_${n}`, {
        baseRetriever: to(n + 1 < length ? `cohereRerankRetriever_${n + 1}` : last),
      }),
    )
  const circle = await validate(chain(3, 'cohereRerankRetriever_0'))
  assert.deepEqual(
    circle.filter(({ message }) => message.endsWith('is plugged into itself')).map(({ nodeId }) => nodeId),
    ['cohereRerankRetriever_0', 'cohereRerankRetriever_1', 'cohereRerankRetriever_2'],
  )
  const long = await validate(chain(1000, 'cohereRerankRetriever_500'))
  assert.equal(long.filter(({ message }) => message.endsWith('is plugged into itself')).length, 500)
  assert.deepEqual(await found('{\n"nodes": [\n'), [
    'null null 2 flow_invalid: The flow is not valid: it has no list of nodes',
  ])
  const both = await platform.manage('POST', '/api/v1/flows/validate', { flow: 'quickstart', flowData: '{}' })
  assert.equal(both.status, 400)
})

test('a refused upsert or query names node and input [studio:problems]', async () => {
  const made = await platform.manage<{ id: string }>('POST', '/api/v1/chatflows', {
    name: 'Broken',
    flowData: { nodes: [store({ topK: 'abc' }), ...parts], edges: [] },
  })
  for (const path of ['upsert', 'query']) {
    const body = path === 'query' ? { query: 'x' } : {}
    const answer = await platform.call<object>('POST', `/api/v1/vector/${path}/${made.body.id}`, { body })
    assert.equal(answer.status, 422, answer.text)
    assert.partialDeepStrictEqual(answer.body, {
      code: 'input_invalid',
      nodeId: 'builtInVectorStore_0',
      input: 'topK',
    })
  }
})

const corpus = process.env.SLUICE_CORPUS
test('POST /flows/validate judges every flow file of the corpus without a failure [studio:problems]', {
  skip: corpus === undefined && 'SLUICE_CORPUS is not set',
}, async () => {
  const folder = `${corpus}/flows`
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.json'),
  )
  assert.ok(files.length > 5, `${files.length} files`)
  for (const file of files) await validate(readFileSync(`${folder}/${file}`, 'utf8'))
})
