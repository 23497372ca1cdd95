import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { start, step, steps } from '../support/agent-drawing.ts'
import { sluice as runSluice } from '../support/command-line.ts'
import { ADMIN_KEY, makePlatform } from '../support/platform.ts'

/** Whatever a request refuses for a fault of the flow is found before, when the flow is saved. */
const platform = await makePlatform()
const { manage } = platform

type Inputs = Record<string, unknown>
type Request = 'upsert' | 'query' | 'prediction'
type Problem = {
  nodeId: string | null
  input: string | null
  code: string
  message: string
  requests: Request[]
}
type Saved = { id: string; slug: string; flowData: string; warning: string | null; problems: Problem[] }

const node = (id: string, inputs: Inputs = {}, more: object = {}) => {
  const name = id.split('_')[0]!
  return { id, type: 'customNode', ...more, data: { id, name, label: name, inputs, ...more } }
}
const to = (id: string) => `{{${id}.data.instance}}`

const credential = async (credentialName: string, plainDataObj: object) =>
  (
    await manage<{ id: string }>('POST', '/api/v1/credentials', {
      name: credentialName,
      credentialName,
      plainDataObj,
    })
  ).body.id
const empty = await credential('openAIApi', {})
const gone = await credential('openAIApi', { openAIApiKey: 'k'.repeat(20) })
await manage('DELETE', `/api/v1/credentials/${gone}`)

/** A flow that loads a text, with other nodes or inputs. */
function loading(changes: {
  loader?: object
  text?: Inputs
  splitter?: object
  embedder?: object
  store?: Inputs
  storeNode?: string
  records?: Inputs
}): object[] {
  const { text = {}, store = {}, storeNode = 'builtInVectorStore', records } = changes
  const loader =
    changes.loader ?? node('plainText_0', { text: 'Otters.', ...text, textSplitter: to('splitter_0') })
  const splitter = changes.splitter ?? {}
  return [
    loader,
    {
      ...node('splitter_0', {}),
      data: {
        id: 'splitter_0',
        name: 'recursiveCharacterTextSplitter',
        label: 'Splitter',
        inputs: {},
        ...splitter,
      },
    },
    changes.embedder ?? node('builtInEmbeddings_0'),
    ...(records ? [node('SQLiteRecordManager_0', records)] : []),
    node(`${storeNode}_0`, {
      document: [to((loader as { id: string }).id)],
      embeddings: to(((changes.embedder ?? { id: 'builtInEmbeddings_0' }) as { id: string }).id),
      ...(records ? { recordManager: to('SQLiteRecordManager_0') } : {}),
      ...store,
    }),
  ]
}
const cut = (name: string, inputs: Inputs) => loading({ splitter: { name, inputs } })
const model = (inputs: Inputs = {}) =>
  node('chatOpenAICustom_0', { modelName: 'm', basepath: 'http://127.0.0.1:9', ...inputs })
/** A chat flow in which an agent has one tool. */
const withTool = (tool: object, agent: Inputs = {}, chat: object = model()) => [
  chat,
  tool,
  node('toolAgent_0', {
    model: to((chat as { id: string }).id),
    tools: [to((tool as { id: string }).id)],
    ...agent,
  }),
]
const clock = node('currentDateTime_0')
/** An agent flow of a Start node and one more. */
const after = (id: string, inputs: Inputs) => ({
  nodes: [start(), step(id, inputs)],
  edges: steps(`startAgentflow_0 > ${id}`),
})
const customModel = {
  chatModel: 'chatOpenAICustom',
  config: { modelName: 'm', basepath: 'http://127.0.0.1:9' },
}
const llm = (inputs: Inputs) =>
  after('llmAgentflow_0', { llmModel: customModel.chatModel, llmModelConfig: customModel.config, ...inputs })

