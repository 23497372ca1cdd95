import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { conversationFlow, documentFlow, overridable } from '../support/chat-flows.ts'
import { type Scene, startChatServer } from '../support/chat-server.ts'
import { ADMIN_KEY, form, makePlatform, type TestPlatform } from '../support/platform.ts'
import { openSocket } from '../support/raw-http.ts'
import { until } from '../support/until.ts'

const [platform, model] = await Promise.all([makePlatform(), startChatServer()])
after(() => {
  assert.deepEqual(model.violations, [])
  model.close()
})

type Prediction = { text: string; chatId: string; chatMessageId: string; sessionId: string }
type Message = { id: string; role: string; content: string; chatType: string; sessionId: string }

async function makeFlow(row: object, on: TestPlatform = platform): Promise<string> {
  const flow = { name: 'A flow', flowData: conversationFlow(model.url), ...row }
  return (await on.manage<{ id: string }>('POST', '/api/v1/chatflows', flow)).body.id
}

const open = await makeFlow({})

/** Asks with a script for the model; the answer as it is. */
async function ask(flow: string, body: object | FormData, scenes: Scene[], key?: string) {
  model.script(...scenes)
  return platform.call<Prediction>('POST', `/api/v1/prediction/${flow}`, {
    body,
    ...(key === undefined ? {} : { key }),
  })
}

