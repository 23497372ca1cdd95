import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { conversationFlow } from '../support/chat-flows.ts'
import { startChatServer } from '../support/chat-server.ts'
import { ADMIN_KEY, form, makePlatform, type Scenario, testScenarios } from '../support/platform.ts'
import { until } from '../support/until.ts'

/** What a chat window in a page of another site needs besides the prediction. */

const [platform, exposed, model] = await Promise.all([
  makePlatform(),
  makePlatform({ HOST: '0.0.0.0' }),
  startChatServer(),
])
after(() => model.close())

async function makeFlow(row: object, on = platform): Promise<string> {
  const flow = { name: 'A flow', flowData: conversationFlow(model.url), ...row }
  return (await on.manage<{ id: string }>('POST', '/api/v1/chatflows', flow)).body.id
}

const key = await platform.key({ scopes: ['predict'] })
const allowedOrigins = ['https://shop.example']
const [open, closed, listing, attaching, exposedFlow] = await Promise.all([
  makeFlow({}),
  makeFlow({ apikeyid: key.id, chatbotConfig: { fullFileUpload: { status: true } } }),
  makeFlow({ chatbotConfig: { allowedOrigins, allowedOriginsError: 'Only in our shop' } }),
  makeFlow({ chatbotConfig: { fullFileUpload: { status: true } } }),
  makeFlow({}, exposed),
])

const pageHeaders = (origin: string) => ({
  origin,
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'content-type,authorization',
})

const SHOP = 'https://shop.example'
const EVIL = 'https://evil.example'
const LOCAL = 'http://localhost:5500'

for (const { flow, on = platform, origin, allowed, what } of [
  { what: 'a page of this machine in an open flow', flow: open, origin: LOCAL, allowed: true },
  {
    what: 'a page of the internet in an open flow of a server of this machine',
    flow: open,
    origin: EVIL,
    allowed: false,
  },
  {
    what: 'a file, which has no origin, in an open flow of a server of this machine',
    flow: open,
    origin: 'null',
    allowed: false,
  },
  { what: 'a page of the internet in a flow that needs a key', flow: closed, origin: EVIL, allowed: true },
  {
    what: 'a page of the internet in an open flow of a server of the internet',
    flow: exposedFlow,
    on: exposed,
    origin: EVIL,
    allowed: true,
  },
  { what: 'a page that the flow lists', flow: listing, origin: SHOP, allowed: true },
  { what: 'a page that the flow does not list', flow: listing, origin: LOCAL, allowed: false },
])
  test(`${what} ${allowed ? 'may' : 'may not'} ask [predict:pages]`, async () => {
    for (const [method, path] of [
      ['OPTIONS', `/api/v1/prediction/${flow}`],
      ['OPTIONS', `/api/v1/chatmessage/abort/${flow}/c`],
      ['OPTIONS', `/api/v1/attachments/${flow}/c`],
      ['POST', `/api/v1/prediction/${flow}`],
      ['GET', `/api/v1/chatflows-streaming/${flow}`],
      ['GET', `/api/v1/public-chatbotConfig/${flow}`],
    ] as const) {
      const { status, headers } = await on.call(method, path, {
        headers: pageHeaders(origin),
        ...(method === 'POST' ? { body: {} } : {}),
      })
      assert.equal(headers.get('access-control-allow-origin'), allowed ? origin : null, `${method} ${path}`)
      assert.equal(status === 403, !allowed, `${method} ${path} ${status}`)
      assert.equal(headers.get('access-control-allow-credentials'), null)
      if (method === 'OPTIONS' && allowed) {
        assert.equal(status, 204)
        assert.equal(headers.get('access-control-allow-headers'), 'content-type,authorization')
      }
    }
  })