/** Each with the request that is refused, and the node and input that are named. */
const BROKEN: [what: string, request: Request, place: string, drawing: object][] = [
  [
    'an overlap above the size',
    'upsert',
    'splitter_0 chunkOverlap',
    cut('recursiveCharacterTextSplitter', { chunkSize: 12, chunkOverlap: 80 }),
  ],
  [
    'an overlap of characters',
    'upsert',
    'splitter_0 chunkOverlap',
    cut('characterTextSplitter', { chunkSize: 12, chunkOverlap: 80 }),
  ],
  [
    'an overlap of tokens',
    'upsert',
    'splitter_0 chunkOverlap',
    cut('tokenTextSplitter', { chunkSize: 12, chunkOverlap: 12 }),
  ],
  [
    'no size',
    'upsert',
    'splitter_0 chunkSize',
    cut('markdownTextSplitter', { chunkSize: 0, chunkOverlap: 0 }),
  ],
  [
    'a size that is a variable',
    'upsert',
    'splitter_0 chunkSize',
    cut('recursiveCharacterTextSplitter', { chunkSize: '{{$vars.size}}' }),
  ],
  ['an unknown language', 'upsert', 'splitter_0 language', cut('codeTextSplitter', { language: 'klingon' })],
  [
    'an unknown encoding',
    'upsert',
    'splitter_0 encodingName',
    cut('tokenTextSplitter', { encodingName: 'p99' }),
  ],
  ['metadata that are not JSON', 'upsert', 'plainText_0 metadata', loading({ text: { metadata: '{a: 1' } })],
  ['a number that is none', 'query', 'builtInVectorStore_0 topK', loading({ store: { topK: 'many' } })],
  [
    'a filter with an unknown operator',
    'query',
    'builtInVectorStore_0 filter',
    loading({ store: { filter: '{"a": {"$like": "b"}}' } }),
  ],
  [
    'an address of an API that is none',
    'upsert',
    'apiLoader_0 url',
    loading({ loader: node('apiLoader_0', { url: 'ftp:/example' }) }),
  ],
  [
    'no address of a site',
    'upsert',
    'cheerioWebScraper_0 url',
    loading({ loader: node('cheerioWebScraper_0', { url: '' }) }),
  ],
  [
    'a selector that is none',
    'upsert',
    'cheerioWebScraper_0 selector',
    loading({ loader: node('cheerioWebScraper_0', { url: 'https://example.com', selector: 'a[' }) }),
  ],
  [
    'a database of an unknown kind',
    'upsert',
    'sqlDatabase_0 databaseType',
    loading({ loader: node('sqlDatabase_0', { databaseType: 'oracle' }) }),
  ],
  ['an unknown cleanup', 'upsert', 'SQLiteRecordManager_0 cleanup', loading({ records: { cleanup: 'all' } })],
  [
    'embeddings without a credential',
    'upsert',
    'openAIEmbeddings_0 credential',
    loading({ embedder: node('openAIEmbeddings_0') }),
  ],
  [
    'a credential without the key',
    'upsert',
    'openAIEmbeddings_0 credential',
    loading({ embedder: node('openAIEmbeddings_0', { credential: empty }) }),
  ],
  [
    'a credential that was deleted',
    'upsert',
    'openAIEmbeddings_0 credential',
    loading({ embedder: node('openAIEmbeddings_0', { credential: gone }) }),
  ],
  ['no address of Qdrant', 'upsert', 'qdrant_0 qdrantServerUrl', loading({ storeNode: 'qdrant' })],
  ['no index of Pinecone', 'query', 'pinecone_0 pineconeIndex', loading({ storeNode: 'pinecone' })],
  [
    'no credential of Pinecone',
    'upsert',
    'pinecone_0 credential',
    loading({ storeNode: 'pinecone', store: { pineconeIndex: 'docs' } }),
  ],
  [
    'no credential of OpenSearch',
    'upsert',
    'openSearch_0 credential',
    loading({ storeNode: 'openSearch', store: { indexName: 'docs' } }),
  ],
  [
    'an unknown similarity',
    'upsert',
    'elasticsearch_0 similarity',
    loading({ storeNode: 'elasticsearch', store: { similarity: 'l3' } }),
  ],
  [
    'an unknown setting of PostgreSQL',
    'upsert',
    'postgres_0 additionalConfig',
    loading({ storeNode: 'postgres', store: { host: 'h', database: 'd', additionalConfig: '{"pool": 1}' } }),
  ],
  ['no embeddings', 'upsert', 'builtInVectorStore_0 embeddings', loading({ store: { embeddings: '' } })],
  [
    'a plug of another kind',
    'query',
    'builtInVectorStore_0 embeddings',
    loading({ store: { embeddings: to('splitter_0') } }),
  ],
  [
    'a node of another server',
    'upsert',
    'milvus_0 null',
    [node('milvus_0', {}, { category: 'Vector Stores' })],
  ],
  [
    'a reranker that is out of range',
    'query',
    'cohereRerankRetriever_0 topK',
    [
      ...loading({}),
      node('cohereRerankRetriever_0', { baseRetriever: to('builtInVectorStore_0'), topK: 'x' }),
    ],
  ],
  [
    'two nodes that answer',
    'prediction',
    'null null',
    [...withTool(clock), node('toolAgent_1', { model: to('chatOpenAICustom_0') })],
  ],
  ['no model', 'prediction', 'toolAgent_0 model', withTool(clock, { model: '' })],
  [
    'a limit that is a variable',
    'prediction',
    'toolAgent_0 maxIterations',
    withTool(clock, { maxIterations: '{{$vars.n}}' }),
  ],
  [
    'a temperature that is none',
    'prediction',
    'chatOpenAICustom_0 temperature',
    withTool(clock, {}, model({ temperature: 'hot' })),
  ],
  [
    'a model without a credential',
    'prediction',
    'chatOpenAI_0 credential',
    withTool(clock, {}, node('chatOpenAI_0')),
  ],
  [
    'no description of an API',
    'prediction',
    'openAPIToolkit_0 openApiFile',
    withTool(node('openAPIToolkit_0', { inputType: 'file' })),
  ],
  [
    'a link that is none',
    'prediction',
    'openAPIToolkit_0 openApiLink',
    withTool(node('openAPIToolkit_0', { inputType: 'link', openApiLink: 'nowhere' })),
  ],
  [
    'a description that is none',
    'prediction',
    'openAPIToolkit_0 openApiFile',
    withTool(
      node('openAPIToolkit_0', {
        inputType: 'file',
        openApiFile: `data:application/yaml;base64,${btoa('a: [')},filename:a.yaml`,
      }),
    ),
  ],
  [
    'an MCP server that is a command',
    'prediction',
    'customMCP_0 mcpServerConfig',
    withTool(node('customMCP_0', { mcpServerConfig: '{"command": "ls"}' })),
  ],
  [
    'headers that are not JSON',
    'prediction',
    'requestsGet_0 requestsGetHeaders',
    withTool(node('requestsGet_0', { requestsGetUrl: 'https://example.com', requestsGetHeaders: '{a' })),
  ],
  [
    'a tool without an address',
    'prediction',
    'requestsGet_0 requestsGetUrl',
    withTool(node('requestsGet_0', { requestsGetMaxOutputLength: 100 })),
  ],
  [
    'a filter of a tool that is not JSON',
    'prediction',
    'retrieverTool_0 retrieverToolMetadataFilter',
    [
      ...loading({}),
      ...withTool(
        node('retrieverTool_0', { retriever: to('builtInVectorStore_0'), retrieverToolMetadataFilter: '{a' }),
      ),
    ],
  ],
  ['no Start node', 'prediction', 'null null', { nodes: [step('directReplyAgentflow_0')], edges: [] }],
  ['no model in a step', 'prediction', 'llmAgentflow_0 llmModel', llm({ llmModel: '' })],
  [
    'a model that is a tool',
    'prediction',
    'llmAgentflow_0 null',
    llm({ llmModel: 'currentDateTime', llmModelConfig: {} }),
  ],
  [
    'a model of a step without a credential',
    'prediction',
    'llmAgentflow_0 llmModel.credential',
    llm({ llmModel: 'chatOpenAI' }),
  ],
  [
    'a model of a step that is unknown',
    'prediction',
    'llmAgentflow_0 llmModel',
    llm({ llmModel: 'chatMilvus' }),
  ],
  [
    'an answer field without a type',
    'prediction',
    'llmAgentflow_0 llmStructuredOutput',
    llm({ llmStructuredOutput: [{ key: 'a' }] }),
  ],
  [
    'an answer field with a broken schema',
    'prediction',
    'llmAgentflow_0 llmStructuredOutput',
    llm({ llmStructuredOutput: [{ key: 'a', type: 'jsonArray', jsonSchema: 'x' }] }),
  ],
  [
    'a loop to nowhere',
    'prediction',
    'loopAgentflow_0 loopBackToNode',
    after('loopAgentflow_0', { loopBackToNode: 'gone_0' }),
  ],
  [
    'an HTTP step without an address',
    'prediction',
    'httpAgentflow_0 url',
    after('httpAgentflow_0', { url: 'example' }),
  ],
  [
    'a choice without scenarios',
    'prediction',
    'conditionAgentAgentflow_0 conditionAgentScenarios',
    after('conditionAgentAgentflow_0', {
      conditionAgentModel: 'chatOpenAICustom',
      conditionAgentModelConfig: customModel.config,
    }),
  ],
]

