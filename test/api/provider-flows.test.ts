import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { ImportAnswer } from '../../src/api/flow-import.ts'
import type { JsonObject } from '../../src/kit/json.ts'
import { CHAT_PROVIDERS, type ChatProvider } from '../../src/nodes/chat-models/chat-providers.ts'
import { EMBEDDING_PROVIDERS } from '../../src/nodes/embeddings/embedding-providers.ts'
import { node, start, step, steps } from '../support/agent-drawing.ts'
import { AZURE, CHAT_DIALECTS, LOCAL, namesOf, speaking } from '../support/chat-dialects.ts'
import { type Scene, startChatServer } from '../support/chat-server.ts'
import { EMBED_CALLS } from '../support/embed-dialects.ts'
import { reference } from '../support/flow-drawing.ts'
import { ledEgress } from '../support/led-egress.ts'
import { makePlatform, type TestPlatform } from '../support/platform.ts'
import { startProviderServer } from '../support/provider-server.ts'

/**
 * Every provider of the product's tables, asked through a flow as an export of Flowise brings it: the flow is imported, gets a
 * credential of the provider, and answers. The hosts of the providers are led to servers that speak as their descriptions say.
 */

const [chat, embeddings] = await Promise.all([startChatServer(), startProviderServer()])
const hostsOf = (addresses: string[], server: string) =>
  new Map(addresses.map((address) => [new URL(address).host, server]))
const [asking, searching] = await Promise.all([
  makePlatform(
    {},
    {
      openEgress: ledEgress(
        hostsOf(
          Object.values(CHAT_DIALECTS).map(({ url }) => url),
          chat.url,
        ),
      ),
    },
  ),
  makePlatform(
    {},
    {
      openEgress: ledEgress(
        hostsOf(
          Object.values(EMBED_CALLS).map(([address]) => address),
          embeddings.url,
        ),
      ),
    },
  ),
])
after(() => {
  chat.close()
  embeddings.close()
  assert.deepEqual([chat.violations, embeddings.violations], [[], []])
})

const KEY = 'key-0123456789-of-the-provider'

async function credentialOf(
  platform: TestPlatform,
  { credential: { kind, key }, azure }: Pick<ChatProvider, 'credential' | 'azure'>,
): Promise<string> {
  const { status, body, text } = await platform.manage<{ id: string }>('POST', '/api/v1/credentials', {
    name: kind,
    credentialName: kind,
    plainDataObj: { [key]: KEY, ...(azure ? AZURE : {}) },
  })
  assert.equal(status, 200, text)
  return body.id
}

/** Imports a drawing. The report has nothing to do, to supply or to leave out. */
async function imported(
  platform: TestPlatform,
  drawing: { nodes: object[]; edges: object[] },
): Promise<string> {
  const { status, body, text } = await platform.manage<ImportAnswer>(
    'POST',
    '/api/v1/export-import/import',
    drawing,
  )
  assert.equal(status, 200, text)
  const { runs, replaced, ignored, unsupported, rows } = body.report
  assert.deepEqual(
    { runs, replaced, ignored, unsupported },
    { runs: 'yes', replaced: [], ignored: [], unsupported: [] },
  )
  assert.deepEqual(
    rows.filter(({ severity }) => severity !== 'note'),
    [],
  )
  return String(body.flow.id)
}

type Prediction = { text: string; usedTools?: { tool: string; toolOutput: string }[] }

test('each row of the tables of providers is asked here [providers:flows]', () => {
  assert.deepEqual(CHAT_PROVIDERS.map(({ node }) => node).sort(), Object.keys(CHAT_DIALECTS).sort())
  assert.deepEqual(EMBEDDING_PROVIDERS.map(({ node }) => node).sort(), Object.keys(EMBED_CALLS).sort())
})