testScenarios(platform, [
  {
    name: 'a page that the flow does not list reads the words of the flow [predict:pages]',
    method: 'POST',
    path: `/api/v1/prediction/${listing}`,
    headers: { origin: EVIL },
    body: { question: 'Hi' },
    status: 403,
    expect: { message: 'Only in our shop', code: 'page_refused' },
  },
  {
    name: 'a page of another origin is refused for a form too, which browsers send without a preflight',
    method: 'POST',
    path: `/api/v1/prediction/${open}`,
    headers: { origin: EVIL },
    body: form({}, { question: 'Hi' }),
    status: 403,
    expect: { message: 'This site is not allowed to access this chatbot' },
  },
  {
    name: 'pages of other sites get no permission except for the routes of chat windows',
    method: 'OPTIONS',
    path: '/api/v1/chatflows',
    headers: pageHeaders(LOCAL),
    status: 404,
  },
  {
    name: 'chatflows-streaming is true for a flow with a model that streams, without a key',
    path: `/api/v1/chatflows-streaming/${closed}`,
    status: 200,
    expect: { isStreaming: true },
  },
  {
    name: 'chatflows-streaming is false for a flow that cannot answer',
    path: '/api/v1/chatflows-streaming/quickstart',
    status: 200,
    expect: { isStreaming: false },
  },
  {
    name: 'chatflows-streaming does not know an unknown flow',
    path: '/api/v1/chatflows-streaming/none',
    status: 404,
  },
  {
    name: 'attachments are refused where the flow does not take them',
    method: 'POST',
    path: `/api/v1/attachments/${open}/c`,
    body: form({ 'a.txt': 'Otters.' }),
    status: 400,
    expect: { code: 'attachments_disabled', message: 'File upload is not enabled for this chatflow' },
  },
  {
    name: 'attachments are refused without the key of the flow',
    method: 'POST',
    path: `/api/v1/attachments/${closed}/c`,
    body: form({ 'a.txt': 'Otters.' }),
    status: 401,
  },
  {
    name: 'attachments of a type without a reader are refused',
    method: 'POST',
    path: `/api/v1/attachments/${attaching}/c`,
    body: form({ 'a.exe': new Uint8Array([0, 1, 2, 3]) }),
    status: 415,
  },
] satisfies Scenario[])

test('public-chatbotConfig holds the looks of the window, and neither nodes nor secrets nor lists', async () => {
  const flow = await makeFlow({
    flowData: {
      nodes: [
        {
          id: 'startAgentflow_0',
          data: {
            id: 'startAgentflow_0',
            name: 'startAgentflow',
            category: 'Agent Flows',
            inputs: { startInputType: 'formInput', formTitle: 'A form', startState: 'hidden state' },
          },
        },
        ...(conversationFlow(model.url, { model: { openAIApiKey: 'sk-secret' } }).nodes as object[]),
      ],
      edges: [],
    },
    chatbotConfig: {
      starterPrompts: { 0: { prompt: 'Hello' } },
      chatFeedback: { status: true },
      allowedOrigins: ['http://localhost:1'],
      apiToken: 'hidden token',
    },
  })
  const { body, text } = await platform.call<{ flowData: string }>(
    'GET',
    `/api/v1/public-chatbotConfig/${flow}`,
  )
  assert.partialDeepStrictEqual(body, {
    starterPrompts: { 0: { prompt: 'Hello' } },
    chatFeedback: { status: true },
    uploads: { isImageUploadAllowed: false, isSpeechToTextEnabled: false },
  })
  const inputs = { startInputType: 'formInput', formTitle: 'A form' }
  assert.deepEqual(JSON.parse(body.flowData), {
    nodes: [{ id: 'startAgentflow_0', data: { name: 'startAgentflow', inputs } }],
    edges: [],
  })
  for (const hidden of ['sk-secret', 'hidden', 'allowedOrigins', 'basepath'])
    assert.ok(!text.includes(hidden), hidden)
})

test('attachments gives the texts of files of all types, and keeps nothing', async () => {
  const files = { 'a.txt': 'Otters swim.', 'b.csv': 'animal\notter\n' }
  const { status, body } = await platform.call('POST', `/api/v1/attachments/${attaching}/c`, {
    body: form(files),
  })
  assert.equal(status, 200)
  assert.deepEqual(body, [
    { name: 'a.txt', mimeType: 'text/plain', size: 12, content: 'Otters swim.' },
    { name: 'b.csv', mimeType: 'text/plain', size: 13, content: 'animal: otter' },
  ])
  await until(() => platform.uploads().length === 0)
})

type Prediction = { chatId: string; chatMessageId: string }

async function talk(flow: string, chatId: string, apiKey?: string): Promise<Prediction> {
  model.script({ text: 'Hello.' })
  const { body } = await platform.call<Prediction>('POST', `/api/v1/prediction/${flow}`, {
    body: { question: 'Hi', chatId },
    ...(apiKey === undefined ? {} : { key: apiKey }),
  })
  return body
}