const PATHS: Record<Request, [path: string, body: object]> = {
  upsert: ['vector/upsert', {}],
  query: ['vector/query', { query: 'otters' }],
  prediction: ['prediction', { question: 'Otters?' }],
}

async function save(name: string, drawing: object): Promise<Saved> {
  const flowData = Array.isArray(drawing) ? { nodes: drawing, edges: [] } : drawing
  const { status, text, body } = await manage<Saved>('POST', '/api/v1/chatflows', { name, flowData })
  assert.equal(status, 200, text)
  return body
}

for (const [what, request, place, drawing] of BROKEN)
  test(`a flow with ${what} is saved with a warning that ${request} fails, as it then does [flow:saved-problems]`, async () => {
    const saved = await save(what, drawing)
    const [path, body] = PATHS[request]
    const refused = await platform.call<{ code: string }>('POST', `/api/v1/${path}/${saved.id}`, { body })
    assert.ok([400, 422].includes(refused.status), `${refused.status} ${refused.text}`)

    const found = saved.problems.filter(({ requests }) => requests.includes(request))
    const places = found.map(({ nodeId, input }) => `${nodeId} ${input}`)
    assert.deepEqual(places, [place], `${JSON.stringify(found)}\n${refused.text}`)
    assert.match(saved.warning ?? '', /^Saved, but .*(upserts|queries|answers).* will fail: /)
    const validated = await manage<{ problems: Problem[] }>('POST', '/api/v1/flows/validate', {
      flow: saved.id,
    })
    assert.deepEqual(validated.body.problems, saved.problems)
    assert.ok(found.every(({ message }) => !/\n/.test(message)))
  })

