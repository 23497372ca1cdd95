import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { node, step, steps } from '../support/agent-drawing.ts'
import { type ChatCall, startChatServer } from '../support/chat-server.ts'
import { makePlatform } from '../support/platform.ts'

/** Servers that repeat the keys they were called with: an HTTP API, and a model that repeats its input. */

const TOKEN = 'tok/en+of-the-credential'
const TYPED = 'key-typed-into-the-flow'
const WORKSPACE = 'workspace-of-the-tests'
const PROVIDER = 'sk-provider-key-of-tests'
const QUERY = 'key-in-the-address'
const BLANKS = 'hold hands while 7 otters'
const HOOK = 'Zx81kkPqL0qw55mTTa'
const PASSWORD = 'hunter of the 2 rivers'
const SECRETS = [TOKEN, TYPED, WORKSPACE, PROVIDER, QUERY, BLANKS, HOOK, PASSWORD]

const api = createServer(async (request, response) => {
  const sent = await text(request)
  response.setHeader('content-type', 'application/json')
  response.setHeader('x-echo', String(request.headers['x-api-key']))
  response.end(
    JSON.stringify({
      ...request.headers,
      url: request.url,
      sent,
      encoded: Buffer.from(JSON.stringify(request.headers)).toString('base64'),
    }),
  )
})
await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve))
const apiUrl = `http://127.0.0.1:${(api.address() as AddressInfo).port}`
const [platform, chat] = await Promise.all([makePlatform(), startChatServer()])
after(() => {
  api.close()
  assert.deepEqual(chat.violations, [])
  chat.close()
})

/** Every way in which a secret could still be read. */
function assertHidden(text: string): void {
  for (const secret of SECRETS)
    for (const spelling of [
      secret,
      JSON.stringify(secret).slice(1, -1),
      encodeURIComponent(secret),
      Buffer.from(secret).toString('base64'),
      Buffer.from(secret).toString('base64url'),
    ])
      assert.ok(!text.includes(spelling), `${spelling} stands in ${text}`)
  for (const [encoded] of text.matchAll(/[\w+/]{40,}={0,2}/g)) {
    const decoded = Buffer.from(encoded, 'base64').toString('latin1')
    for (const secret of SECRETS) assert.ok(!decoded.includes(secret), `${secret} stands in ${decoded}`)
  }
}

const model = { modelName: 'scripted', basepath: `${chat.url}/v1`, openAIApiKey: PROVIDER, streaming: true }

/** A model that repeats its input and the key that it was called with, a few characters at a time. */
const parrot = (call: ChatCall) => {
  const said = `${JSON.stringify(call.body.messages)} ${call.headers.authorization} ${Buffer.from(PROVIDER).toString('base64')}!`
  return { text: said.match(/.{1,3}/gs)! }
}

async function make(name: string, flowData: object): Promise<string> {
  const made = await platform.manage<{ id: string }>('POST', '/api/v1/chatflows', { name, flowData })
  assert.equal(made.status, 200, made.text)
  return made.body.id
}

