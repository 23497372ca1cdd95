import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { chosenSpeech, SPEECH_SERVICES } from '../../src/chat/speech-services.ts'
import { transcribe } from '../../src/chat/transcription.ts'
import { conversationFlow } from '../support/chat-flows.ts'
import { startChatServer } from '../support/chat-server.ts'
import { egressTo } from '../support/embed-dialects.ts'
import { makePlatform } from '../support/platform.ts'

const KEY = 'key-of-the-speech-service-0123'
const SOUND = Buffer.from([0, 255, 13, 10, 45, 45, 1])

type Asked = {
  path: string
  headers: IncomingHttpHeaders
  fields: Record<string, string>
  file: Buffer
  fileName: string
}

/** A service after OpenAI's description of `POST /audio/transcriptions`. */
const asked: Asked[] = []
let answer: { status: number; body: string; type?: string } | undefined
const service = createServer(async (request, response) => {
  // The platform's own reader of forms checks what was written.
  const form = await new Response(new Uint8Array(await buffer(request)), {
    headers: { 'content-type': request.headers['content-type']! },
  }).formData()
  const file = form.get('file')
  const fields = [...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []))
  asked.push({
    path: request.url!,
    headers: request.headers,
    fields: Object.fromEntries(fields) as Record<string, string>,
    file: file instanceof Blob ? Buffer.from(await file.arrayBuffer()) : Buffer.alloc(0),
    fileName: file instanceof File ? file.name : '',
  })
  const { status, body, type } = answer ?? { status: 200, body: '{"text": " Where do otters live? "}' }
  response.writeHead(status, { 'content-type': type ?? 'application/json' })
  response.end(body)
})
service.listen(0, '127.0.0.1')
await once(service, 'listening')
const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
const [platform, model] = await Promise.all([makePlatform(), startChatServer()])
after(() => {
  assert.deepEqual(model.violations, [])
  model.close()
  service.close()
})

const credential = (
  await platform.manage<{ id: string }>('POST', '/api/v1/credentials', {
    name: 'speech',
    credentialName: 'localAIApi',
    plainDataObj: { localAIApiKey: KEY },
  })
).body.id

async function makeFlow(speechToText: object | undefined): Promise<string> {
  const flow = {
    name: 'A flow',
    flowData: conversationFlow(model.url),
    ...(speechToText ? { speechToText: JSON.stringify(speechToText) } : {}),
  }
  return (await platform.manage<{ id: string }>('POST', '/api/v1/chatflows', flow)).body.id
}

const local = { status: true, baseUrl: `${url}/v1`, credentialId: credential }
const listening = await makeFlow({
  openAIWhisper: { status: false, credentialId: 'x' },
  localAISTT: { ...local, language: 'en', prompt: 'Animals', temperature: '0.2', model: 'whisper-tiny' },
})

const sound = (changes: object = {}) => ({
  type: 'audio',
  name: 'voice "1".weba',
  mime: 'audio/webm;codecs=opus',
  data: `data:audio/webm;codecs=opus;base64,${SOUND.toString('base64')}`,
  ...changes,
})

async function ask(flow: string, body: object) {
  asked.length = 0
  model.otherwise = { text: 'In rivers.' }
  return platform.call<{ text: string; question: string; message: string; code: string }>(
    'POST',
    `/api/v1/prediction/${flow}`,
    { body },
  )
}

test('POST /prediction takes the words of a recording as the question, by the service of the flow', async () => {
  const { status, body } = await ask(listening, { uploads: [sound()] })
  assert.equal(status, 200, body.message)
  assert.deepEqual([body.question, body.text], ['Where do otters live?', 'In rivers.'])
  const [{ path, headers, fields, file, fileName }] = asked as [Asked]
  assert.deepEqual([path, headers.authorization], ['/v1/audio/transcriptions', `Bearer ${KEY}`])
  assert.deepEqual(fields, {
    model: 'whisper-tiny',
    response_format: 'json',
    language: 'en',
    prompt: 'Animals',
    temperature: '0.2',
  })
  assert.deepEqual([file, fileName], [SOUND, 'voice__1_.webm'])
  assert.match(JSON.stringify(model.calls.at(-1)!.body), /Where do otters live\?/)
})

