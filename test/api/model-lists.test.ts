import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { catalog } from '../../src/nodes/catalog.ts'
import { CHAT_PROVIDERS } from '../../src/nodes/chat-models/chat-providers.ts'
import { EMBEDDING_PROVIDERS } from '../../src/nodes/embeddings/embedding-providers.ts'
import { makePlatform } from '../support/platform.ts'

const KEY = 'sk-test-0123456789abcdef0123'

/** The answers of the providers, by path. */
const LISTS: Readonly<Record<string, object>> = {
  '/v1/models': {
    data: [
      { id: 'small-chat', display_name: 'Small Chat' },
      { id: 'large-embedding', display_name: 'Large Embedding' },
      { id: 7 },
    ],
  },
  '/v1beta/models': {
    models: [
      { name: 'models/gem', displayName: 'Gem', supportedGenerationMethods: ['generateContent'] },
      { name: 'models/gem-embed', displayName: 'Gem Embed', supportedGenerationMethods: ['embedContent'] },
    ],
  },
  '/api/tags': { models: [{ name: 'llama:8b' }, { name: 'nomic' }] },
}

const asked: IncomingMessage[] = []
const provider = createServer((request, response) => {
  asked.push(request)
  const list = LISTS[request.url!.split('?')[0]!]
  response.writeHead(list ? 200 : 401, { 'content-type': 'application/json' })
  response.end(JSON.stringify(list ?? { error: { message: `the key ${KEY} is not valid` } }))
})
provider.listen(0, '127.0.0.1')
await once(provider, 'listening')
after(() => provider.close())
const url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
const platform = await makePlatform()

const models = (node: string, inputs: object) =>
  platform.manage<{ label: string; name: string }[] & { message?: string; code?: string }>(
    'POST',
    `/api/v1/node-load-method/${node}`,
    { loadMethod: 'listModels', inputs },
  )

/** Those of the tables of providers: they are asked by OpenAI's protocol, or are lists that are kept here. */
const OF_PROVIDERS: [node: string, inputs: object, names: readonly string[], header: string | undefined][] =
  CHAT_PROVIDERS.map(({ node, names, models, credential }) => [
    node,
    { [names?.basepath ?? 'basepath']: `${url}/v1`, [credential.key]: KEY },
    models === 'asked' ? ['large-embedding', 'small-chat'] : models.toSorted(),
    models === 'asked' ? 'authorization' : undefined,
  ])
for (const { node, addressInput, models, credential } of EMBEDDING_PROVIDERS)
  if (models !== undefined && (models !== 'asked' || addressInput !== undefined))
    OF_PROVIDERS.push([
      node,
      { ...(addressInput === undefined ? {} : { [addressInput]: `${url}/v1` }), [credential.key]: KEY },
      models === 'asked' ? ['large-embedding', 'small-chat'] : models.toSorted(),
      models === 'asked' ? 'authorization' : undefined,
    ])

const CARDS: typeof OF_PROVIDERS = [
  [
    'chatOpenAI',
    { basepath: `${url}/v1`, openAIApiKey: KEY },
    ['large-embedding', 'small-chat'],
    'authorization',
  ],
  ['chatOpenAICustom', { basepath: `${url}/v1` }, ['large-embedding', 'small-chat'], undefined],
  ['openAIEmbeddings', { basepath: `${url}/v1`, openAIApiKey: KEY }, ['large-embedding'], 'authorization'],
  ['openAIEmbeddingsCustom', { basepath: `${url}/v1` }, ['large-embedding', 'small-chat'], undefined],
  ['localAIEmbeddings', { basePath: `${url}/v1` }, ['large-embedding', 'small-chat'], undefined],
  [
    'chatAnthropic',
    { baseUrl: `${url}/v1`, anthropicApiKey: KEY },
    ['large-embedding', 'small-chat'],
    'x-api-key',
  ],
  [
    'chatGoogleGenerativeAI',
    { baseUrl: `${url}/v1beta`, googleGenerativeAPIKey: KEY },
    ['gem'],
    'x-goog-api-key',
  ],
  ['googleGenerativeAiEmbeddings', { baseUrl: `${url}/v1beta` }, ['gem-embed'], undefined],
  ['chatOllama', { baseUrl: url }, ['llama:8b', 'nomic'], undefined],
  ['ollamaEmbedding', { baseUrl: url }, ['llama:8b', 'nomic'], undefined],
  ...OF_PROVIDERS,
]