test('feedback is about an answer of the flow and the chat, follows the key of the flow, and is read by managers', async () => {
  const { chatId, chatMessageId: messageId } = await talk(closed, 'rated', key.apiKey)
  const body = { chatId, messageId, rating: 'THUMBS_UP' }
  const path = `/api/v1/feedback/${closed}`
  const given = await platform.call<{ id: string }>('POST', path, { body, key: key.apiKey })
  assert.partialDeepStrictEqual(given, { status: 200, body: { rating: 'THUMBS_UP', content: '' } })
  const more = { body: { content: 'Very good' }, key: key.apiKey }
  assert.deepEqual((await platform.call('PUT', `/api/v1/feedback/${given.body.id}`, more)).body, {
    status: 'OK',
  })
  assert.equal((await platform.call('PUT', `/api/v1/feedback/${given.body.id}`, { body: {} })).status, 401)
  assert.equal((await platform.call('POST', path, { body })).status, 401)
  assert.equal((await platform.call('POST', `/api/v1/feedback/${open}`, { body })).status, 404)
  const wrong = { body: { ...body, chatId: 'another' }, key: key.apiKey }
  assert.equal((await platform.call('POST', path, wrong)).status, 404)
  assert.partialDeepStrictEqual((await platform.manage('GET', path)).body, [
    { messageId, content: 'Very good' },
  ])
  const listed = await platform.manage<{ feedback?: object }[]>(
    'GET',
    `/api/v1/chatmessage/${closed}?feedback=true&chatId=rated`,
  )
  assert.partialDeepStrictEqual(listed.body[1], { feedback: { rating: 'THUMBS_UP' } })
  assert.equal(listed.body[0]!.feedback, undefined)
  const bad = await platform.manage<object[]>('GET', `/api/v1/chatmessage/${closed}?feedbackType=THUMBS_DOWN`)
  assert.deepEqual(bad.body, [])
})

test('leads follow the flow that the body names', async () => {
  const lead = { chatflowid: closed, chatId: 'c', name: 'Ada', email: 'ada@example.org', phone: null }
  assert.equal((await platform.call('POST', '/api/v1/leads/', { body: lead })).status, 401)
  const kept = await platform.call('POST', '/api/v1/leads/', { body: lead, key: key.apiKey })
  assert.partialDeepStrictEqual(kept, { status: 200, body: { name: 'Ada', phone: null, chatflowid: closed } })
  assert.deepEqual((await platform.manage('GET', `/api/v1/leads/${closed}`)).body, [kept.body])
  assert.equal(
    (await platform.call('POST', '/api/v1/leads', { body: { ...lead, chatflowid: 'none' } })).status,
    404,
  )
})

test('chatmessage pages, orders, narrows, and deletes what it narrows to', async () => {
  const flow = await makeFlow({})
  for (const chatId of ['one', 'two']) await talk(flow, chatId)
  const path = `/api/v1/chatmessage/${flow}`
  const page = await platform.manage<{ data: { role: string; chatId: string }[]; total: number }>(
    'GET',
    `${path}?page=2&limit=1&order=DESC`,
  )
  assert.equal(page.body.total, 4)
  assert.partialDeepStrictEqual(page.body.data, [{ role: 'userMessage', chatId: 'two' }])
  assert.equal(page.body.data.length, 1)
  assert.deepEqual((await platform.manage('DELETE', `${path}?chatId=one`)).body, { raw: [], affected: 2 })
  const left = await platform.manage<{ chatId: string }[]>('GET', path)
  assert.deepEqual(
    left.body.map(({ chatId }) => chatId),
    ['two', 'two'],
  )
  assert.equal((await platform.manage('GET', `${path}?startDate=nonsense`)).status, 400)
  await platform.manage('DELETE', `/api/v1/chatflows/${flow}`)
  assert.equal((await platform.manage('GET', path)).status, 404)
})

test('an upload for the store is let in from a page that the flow lists, and answered so that the page can read it', async () => {
  const path = `/api/v1/vector/upsert/${listing}`
  const preflight = await platform.call('OPTIONS', path, { headers: pageHeaders(SHOP) })
  assert.equal(preflight.headers.get('access-control-allow-origin'), SHOP)
  const other = await platform.call('OPTIONS', path, { headers: pageHeaders(LOCAL) })
  assert.equal(other.headers.get('access-control-allow-origin'), null)
  const refused = await platform.call('POST', path, {
    headers: { origin: LOCAL },
    body: form({ 'a.txt': 'x' }),
  })
  assert.partialDeepStrictEqual(refused, { status: 403, body: { code: 'origin_refused' } })
})

test('GET /chatbot/:flowId is a page where the flow allows it and is open; a manager sees it before [studio:chat-page]', async () => {
  const [shown, keyed] = await Promise.all([
    makeFlow({ isPublic: true, chatbotConfig: { allowedOrigins: [SHOP, 'bad;script-src *'] } }),
    makeFlow({ isPublic: true, apikeyid: key.id }),
  ])
  const page = (flow: string, with_: object = {}) => platform.call('GET', `/chatbot/${flow}`, with_)
  const { status, headers } = await page(shown)
  assert.equal(status, 200)
  const policy = headers.get('content-security-policy')!.split('; ')
  // The sites of the flow may show it in a frame, and nothing in their list can become another rule.
  assert.ok(policy.includes("frame-ancestors 'self' shop.example"), String(policy))
  assert.ok(policy.includes("script-src 'self'"))
  for (const flow of [open, keyed]) {
    assert.equal((await page(flow)).status, 404)
    assert.equal((await page(flow, { key: ADMIN_KEY })).status, 200)
  }
  assert.equal((await page('no-such-flow')).status, 404)
})