test('the list of flows has the first problem of each flow, and a new credential ends it [flow:saved-problems]', async () => {
  type Row = { id: string; problemCount: number; problem: string | null }
  const id = await credential('openAIApi', {})
  const { id: flow } = await save(
    'Listed',
    loading({ embedder: node('openAIEmbeddings_0', { credential: id }) }),
  )
  const row = async () => (await manage<Row[]>('GET', '/api/v1/flows')).body.find((one) => one.id === flow)!
  assert.partialDeepStrictEqual(await row(), {
    problemCount: 1,
    problem: 'The node openAIEmbeddings_0 needs a credential: its credential has no openAIApiKey',
  })
  const plainDataObj = { openAIApiKey: 'k'.repeat(20) }
  await manage('PUT', `/api/v1/credentials/${id}`, { name: 'x', credentialName: 'openAIApi', plainDataObj })
  assert.partialDeepStrictEqual(await row(), { problemCount: 0, problem: null })
})

test('PUT, PATCH, revisions and imports warn as a new flow does, and a mended flow warns no more', async () => {
  const broken = cut('recursiveCharacterTextSplitter', { chunkSize: 12, chunkOverlap: 80 })
  const flowData = { nodes: broken, edges: [] }
  const { id } = await save('Mended', loading({}))
  const warning =
    'Saved, but upserts will fail: The input Chunk Overlap of the node Splitter is not valid: chunkOverlap must be smaller than chunkSize, received chunkOverlap 80 with chunkSize 12'
  assert.equal((await manage<Saved>('PUT', `/api/v1/chatflows/${id}`, { flowData })).body.warning, warning)
  const named = await manage<{ flow: Saved }>('PATCH', `/api/v1/chatflows/${id}/settings`, {
    set: { name: 'M' },
  })
  assert.equal(named.body.flow.warning, warning)
  const back = await manage<Saved>('POST', `/api/v1/chatflows/${id}/revisions/1/restore`)
  assert.equal(back.body.warning, null)
  const imported = await manage<{ flow: Saved }>('POST', '/api/v1/chatflows/import?name=Broken', flowData)
  assert.equal(imported.body.flow.warning, warning)
})

test('sluice flow set, clone and import print what will fail', async () => {
  const { slug } = await save(
    'Told',
    cut('recursiveCharacterTextSplitter', { chunkSize: 12, chunkOverlap: 80 }),
  )
  const sluice = (...argv: string[]) =>
    runSluice(['flow', ...argv, '--url', platform.url, '--key', ADMIN_KEY])
  const words = /: Saved, but upserts will fail: The input Chunk Overlap of the node Splitter is not valid/
  assert.match((await sluice('set', slug, 'name=Told again')).stderr, words)
  assert.match((await sluice('clone', slug, 'Told twice')).stderr, words)
  assert.doesNotMatch((await sluice('set', slug, 'chunkOverlap=1')).stderr, /will fail/)
})