test('each list of models of the catalog is asked', () => {
  // Together AI has no input for another address: its chat models are asked, by the same function.
  const rows = new Set([...CARDS.map(([node]) => node), 'togetherAIEmbedding'])
  for (const { name, lists } of catalog.values())
    assert.ok(
      !lists?.listModels || rows.has(name),
      `${name} has no row in CARDS of test/api/model-lists.test.ts`,
    )
})

for (const [node, inputs, names, header] of CARDS)
  test(`POST /node-load-method/${node} lists the models of the provider, and sends the key of the node [studio:model-lists]`, async () => {
    asked.length = 0
    const { status, body } = await models(node, inputs)
    assert.equal(status, 200, body.message)
    assert.deepEqual(body.map(({ name }) => name).sort(), names)
    const headers = asked[0]?.headers ?? {}
    for (const name of ['authorization', 'x-api-key', 'x-goog-api-key'])
      assert.equal(headers[name]?.toString().includes(KEY) ?? false, name === header, name)
  })

test('POST /node-load-method/:name lists models with the key of a credential, and only of a kind that the node takes', async () => {
  const make = async (credentialName: string, field: string) =>
    (
      await platform.manage<{ id: string }>('POST', '/api/v1/credentials', {
        name: credentialName,
        credentialName,
        plainDataObj: { [field]: KEY },
      })
    ).body.id
  asked.length = 0
  const right = await make('openAIApi', 'openAIApiKey')
  assert.equal((await models('chatOpenAI', { basepath: `${url}/v1`, credential: right })).status, 200)
  assert.equal(asked[0]!.headers.authorization, `Bearer ${KEY}`)
  const wrong = await models('chatOpenAI', {
    basepath: `${url}/v1`,
    credential: await make('anthropicApi', 'anthropicApiKey'),
  })
  assert.equal(wrong.body.code, 'credential_wrong_kind')
  assert.equal(asked.length, 1)
})

test('POST /node-load-method/:name answers what the provider refused, without the key', async () => {
  const { status, body } = await models('chatOpenAI', { basepath: `${url}/other`, openAIApiKey: KEY })
  assert.equal(status, 502)
  assert.match(body.message!, /OpenAI failed: it answered 401/)
  assert.doesNotMatch(JSON.stringify(body), /sk-test/)
  const empty = await models('localAIEmbeddings', {})
  assert.deepEqual([empty.status, empty.body.code], [422, 'input_invalid'])
})

test('GET /nodes marks the inputs in which variables may stand [studio:variables]', async () => {
  type Input = { name: string; acceptVariable?: boolean; array?: Input[] }
  const { body } = await platform.manage<{ name: string; inputs: Input[] }[]>('GET', '/api/v1/nodes')
  const marked = (node: string) =>
    body
      .find(({ name }) => name === node)!
      .inputs.flatMap(({ name, acceptVariable, array = [] }) => [
        ...(acceptVariable ? [name] : []),
        ...array.flatMap((column) => (column.acceptVariable ? [`${name}.${column.name}`] : [])),
      ])
  assert.ok(marked('llmAgentflow').includes('llmMessages.content'))
  assert.ok(!marked('llmAgentflow').includes('llmModel'))
  assert.ok(marked('toolAgent').includes('systemMessage'))
  assert.deepEqual(marked('recursiveCharacterTextSplitter'), [])
  assert.deepEqual(marked('customFunctionAgentflow').includes('customFunctionJavascriptFunction'), false)
})