for (const row of CHAT_PROVIDERS) {
  const dialect = CHAT_DIALECTS[row.node]!
  const isLocal = dialect.url.startsWith(LOCAL)
  const names = namesOf(row)
  const { header = 'authorization' } = dialect
  const inputs: JsonObject = {
    [names.modelName]: 'a-model',
    temperature: '0.3',
    streaming: true,
    ...(isLocal ? { [names.basepath]: `${chat.url}/v1` } : {}),
  }
  /** The node as the dialect draws it, with its credential beside its inputs. */
  const model = (credential: string) => {
    const drawn = node(`${row.node}_0`, inputs, 'Chat Models')
    return { ...drawn, data: { ...drawn.data, credential } }
  }

  /** Asks a flow, and checks every call that the provider got. */
  async function ask(flow: string, question: string, ...scenes: Scene[]): Promise<Prediction> {
    const before = chat.calls.length
    chat.script(...scenes.map((scene) => speaking(dialect, scene)))
    const { status, body, text } = await asking.call<Prediction>('POST', `/api/v1/prediction/${flow}`, {
      body: { question },
    })
    assert.equal(status, 200, text)
    assert.equal(chat.left(), 0)
    const { host, pathname, search } = new URL(dialect.url)
    for (const call of chat.calls.slice(before)) {
      assert.deepEqual(
        [call.path, call.search, call.body.model, call.body.temperature],
        [isLocal ? '/v1/chat/completions' : `/${host}${pathname}`, search, 'a-model', 0.3],
      )
      assert.equal(call.headers[header], header === 'authorization' ? `Bearer ${KEY}` : KEY)
      if (header !== 'authorization') assert.equal(call.headers.authorization, undefined)
    }
    assert.equal(chat.calls.length, before + scenes.length)
    return body
  }

  test(`${row.node} answers in a conversation of an imported flow, as ${row.provider} is asked [providers:flows]`, async () => {
    const credential = await credentialOf(asking, row)
    const flow = await imported(asking, {
      nodes: [
        model(credential),
        node('bufferMemory_0'),
        node('conversationChain_0', {
          model: reference(`${row.node}_0`),
          memory: reference('bufferMemory_0'),
        }),
      ],
      edges: [],
    })
    assert.equal((await ask(flow, 'Where do otters live?', { text: 'In rivers.' })).text, 'In rivers.')
    assert.match(JSON.stringify(chat.calls.at(-1)!.body.messages), /Where do otters live\?/)
  })

  test(`${row.node} answers in an imported agent flow, as ${row.provider} is asked [providers:flows]`, async () => {
    const credential = await credentialOf(asking, row)
    const flow = await imported(asking, {
      nodes: [
        start(),
        step('llmAgentflow_0', {
          llmModel: row.node,
          llmModelConfig: { ...inputs, llmModel: row.node, FLOWISE_CREDENTIAL_ID: credential },
          llmMessages: '',
          llmUserMessage: 'Where do otters live?',
        }),
      ],
      edges: steps('startAgentflow_0 > llmAgentflow_0'),
    })
    assert.equal((await ask(flow, 'Hello.', { text: 'In rivers.' })).text, 'In rivers.')
  })

  if (row.quirks?.noTools !== true)
    test(`${row.node} calls a tool of an imported agent, as ${row.provider} is asked [providers:flows]`, async () => {
      const credential = await credentialOf(asking, row)
      const flow = await imported(asking, {
        nodes: [
          model(credential),
          node('calculator_0'),
          node('bufferMemory_0'),
          node('toolAgent_0', {
            model: reference(`${row.node}_0`),
            memory: reference('bufferMemory_0'),
            tools: [reference('calculator_0')],
          }),
        ],
        edges: [],
      })
      const turn = { calls: [{ name: 'calculator', input: { input: '6 * 7' }, id: 'abcdefgh1' }] }
      const { text, usedTools } = await ask(flow, 'What is 6 times 7?', turn, { text: 'It is 42.' })
      assert.equal(text, 'It is 42.')
      assert.deepEqual(
        usedTools?.map(({ tool, toolOutput }) => [tool, toolOutput]),
        [['calculator', '42']],
      )
    })
}

for (const row of EMBEDDING_PROVIDERS) {
  const [address, document, query] = EMBED_CALLS[row.node]!

  test(`${row.node} loads and searches in an imported flow, as ${row.provider} is asked [providers:flows]`, async () => {
    const drawn = node(
      `${row.node}_0`,
      {
        modelName: row.model ?? 'a-model',
        ...(row.dimensions === undefined ? {} : { [row.names?.dimensions ?? 'dimensions']: '8' }),
      },
      'Embeddings',
    )
    const credential = await credentialOf(searching, row)
    const flow = await imported(searching, {
      nodes: [
        { ...drawn, data: { ...drawn.data, credential } },
        node('plainText_0', { text: 'Otters sleep in rivers.\n\nHerons stand still.' }),
        node('builtInVectorStore_0', {
          document: [reference('plainText_0')],
          embeddings: reference(`${row.node}_0`),
        }),
      ],
      edges: [],
    })
    const before = embeddings.calls.length
    const loaded = await searching.call<{ numAdded: number }>('POST', `/api/v1/vector/upsert/${flow}`, {
      body: {},
    })
    assert.equal(loaded.status, 200, loaded.text)
    assert.equal(loaded.body.numAdded, 1)
    const ofDocuments = embeddings.calls.slice(before)
    const found = await searching.query(flow, { query: 'Where do otters sleep?', mode: 'vector' })
    assert.equal(found.status, 200, found.text)
    assert.match(found.body.docs[0]!.pageContent, /Otters sleep/)
    const ofQuestion = embeddings.calls.slice(before + ofDocuments.length)
    assert.ok(ofDocuments.length > 0 && ofQuestion.length === 1)
    const { host, pathname } = new URL(address.replace('/deployments/ada/', '/deployments/our-deployment/'))
    for (const [calls, body] of [
      [ofDocuments, document],
      [ofQuestion, query],
    ] as const)
      for (const call of calls) {
        assert.equal(call.path, `/${host}${pathname}`)
        assert.deepEqual(
          [call.headers['api-key'], call.headers.authorization],
          row.azure ? [KEY, undefined] : [undefined, `Bearer ${KEY}`],
        )
        const named = 'inputs' in call.body ? {} : { model: row.model ?? 'a-model' }
        assert.partialDeepStrictEqual(call.body, { ...body, ...named })
      }
  })
}