test('flows that run are saved without a warning: templates, the example and the first flow [flow:saved-problems]', async () => {
  const key = await credential('openAIApi', { openAIApiKey: 'k'.repeat(20) })
  /** Everything that a person is asked for. */
  const asked: Inputs = {
    url: 'https://example.com',
    openApiLink: 'https://example.com/openapi.yaml',
    'chatOpenAI_0.credential': key,
  }
  type Settings = { nodes: { credential?: string | null; credentialKinds?: string[] }[] }
  const templates = (await manage<{ name: string; asks: string[] }[]>('GET', '/api/v1/flow-templates')).body
  assert.ok(templates.length > 4)
  for (const { name, asks } of templates) {
    const made = await manage<Saved>('POST', '/api/v1/chatflows', { name, template: name })
    const { nodes } = (await manage<Settings>('GET', `/api/v1/chatflows/${made.body.id}/settings`)).body
    const needsKey = nodes.some(({ credentialKinds }) => credentialKinds?.includes('openAIApi'))
    const set = Object.fromEntries([
      ...asks.map((input) => [input, asked[input]]),
      ...(needsKey ? [['credential', key]] : []),
    ])
    if (Object.keys(set).length === 0) assert.deepEqual(made.body.problems, [], name)
    else {
      assert.match(made.body.warning ?? '', /^Saved, but .* will fail: /, name)
      const changed = await manage<{ flow: Saved }>('PATCH', `/api/v1/chatflows/${made.body.id}/settings`, {
        set,
      })
      assert.deepEqual(changed.body.flow.problems, [], `${name}: ${changed.text}`)
    }
  }
  const first = await manage<{ problems: Problem[] }>('POST', '/api/v1/flows/validate', {
    flow: 'quickstart',
  })
  assert.deepEqual(first.body.problems, [])
  const example = JSON.parse(
    readFileSync(new URL('../../examples/event-agent.json', import.meta.url), 'utf8'),
  ) as object
  const agent = await manage<{ flow: Saved }>('POST', '/api/v1/chatflows/import?name=Events', example)
  assert.deepEqual(
    agent.body.flow.problems.map(({ code }) => code),
    ['credential_missing'],
  )
  const set = { credential: key }
  const mended = await manage<{ flow: Saved }>('PATCH', `/api/v1/chatflows/${agent.body.flow.id}/settings`, {
    set,
  })
  assert.deepEqual(mended.body.flow.problems, [], mended.text)
})

test('a search flow without a node that answers, a flow without loaders and an empty flow have no problem', async () => {
  const [loader, , embedder, store] = loading({})
  for (const [name, drawing] of [
    [
      'search',
      [
        loader,
        {
          ...node('splitter_0'),
          data: { id: 'splitter_0', name: 'recursiveCharacterTextSplitter', label: 's', inputs: {} },
        },
        embedder,
        store,
      ],
    ],
    [
      'read only',
      [
        embedder,
        node('builtInVectorStore_0', {
          embeddings: to('builtInEmbeddings_0'),
          filter: '{"a": "{{$vars.tenant}}"}',
        }),
      ],
    ],
    ['empty', []],
  ] as [string, object[]][])
    assert.deepEqual((await save(name, drawing)).problems, [], name)
})

test('POST /flows/validate checks 999 nodes in turns: other requests are answered meanwhile', async () => {
  const drawing = Array.from({ length: 333 }, (_, n) => [
    node(`recursiveCharacterTextSplitter_${n}`, { chunkSize: 12, chunkOverlap: 80 }),
    node(`plainText_${n}`, { text: 'x', textSplitter: to(`recursiveCharacterTextSplitter_${n}`) }),
    node(`builtInEmbeddings_${n}`),
  ]).flat()
  let ended = false
  const checking = manage<{ problems: Problem[] }>('POST', '/api/v1/flows/validate', {
    flowData: { nodes: drawing, edges: [] },
  }).finally(() => {
    ended = true
  })
  let answered = 0
  while (!ended) {
    await platform.call('GET', '/api/v1/ping')
    answered++
  }
  assert.equal((await checking).body.problems.filter(({ input }) => input === 'chunkOverlap').length, 333)
  // While the check works without turns, at most the calls before and after it are answered.
  assert.ok(answered > 3, `${answered} calls were answered`)
})