/** Begins to ask and goes on while the answer is on its way. */
const begin = (flow: string, body: object, signal?: AbortSignal) =>
  fetch(`${platform.url}/api/v1/prediction/${flow}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ streaming: true, ...body }),
    ...(signal ? { signal } : {}),
  })

async function messagesOf(flow: string, query = ''): Promise<Message[]> {
  return (await platform.manage<Message[]>('GET', `/api/v1/chatmessage/${flow}${query}`)).body
}

const textsOf = async (flow: string, chatId: string) =>
  (await messagesOf(flow, `?chatId=${chatId}`)).map(({ content }) => content)

const askedOf = (call: { body: object }) =>
  (call.body as { messages: { content: unknown }[] }).messages.map(({ content }) => content)

/** Reads until a text has come; the reader goes on from there. */
async function readUntil(reader: ReadableStreamDefaultReader<string>, text: string): Promise<string> {
  let all = ''
  while (!all.includes(text)) {
    const { value, done } = await reader.read()
    assert.ok(!done, `${all} ended without ${text}`)
    all += value
  }
  return all
}

/** Lets others work before something is looked at again. */
const soon = () => setTimeout(5)

const readerOf = (response: Response) =>
  response.body!.pipeThrough(new TextDecoderStream()).getReader() as ReadableStreamDefaultReader<string>

async function rest(reader: ReadableStreamDefaultReader<string>): Promise<string> {
  let all = ''
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return all
    all += value
  }
}

test('a prediction takes null for each field that a client does not set, and ignores unknown fields [predict:fields]', async () => {
  const nulls = {
    chatId: null,
    overrideConfig: null,
    history: null,
    uploads: null,
    streaming: null,
    form: null,
  }
  const { status, body } = await ask(
    open,
    { ...nulls, leadEmail: null, humanInput: null, question: 'Hi', chatflowId: open, socketIOClientId: 'x' },
    [{ text: 'Hello there.' }],
  )
  assert.equal(status, 200)
  assert.partialDeepStrictEqual(body, {
    text: 'Hello there.',
    question: 'Hi',
    sessionId: body.chatId,
    memoryType: 'Buffer Memory',
    isStreamValid: true,
  })
  assert.match(body.chatId, /^[0-9a-f-]{36}$/)
  assert.deepEqual(
    (await messagesOf(open, `?chatId=${body.chatId}`)).map(({ id, role, content }) => [
      role,
      content,
      id === body.chatMessageId,
    ]),
    [
      ['userMessage', 'Hi', false],
      ['apiMessage', 'Hello there.', true],
    ],
  )
})

test('a prediction names what of overrideConfig took no effect [predict:fields]', async () => {
  const { body } = await ask(open, { question: 'Hi', overrideConfig: { temperature: 0, nonsense: 1 } }, [
    { text: 'Hello.' },
  ])
  assert.partialDeepStrictEqual(body, {
    warnings: [
      { key: 'temperature', reason: 'this flow does not allow any overrides' },
      { key: 'nonsense', reason: 'no node of this flow has such an input' },
    ],
  })
})

for (const { what, body, status, code } of [
  { what: 'neither question nor form', body: {}, status: 400, code: 'question_missing' },
  { what: 'both of them', body: { question: 'a', form: { b: 1 } }, status: 400, code: 'body_invalid' },
  {
    what: 'a session that is no text',
    body: { question: 'a', overrideConfig: { sessionId: 1 } },
    status: 400,
    code: 'override_invalid',
  },
  {
    what: 'a voice',
    body: {
      question: 'a',
      uploads: [{ type: 'audio', name: 'a.webm', mime: 'audio/webm', data: 'data:audio/webm;base64,AAAA' }],
    },
    status: 422,
    code: 'upload_refused',
  },
  {
    what: 'an address that is none',
    body: { question: 'a', uploads: [{ type: 'url', name: 'a', mime: '', data: 'file:///etc/passwd' }] },
    status: 422,
    code: 'upload_refused',
  },
  {
    what: 'an address that the egress rules forbid',
    body: { question: 'a', uploads: [{ type: 'url', name: 'a', mime: '', data: 'http://169.254.169.254/' }] },
    status: 403,
    code: 'egress_denied',
  },
  {
    what: 'a picture that is none',
    body: { question: 'a', uploads: [{ type: 'file', name: 'a.png', mime: 'image/png', data: 'nonsense' }] },
    status: 422,
    code: 'upload_refused',
  },
])
  test(`a prediction refuses ${what} as JSON, streaming or not [predict:fields]`, async () => {
    for (const streaming of [false, true]) {
      const answer = await ask(open, { ...body, streaming }, [])
      assert.deepEqual([answer.status, (answer.body as { code?: string }).code], [status, code], answer.text)
    }
  })

test('a prediction has the statuses of an unknown flow, a closed one, and one that cannot answer', async () => {
  const key = await platform.key({ scopes: ['predict'] })
  const closed = await makeFlow({ apikeyid: key.id })
  const queryOnly = await platform.key({ scopes: ['query'], flows: [closed] })
  assert.equal((await ask('no-such-flow', { question: 'Hi' }, [])).status, 404)
  assert.equal((await ask(closed, { question: 'Hi' }, [])).status, 401)
  assert.equal((await ask(closed, { question: 'Hi' }, [], queryOnly.apiKey)).status, 403)
  assert.equal((await ask(closed, { question: 'Hi' }, [{ text: 'Hello.' }], key.apiKey)).status, 200)
  assert.equal((await ask('quickstart', { question: 'Hi' }, [])).status, 422)
})

test('a prediction counts against the limit of the flow', async () => {
  const rateLimit = { status: true, limitMax: 1, limitDuration: 60, limitMsg: 'Slow down, please' }
  const flow = await makeFlow({ apiConfig: { rateLimit } })
  await ask(flow, { question: 'Hi' }, [{ text: 'Hello.' }])
  const { status, body } = await ask(flow, { question: 'Hi' }, [])
  assert.partialDeepStrictEqual({ status, body }, { status: 429, body: { message: 'Slow down, please' } })
})

test('a prediction remembers its session, which overrideConfig, chatId or the server names [predict:session]', async () => {
  await ask(open, { question: 'I am Ada', chatId: 'chat of Ada' }, [{ text: 'Hello Ada.' }])
  await ask(open, { question: 'Who am I?', overrideConfig: { sessionId: 'chat of Ada' } }, [{ text: 'Ada.' }])
  assert.deepEqual(askedOf(model.calls.at(-1)!).slice(1), ['I am Ada', 'Hello Ada.', 'Who am I?'])
  const given = [
    { role: 'userMessage', content: 'My name is Bob' },
    { type: 'apiMessage', message: 'Hello Bob.' },
  ]
  const { body } = await ask(open, { question: 'Who am I?', history: given }, [{ text: 'Bob.' }])
  assert.deepEqual(askedOf(model.calls.at(-1)!).slice(1), ['My name is Bob', 'Hello Bob.', 'Who am I?'])
  assert.notEqual(body.sessionId, 'chat of Ada')
})

test('a question that fails is kept, and no model gets it later [predict:session]', async () => {
  const failed = await ask(open, { question: 'First', chatId: 'failing' }, [{ status: 400 }])
  assert.ok(failed.status >= 500, failed.text)
  await ask(open, { question: 'Second', chatId: 'failing' }, [{ text: 'Answer.' }])
  assert.deepEqual(askedOf(model.calls.at(-1)!).slice(1), ['Second'])
  assert.deepEqual(await textsOf(open, 'failing'), ['First', 'Second', 'Answer.'])
})

test('a session of a closed flow belongs to the key that began it [predict:session]', async () => {
  const [ada, bob] = [
    await platform.key({ scopes: ['predict'] }),
    await platform.key({ scopes: ['predict'] }),
  ]
  const flow = await makeFlow({ apikeyid: ada.id })
  await platform.manage('PUT', `/api/v1/apikey/${bob.id}`, { keyName: 'bob', flows: [flow] })
  const chat = { question: 'What is my secret?', chatId: 'shared' }
  await ask(flow, { ...chat, question: 'My secret is 42' }, [{ text: 'I keep it.' }], ada.apiKey)
  for (const streaming of [false, true]) {
    const stolen = await ask(flow, { ...chat, streaming }, [], bob.apiKey)
    assert.partialDeepStrictEqual(stolen, { status: 403, body: { code: 'session_taken' } })
  }
  assert.equal((await ask(flow, chat, [{ text: '42' }], ada.apiKey)).body.text, '42')
  assert.equal((await ask(flow, chat, [{ text: '42' }], ADMIN_KEY)).status, 200)
})

test('a stream is frames of Flowise, byte for byte, under the headers that they come with [predict:stream]', async () => {
  model.script({ text: 'They hold hands.' })
  const response = await begin(open, { question: 'Hi', chatId: 'bytes' })
  assert.equal(response.status, 200)
  const heads = ['content-type', 'cache-control', 'connection', 'x-accel-buffering'].map((name) =>
    response.headers.get(name),
  )
  assert.deepEqual(heads, ['text/event-stream', 'no-cache', 'keep-alive', 'no'])
  const answer = (await messagesOf(open, '?chatId=bytes')).at(-1)
  const text = await response.text()
  const { id } = answer?.role === 'apiMessage' ? answer : (await messagesOf(open, '?chatId=bytes')).at(-1)!
  assert.equal(
    text,
    [
      '{"event":"start","data":"They"}',
      '{"event":"token","data":"They"}',
      '{"event":"token","data":" hold"}',
      '{"event":"token","data":" hands."}',
      `{"event":"metadata","data":{"chatId":"bytes","chatMessageId":"${id}","question":"Hi","sessionId":"bytes","memoryType":"Buffer Memory"}}`,
      '{"event":"end","data":"[DONE]"}',
    ]
      .map((json) => `message:\ndata:${json}\n\n`)
      .join(''),
  )
})

test('a stream that fails ends with error and end, and what the client has seen is kept [predict:stream]', async () => {
  model.script({ cutAfter: 'They hold' })
  const text = await (await begin(open, { question: 'Hi', chatId: 'cut' })).text()
  const names = [...text.matchAll(/"event":"(\w+)"/g)].map(([, name]) => name)
  assert.deepEqual(names.slice(-2), ['error', 'end'], text)
  assert.doesNotMatch(text, /127\.0\.0\.1|\.ts:/)
  assert.match((await textsOf(open, 'cut'))[1]!, /^They/)
})

test('a client that goes away ends the call to the model [predict:stop]', { timeout: 60_000 }, async () => {
  for (const streaming of [true, false]) {
    const leaving = new AbortController()
    const chatId = `left ${streaming}`
    const call = model.calls.length
    model.script({ silentAfter: 'They hold' })
    const response = begin(open, { question: 'Hi', chatId, streaming }, leaving.signal)
    if (streaming) await readUntil(readerOf(await response), 'hold')
    else while (model.calls.length === call) await soon()
    leaving.abort()
    await response.then(
      () => {},
      () => {},
    )
    while (!model.calls.at(-1)!.aborted) await soon()
    const seen = streaming ? ['Hi', 'They hold'] : ['Hi']
    while ((await textsOf(open, chatId)).length < seen.length) await soon()
    assert.deepEqual(await textsOf(open, chatId), seen)
  }
})

test('a chat that is stopped sends abort and end, and the other stream of the same chat id goes on [predict:stop]', async () => {
  const other = await makeFlow({})
  model.script({ silentAfter: 'One two' })
  const first = readerOf(await begin(open, { question: 'Hi', chatId: 'same' }))
  await readUntil(first, 'two')
  model.script({ silentAfter: 'Three four' })
  const second = readerOf(await begin(other, { question: 'Hi', chatId: 'same' }))
  await readUntil(second, 'four')
  assert.partialDeepStrictEqual(await platform.call('PUT', `/api/v1/chatmessage/abort/${open}/same`), {
    status: 200,
    body: { status: 200, message: 'Chat message aborted' },
  })
  assert.equal(
    await rest(first),
    'message:\ndata:{"event":"abort","data":"[DONE]"}\n\nmessage:\ndata:{"event":"end","data":"[DONE]"}\n\n',
  )
  await platform.call('PUT', `/api/v1/chatmessage/abort/${other}/same`)
  assert.match(await rest(second), /"abort".*"end"/s)
  assert.deepEqual(await textsOf(open, 'same'), ['Hi', 'One two'])
})

test('a stream is finished when the platform is closed, and its answer is kept [predict:stop]', async () => {
  const closing = await makePlatform({}, { servers: 1 })
  const flow = await makeFlow({}, closing)
  model.script({ text: 'One two three four five.', slow: 50 })
  const response = await fetch(`${closing.url}/api/v1/prediction/${flow}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ question: 'Count', streaming: true }),
  })
  const reader = readerOf(response)
  const begun = await readUntil(reader, 'One')
  const closed = closing.close()
  assert.match(begun + (await rest(reader)), /five\..*"metadata".*"end","data":"\[DONE\]"\}\n\n$/s)
  await closed
})

