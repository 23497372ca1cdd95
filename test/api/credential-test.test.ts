import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import type {
  CredentialAnswer,
  CredentialKindAnswer,
  CredentialVerdictAnswer,
} from '../../src/api/credential.ts'
import { catalog } from '../../src/nodes/catalog.ts'
import { makePlatform } from '../support/platform.ts'
import { until } from '../support/until.ts'

const SECRET = 'sk-the-secret-of-this-test-0123456789'

type Asked = { method: string; path: string; headers: IncomingHttpHeaders; body: string }

/** A provider that answers as scripted, and remembers what it was asked. */
const asked: Asked[] = []
let script: { status: number; body: string } = { status: 200, body: '{}' }
const provider = createServer((request, response) => {
  let body = ''
  request.on('data', (piece) => {
    body += piece
  })
  request.on('end', () => {
    asked.push({ method: request.method!, path: request.url!, headers: request.headers, body })
    response.writeHead(script.status, { 'content-type': 'application/json' }).end(script.body)
  })
}).listen(0, '127.0.0.1')
await once(provider, 'listening')
after(() => provider.close().closeAllConnections())
const url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`

const platform = await makePlatform({
  OPENAI_BASE_URL: `${url}/v1`,
  OLLAMA_BASE_URL: url,
  EGRESS_DENY: 'denied.example',
})

const make = async (credentialName: string, plainDataObj: object) =>
  (
    await platform.manage<CredentialAnswer>('POST', '/api/v1/credentials', {
      name: `Our ${credentialName}`,
      credentialName,
      plainDataObj,
    })
  ).body.id
const tryOut = async (id: string, body?: object) => {
  asked.length = 0
  const answer = await platform.manage<CredentialVerdictAnswer>(
    'POST',
    `/api/v1/credentials/${id}/test`,
    body,
  )
  assert.ok(!answer.text.includes(SECRET), answer.text)
  return answer
}

test('GET /components-credentials has the fields, the nodes and the test of every kind [credentials:kinds]', async () => {
  const { body: kinds } = await platform.manage<CredentialKindAnswer[]>(
    'GET',
    '/api/v1/components-credentials',
  )
  const taken = new Set(
    [...catalog.values()].flatMap(({ fields }) =>
      Object.values(fields).flatMap(({ type, options = [] }) => (type === 'credential' ? options : [])),
    ),
  )
  assert.deepEqual(kinds.map(({ name }) => name).toSorted(), [...taken].toSorted())
  for (const { name, label, inputs, nodes } of kinds) {
    assert.ok(label !== '' && inputs.length > 0 && nodes.length > 0, name)
    assert.ok(
      inputs.some(({ type }) => type === 'password'),
      `${name} has no secret`,
    )
  }
  const testOf = (wanted: string) => kinds.find(({ name }) => name === wanted)?.test
  assert.deepEqual(testOf('openAIApi'), { address: `${url}/v1` })
  assert.deepEqual(testOf('localAIApi'), { address: null })
  assert.equal(testOf('unstructuredApi'), null)
})

const models = (list: string, name: string) =>
  JSON.stringify({ [list]: [{ [name]: 'one' }, { [name]: 'two' }] })

for (const { kind, data, given, path, header, answer } of [
  {
    kind: 'openAIApi',
    data: { openAIApiKey: SECRET },
    path: '/v1/models',
    header: ['authorization', `Bearer ${SECRET}`],
    answer: models('data', 'id'),
  },
  {
    kind: 'anthropicApi',
    data: { anthropicApiKey: SECRET },
    given: `${url}/v1/`,
    path: '/v1/models?limit=100',
    header: ['x-api-key', SECRET],
    answer: models('data', 'id'),
  },
  {
    kind: 'googleGenerativeAI',
    data: { googleGenerativeAPIKey: SECRET },
    given: `${url}/v1beta`,
    path: '/v1beta/models?pageSize=100',
    header: ['x-goog-api-key', SECRET],
    answer: models('models', 'name'),
  },
  {
    kind: 'ollamaApi',
    data: { ollamaApiKey: SECRET },
    path: '/api/tags',
    header: ['authorization', `Bearer ${SECRET}`],
    answer: models('models', 'name'),
  },
  {
    kind: 'localAIApi',
    data: { localAIApiKey: SECRET },
    given: `${url}/v1`,
    path: '/v1/models',
    header: ['authorization', `Bearer ${SECRET}`],
    answer: models('data', 'id'),
  },
  {
    kind: 'cohereApi',
    data: { cohereApiKey: SECRET },
    given: `${url}/v1`,
    path: '/v1/models?page_size=100',
    header: ['authorization', `Bearer ${SECRET}`],
    answer: models('models', 'name'),
  },
] as const satisfies {
  kind: string
  data: object
  given?: string
  path: string
  header: unknown
  answer: string
}[])
  test(`POST /credentials/:id/test lists the models of the provider: ${kind} [credentials:test]`, async () => {
    script = { status: 200, body: answer }
    const { status, body } = await tryOut(
      await make(kind, data),
      given === undefined ? {} : { address: given },
    )
    assert.equal(status, 200)
    assert.partialDeepStrictEqual(body, {
      ok: true,
      status: 200,
      message: 'It accepts the credential and lists 2 models',
      models: ['one', 'two'],
    })
    assert.deepEqual(
      asked.map((call) => [call.method, call.path, call.headers[header[0]]]),
      [['GET', path, header[1]]],
    )
  })

for (const { kind, data, header } of [
  { kind: 'httpBearerToken', data: { token: SECRET }, header: ['authorization', `Bearer ${SECRET}`] },
  { kind: 'httpApiKey', data: { key: 'x-api', value: SECRET }, header: ['x-api', SECRET] },
  {
    kind: 'httpBasicAuth',
    data: { basicAuthUsername: 'ada', basicAuthPassword: SECRET },
    header: ['authorization', `Basic ${Buffer.from(`ada:${SECRET}`).toString('base64')}`],
  },
  { kind: 'openAPIAuth', data: { openAPIToken: SECRET }, header: ['authorization', `Bearer ${SECRET}`] },
] as const)
  test(`POST /credentials/:id/test calls the given address with the credential: ${kind} [credentials:test]`, async () => {
    script = { status: 200, body: 'no JSON' }
    const { body } = await tryOut(await make(kind, data), { address: `${url}/me` })
    assert.partialDeepStrictEqual(body, { ok: true, message: 'It answered 200', address: `${url}/me` })
    assert.deepEqual([asked[0]?.path, asked[0]?.headers[header[0]]], ['/me', header[1]])
  })

test('POST /credentials/:id/test ranks one short text with Jina AI', async () => {
  script = { status: 200, body: '{"results":[]}' }
  const { body } = await tryOut(await make('jinaAIApi', { jinaAIAPIKey: SECRET }), { address: `${url}/v1` })
  assert.partialDeepStrictEqual(body, { ok: true, message: 'It answered 200' })
  assert.deepEqual([asked[0]?.method, asked[0]?.path], ['POST', '/v1/rerank'])
})

test('POST /credentials/:id/test says what the provider answered, without the secret [credentials:test]', async () => {
  const id = await make('openAIApi', { openAIApiKey: SECRET })
  script = {
    status: 401,
    body: JSON.stringify({ error: { message: `Incorrect API key: ${SECRET}. See the manual.` } }),
  }
  const refused = await tryOut(id)
  assert.equal(refused.status, 200)
  assert.partialDeepStrictEqual(refused.body, {
    ok: false,
    status: 401,
    message: 'It answered 401: Incorrect API key: …. See the manual.',
    address: `${url}/v1/models`,
  })
  const denied = await tryOut(id, { address: 'http://denied.example/v1' })
  assert.partialDeepStrictEqual(denied.body, { ok: false, status: null })
  assert.match(denied.body.message, /denied\.example/)
  const silent = await tryOut(id, { address: 'http://127.0.0.1:1/v1' })
  assert.partialDeepStrictEqual(silent.body, { ok: false, status: null, models: [] })
  assert.match(silent.body.message, /127\.0\.0\.1:1/)
})

test('POST /credentials/:id/test refuses what it cannot do', async () => {
  const local = await make('localAIApi', { localAIApiKey: SECRET })
  assert.partialDeepStrictEqual((await tryOut(local)).body, { code: 'body_invalid', statusCode: 400 })
  const file = await tryOut(local, { address: 'file:///etc/passwd' })
  assert.partialDeepStrictEqual(file.body, { code: 'body_invalid' })
  const unstructured = await tryOut(await make('unstructuredApi', { unstructuredAPIKey: SECRET }))
  assert.partialDeepStrictEqual(unstructured.body, { code: 'credential_not_testable', statusCode: 422 })
  assert.equal((await tryOut('none')).status, 404)
  assert.equal(asked.length, 0)
})

test('values can be tested before they are stored, alone and in place of stored ones', async () => {
  script = { status: 200, body: models('data', 'id') }
  asked.length = 0
  const draft = await platform.manage<CredentialVerdictAnswer>(
    'POST',
    '/api/v1/components-credentials/openAIApi/test',
    { plainDataObj: { openAIApiKey: SECRET } },
  )
  assert.partialDeepStrictEqual(draft.body, { ok: true, models: ['one', 'two'] })
  assert.equal(asked[0]?.headers.authorization, `Bearer ${SECRET}`)
  const id = await make('openAIApi', { openAIApiKey: 'old' })
  await tryOut(id, { plainDataObj: { openAIApiKey: SECRET } })
  assert.equal(asked[0]?.headers.authorization, `Bearer ${SECRET}`)
  await tryOut(id)
  assert.equal(asked[0]?.headers.authorization, 'Bearer old')
})

test('PUT /credentials/:id replaces the fields that are given, and GET names those that are set [credentials:replace-field]', async () => {
  const id = await make('httpBasicAuth', { basicAuthUsername: 'ada', basicAuthPassword: SECRET })
  const put = (body: object) => platform.manage('PUT', `/api/v1/credentials/${id}`, body)
  const fieldsSet = async () =>
    (await platform.manage<CredentialAnswer>('GET', `/api/v1/credentials/${id}`)).body.fieldsSet
  const sent = async () => {
    script = { status: 200, body: '{}' }
    await tryOut(id, { address: url })
    return Buffer.from(asked[0]!.headers.authorization!.slice(6), 'base64').toString()
  }
  await put({ plainDataObj: { basicAuthUsername: 'grace' } })
  assert.equal(await sent(), `grace:${SECRET}`)
  assert.deepEqual(await fieldsSet(), ['basicAuthUsername', 'basicAuthPassword'])
  await put({ plainDataObj: { basicAuthPassword: '' } })
  assert.equal(await sent(), 'grace:')
  assert.deepEqual(await fieldsSet(), ['basicAuthUsername'])
  await put({ credentialName: 'httpBearerToken', plainDataObj: { token: 't' } })
  assert.deepEqual(await fieldsSet(), ['token'])
})

test('GET /credentials?usage=true names the flows and nodes that use each, and when one was last used [credentials:usage]', async () => {
  const id = await make('openAIApi', { openAIApiKey: SECRET })
  const node = (nodeId: string, name: string, label: string, inputs: object, credential?: string) => ({
    id: nodeId,
    data: { id: nodeId, name, label, inputs, ...(credential ? { credential } : {}) },
  })
  await platform.manage('POST', '/api/v1/chatflows', {
    name: 'User of it',
    slug: 'user-of-it',
    flowData: {
      nodes: [
        node('plainText_0', 'plainText', 'Text', { text: 'Otters swim.' }),
        node(
          'openAIEmbeddings_0',
          'openAIEmbeddings',
          'Embedder',
          { basepath: `${url}/v1?api_key=hidden` },
          id,
        ),
        node('builtInVectorStore_0', 'builtInVectorStore', 'Store', {
          document: ['{{plainText_0.data.instance}}'],
          embeddings: '{{openAIEmbeddings_0.data.instance}}',
        }),
      ],
      edges: [],
    },
  })
  const listed = async () =>
    (await platform.manage<CredentialAnswer[]>('GET', '/api/v1/credentials?usage=true')).body.find(
      (one) => one.id === id,
    )!
  assert.partialDeepStrictEqual(await listed(), {
    lastUsedAt: null,
    usedBy: [
      {
        slug: 'user-of-it',
        name: 'User of it',
        nodes: [{ nodeId: 'openAIEmbeddings_0', label: 'Embedder', address: `${url}/v1?api_key=••••` }],
      },
    ],
  })
  const plain = await platform.manage<CredentialAnswer[]>('GET', '/api/v1/credentials')
  assert.ok(plain.body.every((one) => one.usedBy === undefined))

  // A test is no use; an upsert that reads the key is one, also where the provider refuses it.
  await tryOut(id)
  assert.equal((await listed()).lastUsedAt, null)
  script = { status: 401, body: '{"error":{"message":"no"}}' }
  await platform.manage('POST', '/api/v1/vector/upsert/user-of-it', {})
  await until(async () => (await listed()).lastUsedAt !== null)
})