async function ask(flow: string, streaming: boolean): Promise<{ all: string; said: string }> {
  const response = await fetch(`${platform.url}/api/v1/prediction/${flow}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ question: 'What is your input?', streaming }),
  })
  const all = await response.text()
  if (!streaming) {
    return { all, said: (JSON.parse(all) as { text?: string }).text ?? '' }
  }
  const events = all
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => JSON.parse(line.slice(5)) as { event: string; data: unknown })
  const tokens = events.filter(({ event }) => event === 'token')
  return { all, said: tokens.map(({ data }) => String(data)).join('') }
}

async function agentFlow(): Promise<string> {
  const { body } = await platform.manage<{ id: string }>('POST', '/api/v1/credentials', {
    name: 'bearer',
    credentialName: 'httpBearerToken',
    plainDataObj: { token: TOKEN },
  })
  const http = (number: number, responseType: string) =>
    step(`httpAgentflow_${number}`, {
      credential: body.id,
      method: 'POST',
      url: `${apiUrl}/services/${HOOK}/echo?api_key=${QUERY}`,
      bodyType: 'json',
      body: JSON.stringify({ login: { user: 'ann', password: PASSWORD } }),
      headers: [
        { key: 'X-Api-Key', value: TYPED },
        { key: 'X-Workspace', value: WORKSPACE },
        { key: 'X-Pass', value: BLANKS },
        { key: 'X-Phrase', value: BLANKS },
      ],
      responseType,
    })
  return make('Echo', {
    nodes: [
      step('startAgentflow_0', { startInputType: 'chatInput', startState: '' }),
      http(0, 'json'),
      http(1, 'base64'),
      step('llmAgentflow_0', {
        llmModel: 'chatOpenAICustom',
        llmModelConfig: { ...model, llmModel: 'chatOpenAICustom' },
        llmMessages: [{ role: 'user', content: '{{ httpAgentflow_0 }} {{ httpAgentflow_1 }}' }],
      }),
    ],
    edges: steps(
      'startAgentflow_0 > httpAgentflow_0',
      'httpAgentflow_0 > httpAgentflow_1',
      'httpAgentflow_1 > llmAgentflow_0',
    ),
  })
}

test('POST /prediction masks what HTTP nodes and a model repeat of the keys, in answers, streams and messages [secret:masked-in-runs]', async () => {
  const flow = await agentFlow()
  for (const streaming of [false, true]) {
    chat.script(parrot)
    const { all, said } = await ask(flow, streaming)
    assertHidden(all)
    assertHidden(said)
    assert.match(said, /Bearer ••••|•••• ••••!/)
    // The model itself got no key either.
    assertHidden(JSON.stringify(chat.calls.at(-1)!.body))
    assert.match(JSON.stringify(chat.calls.at(-1)!.body), /httpAgentflow|••••/)
  }
  const messages = await platform.manage('GET', `/api/v1/chatmessage/${flow}`)
  assert.match(messages.text, /••••/)
  assertHidden(messages.text)
  const executions = await platform.manage<{ data: { id: string }[] }>('GET', '/api/v1/executions')
  assert.equal(executions.body.data.length, 2)
  for (const { id } of executions.body.data) {
    const execution = await platform.manage('GET', `/api/v1/executions/${id}`)
    assert.match(execution.text, /••••/)
    assertHidden(execution.text)
  }
  assertHidden(JSON.stringify(platform.log))
})

test('POST /prediction masks what a request tool and a model repeat of the keys [secret:masked-in-runs]', async () => {
  const flow = await make('Tool echo', {
    nodes: [
      node('chatOpenAICustom_0', model),
      node('requestsGet_0', {
        requestsGetUrl: `${apiUrl}/services/${HOOK}/echo?api_key=${QUERY}`,
        requestsGetName: 'echo',
        requestsGetDescription: 'Repeats what it is sent',
        requestsGetHeaders: JSON.stringify({ Authorization: `Bearer ${TOKEN}`, 'X-Api-Key': TYPED }),
      }),
      node('requestsPost_0', {
        requestsPostUrl: `${apiUrl}/bot7:${HOOK}/login`,
        requestsPostName: 'login',
        requestsPostDescription: 'Repeats what it is sent',
        requestsPostHeaders: JSON.stringify({ 'X-Pass': BLANKS }),
        requestPostBody: JSON.stringify({ user: 'ann', password: PASSWORD }),
      }),
      node('toolAgent_0', {
        model: '{{chatOpenAICustom_0.data.instance}}',
        tools: ['{{requestsGet_0.data.instance}}', '{{requestsPost_0.data.instance}}'],
      }),
    ],
    edges: [],
  })
  for (const streaming of [false, true]) {
    chat.script({ calls: [{ name: 'echo', input: {} }] }, { calls: [{ name: 'login', input: {} }] }, parrot)
    const { all, said } = await ask(flow, streaming)
    assert.match(all, /usedTools/)
    assertHidden(all)
    assertHidden(said)
    assertHidden(JSON.stringify(chat.calls.at(-1)!.body))
  }
})

test('POST /prediction masks the key that a provider repeats when it refuses it [secret:masked-in-runs]', async () => {
  const flow = await make('Refused', {
    nodes: [
      node('chatOpenAICustom_0', model),
      node('conversationChain_0', { model: '{{chatOpenAICustom_0.data.instance}}' }),
    ],
    edges: [],
  })
  const message = `Incorrect key ${encodeURIComponent(PROVIDER)} ${Buffer.from(PROVIDER).toString('base64')}`
  chat.otherwise = { status: 401, body: JSON.stringify({ error: { message } }) }
  for (const streaming of [false, true]) {
    const { all } = await ask(flow, streaming)
    assert.match(all, /Incorrect key/)
    assertHidden(all)
  }
  chat.otherwise = undefined
  assertHidden(JSON.stringify(platform.log))
})