test('POST /prediction puts what was said after what was written, also of a file with a media type of audio', async () => {
  const file = sound({ type: 'file', name: 'a.ogg', mime: 'audio/ogg', data: 'data:audio/ogg;base64,AAAA' })
  const { body } = await ask(listening, { question: 'Answer this:', uploads: [file] })
  assert.equal(body.question, 'Answer this:\n\nWhere do otters live?')
  assert.equal(asked[0]!.fileName, 'a.ogg')
})

test('POST /prediction refuses recordings that no service takes, and calls none', async () => {
  const cases: [flow: string, upload: object, says: RegExp][] = [
    [await makeFlow(undefined), sound(), /this flow takes no audio/],
    [
      await makeFlow({ azureCognitive: { status: true } }),
      sound(),
      /does not have the speech service azureCognitive/,
    ],
    [await makeFlow({ localAISTT: { status: true } }), sound(), /has no baseUrl/],
    [listening, sound({ mime: 'audio/midi' }), /audio\/midi is no type of recording/],
    [listening, sound({ data: 'nonsense' }), /no data URL/],
    [listening, sound({ data: 'data:audio/webm;base64,' }), /it is empty/],
    [
      listening,
      sound({ data: `data:audio/webm;base64,${'A'.repeat(Math.ceil((25 * 2 ** 20) / 3) * 4 + 4)}` }),
      /25 MB at the most/,
    ],
  ]
  for (const [flow, upload, says] of cases) {
    const { status, body } = await ask(flow, { question: 'a', uploads: [upload] })
    assert.deepEqual([status, body.code], [422, 'upload_refused'])
    assert.match(body.message, says)
  }
  assert.equal(asked.length, 0)
})

test('POST /prediction names the service that fails, without the key', async () => {
  const failures: [typeof answer, RegExp][] = [
    [{ status: 401, body: `{"error": {"message": "${KEY} is wrong"}}` }, /LocalAI failed: it answered 401/],
    [{ status: 200, body: '{"text": "  "}' }, /LocalAI failed: its answer has no words in it/],
    [{ status: 200, body: '<html>', type: 'text/html' }, /LocalAI failed: its answer is a web page/],
  ]
  for (const [failure, says] of failures) {
    answer = failure
    const { status, body } = await ask(listening, { uploads: [sound()] })
    answer = undefined
    assert.equal(status, 502)
    assert.match(body.message, says)
    assert.ok(!JSON.stringify(body).includes(KEY))
  }
})

test('POST /prediction takes no key of another kind, and none to a provider without a credential', async () => {
  const wrong = await makeFlow({ groqWhisper: { status: true, credentialId: credential } })
  const refused = await ask(wrong, { uploads: [sound()] })
  assert.equal(refused.body.code, 'credential_wrong_kind')
  const none = await makeFlow({ openAIWhisper: { status: true } })
  assert.equal((await ask(none, { uploads: [sound()] })).body.code, 'credential_missing')
})

test('GET /public-chatbotConfig says whether a flow takes recordings', async () => {
  const config = async (flow: string) =>
    (
      await platform.call<{ uploads: { isSpeechToTextEnabled: boolean } }>(
        'GET',
        `/api/v1/public-chatbotConfig/${flow}`,
      )
    ).body.uploads.isSpeechToTextEnabled
  assert.equal(await config(listening), true)
  assert.equal(await config(await makeFlow({ azureCognitive: { status: true } })), false)
})

test('each row of the table of speech services is called at its address', async () => {
  const addresses: string[] = []
  for (const { name, provider, baseURL = 'http://127.0.0.1:9/v1', model } of SPEECH_SERVICES) {
    assert.equal(chosenSpeech({ other: {}, [name]: { status: 'true' } })!.service!.name, name)
    const options = { egress: egressTo(url, addresses), provider, baseURL, apiKey: KEY, model, fields: {} }
    const recording = { name: 'a.webm', mime: 'audio/webm', bytes: SOUND }
    assert.equal(await transcribe(options, recording, new AbortController().signal), 'Where do otters live?')
    assert.equal(asked.at(-1)!.fields.model, model)
  }
  assert.deepEqual(addresses, [
    'https://api.openai.com/v1/audio/transcriptions',
    'http://127.0.0.1:9/v1/audio/transcriptions',
    'https://api.groq.com/openai/v1/audio/transcriptions',
  ])
})