test('a client that reads nothing delays its own answer, and no other [predict:stop]', async (t) => {
  model.script({ text: Array.from({ length: 4000 }, (_, n) => `${n} ${'x'.repeat(4000)} `) })
  const body = JSON.stringify({ question: 'Hi', chatId: 'slow', streaming: true })
  const socket = (await openSocket(platform.url)).setEncoding('utf8').pause()
  t.after(() => socket.destroy())
  const before = model.calls.length
  socket.write(
    `POST /api/v1/prediction/${open} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  )
  while (model.calls.length === before) await soon()
  assert.equal((await ask(open, { question: 'Quick' }, [{ text: 'Quick.' }])).body.text, 'Quick.')
  assert.deepEqual(await textsOf(open, 'slow'), ['Hi'], 'the answer is still under way')
  const read = (await socket.toArray()).join('')
  assert.match(read, /3999 x/)
  assert.match(read, /"end","data":"\[DONE\]"/)
})

test('a form is a prediction too: its fields are overrides, its files go along with the question [predict:fields, predict:uploads]', async () => {
  const fullFileUpload = { status: true }
  const flow = await makeFlow({ apiConfig: overridable('temperature'), chatbotConfig: { fullFileUpload } })
  const fields = {
    question: 'What is it about?',
    chatId: 'of a form',
    temperature: '0.5',
    streaming: 'false',
  }
  const files = { 'otters.txt': 'Otters hold hands.' }
  const { status, text, body } = await ask(flow, form(files, fields), [{ text: 'Otters.' }])
  assert.equal(status, 200, text)
  assert.equal(body.chatId, 'of a form')
  const call = model.calls.at(-1)!
  assert.equal(call.body.temperature, 0.5)
  assert.equal(askedOf(call).at(-1), "<doc name='otters.txt'>Otters hold hands.</doc>\n\nWhat is it about?")
  await until(() => platform.uploads().length === 0)
  const refused = await ask(open, form(files, fields), [])
  assert.partialDeepStrictEqual(refused, { status: 400, body: { code: 'attachments_disabled' } })
})

const PICTURE = `data:image/png;base64,${Buffer.from('a picture').toString('base64')}`

test('a picture goes to a model that takes pictures, and is kept with the question behind a link that expires [predict:uploads]', async () => {
  const flow = await makeFlow({
    flowData: conversationFlow(model.url, { model: { allowImageUploads: true } }),
  })
  const uploads = [{ type: 'file', name: 'a.png', mime: 'image/png', data: PICTURE }]
  await ask(flow, { question: 'What is it?', chatId: 'seen', uploads }, [{ text: 'An otter.' }])
  assert.deepEqual(askedOf(model.calls.at(-1)!).at(-1), [
    { type: 'text', text: 'What is it?' },
    { type: 'image_url', image_url: { url: PICTURE } },
  ])
  const [question] = (await messagesOf(flow, '?chatId=seen')) as unknown as {
    fileUploads: { url: string }[]
  }[]
  const { url } = question!.fileUploads[0]!
  const file = await platform.call('GET', url)
  assert.deepEqual(
    [file.status, file.headers.get('content-type'), file.text],
    [200, 'image/png', 'a picture'],
  )
  assert.equal((await platform.call('GET', url.replace(/signature=./, 'signature='))).status, 403)
  assert.equal((await platform.call('GET', url.replace(/expires=\d/, 'expires=9'))).status, 403)
})

test('a picture is fetched from its address, and what is no picture there is refused [predict:uploads]', async (t) => {
  const bytes = Buffer.from('a picture')
  const server = createServer((request, response) => {
    if (request.url === '/gone.png') response.writeHead(404).end()
    else if (request.url === '/page') response.writeHead(200, { 'content-type': 'text/html' }).end('<p>')
    else if (request.url === '/huge.png')
      response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.alloc(6 * 2 ** 20))
    else response.writeHead(200, { 'content-type': 'image/png' }).end(bytes)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => server.close())
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const flow = await makeFlow({
    flowData: conversationFlow(model.url, { model: { allowImageUploads: true } }),
  })
  const upload = (path: string) => [{ type: 'url', name: 'a.png', mime: 'image/png', data: base + path }]
  const seen = [
    { type: 'text', text: 'What is it?' },
    { type: 'image_url', image_url: { url: PICTURE } },
  ]

  await ask(flow, { question: 'What is it?', uploads: upload('/a.png') }, [{ text: 'An otter.' }])
  assert.deepEqual(askedOf(model.calls.at(-1)!).at(-1), seen)

  model.script({ text: 'An otter.' })
  const content = [seen[0], { type: 'image_url', image_url: { url: `${base}/a.png` } }]
  const body = { model: flow, messages: [{ role: 'user', content }] }
  assert.equal((await platform.call('POST', '/v1/chat/completions', { body })).status, 200)
  assert.deepEqual(askedOf(model.calls.at(-1)!).at(-1), seen)

  for (const [path, reason] of [
    ['/gone.png', /answers 404/],
    ['/page', /text\/html is no type of picture/],
    ['/huge.png', /5 MB at the most/],
  ] as const) {
    const refused = await ask(flow, { question: 'What is it?', uploads: upload(path) }, [])
    assert.equal(refused.status, 422)
    assert.match(JSON.stringify(refused.body), reason)
  }
})

test('a file for the store is loaded before the question is asked [query:predict]', async () => {
  const flow = await makeFlow({ flowData: documentFlow(model.url), apiConfig: overridable('files') })
  const data = `data:text/plain;base64,${Buffer.from('Otters hold hands.').toString('base64')}`
  const uploads = [{ type: 'file:rag', name: 'otters.txt', mime: 'text/plain', data }]
  const { body } = await ask(flow, { question: 'Do otters hold hands?', uploads }, [{ text: 'Yes.' }])
  assert.partialDeepStrictEqual(body, {
    text: 'Yes.',
    sourceDocuments: [{ pageContent: 'Otters hold hands.', metadata: { source: 'otters.txt' } }],
  })
})

test('internal-prediction is for managers, and its messages are internal', async () => {
  model.script({ text: 'Hello.' })
  const path = `/api/v1/internal-prediction/${open}`
  const body = { question: 'Hi', chatId: 'internal' }
  assert.equal((await platform.manage('POST', path, body)).status, 200)
  assert.deepEqual(
    (await messagesOf(open, '?chatType=INTERNAL')).map(({ content }) => content),
    ['Hi', 'Hello.'],
  )
  assert.equal((await platform.call('POST', path, { body })).status, 401)
  assert.equal((await platform.manage('POST', '/api/v1/internal-prediction/none', body)).status, 404)
})
