import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { type Answer, redirect, typed, website } from '../../test/support/website.ts'
import { createEgress } from '../kit/egress/client.ts'
import { createEgressRules } from '../kit/egress/rules.ts'
import { SluiceError } from '../kit/errors.ts'
import { callForModel, type AnswerOptions, type HttpCall, MAX_ANSWER_BYTES, sendCall } from './call.ts'
import { LOOPBACK } from '../../test/support/loopback.ts'

const away = (times: number, headers = {}): Answer => {
  let left = times
  return (_request, response) =>
    left-- > 0 ? void response.writeHead(503, headers).end('busy') : void response.end('here')
}
const cutOff: Answer = (request) => void request.socket.destroy()
const seen: { path: string; method: string; headers: IncomingMessage['headers']; body: string }[] = []
const mirror: Answer = async (request, response) => {
  const { url = '', method = '', headers } = request
  seen.push({ path: url, method, headers, body: await text(request) })
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(headers, null, 2))
}

const site = await website({
  '/mirror': mirror,
  '/pretty': typed('application/json', '{\n  "id": 12345678901234567890,\n  "a b": " \\" : , "\n}\n'),
  '/page': typed('text/html; charset=iso-8859-1', new Uint8Array([0x63, 0x61, 0x66, 0xe9, 0x21])),
  '/picture': typed('image/png', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 0])),
  '/long': typed('text/plain', 'x'.repeat(3000)),
  '/endless': typed('text/plain', 'y'.repeat(MAX_ANSWER_BYTES + 10)),
  '/refused': (_request, response) =>
    void response
      .writeHead(422, { 'content-type': 'application/json', location: '/other', 'x-own': '1' })
      .end('{"error": "no date"}'),
  '/nothing': (_request, response) => void response.writeHead(204).end(),
  '/away-once': away(1),
  '/away': away(Infinity),
  '/away-post': away(1),
  '/away-long': away(1, { 'retry-after': '60' }),
  '/cut': cutOff,
  '/silent': () => {},
  '/inside': redirect('http://10.0.0.1/'),
})
const elsewhere = await website({ '/leads-away': redirect(`${site.url}/mirror`, 307) })
const egress = createEgress({ rules: createEgressRules({ allow: LOOPBACK }) })
after(() => egress.close())

const { signal } = new AbortController()
const get = (path: string): HttpCall => ({ method: 'GET', url: `${site.url}${path}`, headers: {} })
const post = (path: string): HttpCall => ({ ...get(path), method: 'POST', body: '{}' })
const tell = (call: HttpCall, options: AnswerOptions = {}, timeoutMs = 5000) =>
  callForModel(call, { egress, timeoutMs }, options, signal)

const ANSWERS: [what: string, call: HttpCall, output: string | RegExp, failed?: true][] = [
  [
    'JSON without white space, every digit kept',
    get('/pretty'),
    'HTTP 200 OK\n\n{"id":12345678901234567890,"a b":" \\" : , "}',
  ],
  ['text in the character set that is declared', get('/page'), 'HTTP 200 OK\n\ncafé!'],
  [
    'what is no text only by its type and size',
    get('/picture'),
    'HTTP 200 OK\n\n(image/png, 8 bytes, not shown)',
  ],
  ['an answer without a body by its status', get('/nothing'), 'HTTP 204 No Content'],
  [
    'a refusal with its body and the headers that matter',
    post('/refused'),
    'HTTP 422 Unprocessable Entity\nlocation: /other\n\n{"error":"no date"}',
    true,
  ],
  ['a server that is away for good', get('/away'), 'HTTP 503 Service Unavailable\n\nbusy', true],
  [
    'the answer of a server that requires a long wait, at once',
    get('/away-long'),
    'HTTP 503 Service Unavailable\nretry-after: 60\n\nbusy',
    true,
  ],
  ['a connection that was cut', get('/cut'), /^The call did not succeed: .* the connection was cut$/, true],
  [
    'a redirect to a place that may not be called',
    get('/inside'),
    /^The call did not succeed: This server may not call 10\.0\.0\.1/,
    true,
  ],
  [
    'an invalid address',
    { ...get(''), url: 'nowhere' },
    'The call did not succeed: the request cannot be sent like this',
    true,
  ],
  [
    'an invalid header',
    { ...get('/mirror'), headers: { 'x-key': 'a secret of 5 €' } },
    'The call did not succeed: the request cannot be sent like this',
    true,
  ],
]

for (const [what, call, output, failed] of ANSWERS) {
  test(`callForModel() returns ${what}`, async () => {
    const outcome = await tell(call)
    if (typeof output === 'string') assert.equal(outcome.output, output)
    else assert.match(outcome.output, output)
    assert.equal(outcome.failed, failed)
  })
}

test('callForModel() notes that it has cut a body', async () => {
  assert.match((await tell(get('/long'))).output, /\n\nx{2000}\n\(cut: the first 2000 of 3000 characters\)$/)
  assert.match(
    (await tell(get('/long'), { maxCharacters: 7 })).output,
    /\n\nx{7}\n\(cut: the first 7 of 3000 characters\)$/,
  )
  assert.doesNotMatch((await tell(get('/long'), { maxCharacters: 3000 })).output, /cut/)
  assert.match(
    (await tell(get('/endless'), { maxCharacters: 5 })).output,
    /\(cut: the first 5 of more than 1048576 characters\)$/,
  )
})

test('callForModel() hides a secret that the answer repeats [tools:headers]', async () => {
  const secret = 'Bearer abc-123-def'
  const call = { ...get('/mirror'), headers: { authorization: secret, 'x-city': 'Bern' } }
  const { output } = await tell(call, { secrets: [secret] })
  assert.equal(seen.at(-1)!.headers.authorization, secret)
  assert.doesNotMatch(output, /abc-123-def/)
  assert.match(output, /"authorization":"••••".*"x-city":"Bern"/)
})

test('sendCall() sends what it is given', async () => {
  const bytes = new TextEncoder().encode('a=1')
  const answer = await sendCall(
    { ...get('/mirror'), method: 'PATCH', headers: { 'x-a': 'b' }, body: bytes },
    { egress },
    signal,
  )
  assert.equal(answer.status, 200)
  assert.partialDeepStrictEqual(seen.at(-1), { method: 'PATCH', body: 'a=1', headers: { 'x-a': 'b' } })
})

test('sendCall() sends no credentials to another origin after a redirect [tools:headers]', async () => {
  const headers = { authorization: 'Bearer abc', 'x-api-key': 'def', 'content-type': 'application/json' }
  await sendCall(
    { method: 'PUT', url: `${elsewhere.url}/leads-away`, headers, body: '{}' },
    { egress },
    signal,
  )
  const { headers: arrived, method, body } = seen.at(-1)!
  assert.deepEqual([method, body, arrived['content-type']], ['PUT', '{}', 'application/json'])
  assert.deepEqual([arrived.authorization, arrived['x-api-key']], [undefined, undefined])
})

test('sendCall() tries again only if the request cannot have changed anything', async () => {
  const count = async (call: HttpCall, path: string) => {
    const before = site.asked.length
    const { failed = false } = await tell(call)
    return [site.asked.slice(before).filter((asked) => asked === path).length, failed]
  }
  assert.deepEqual(await count(get('/away-once'), '/away-once'), [2, false])
  assert.deepEqual(await count(get('/cut'), '/cut'), [3, true])
  assert.deepEqual(await count(post('/away-post'), '/away-post'), [1, true])
  assert.deepEqual(await count(post('/cut'), '/cut'), [1, true])
  assert.deepEqual(await count({ ...post('/cut'), method: 'DELETE' }, '/cut'), [1, true])
})

test('sendCall() waits no longer than its time limit, and ends with its signal', async () => {
  const late = await tell(get('/silent'), {}, 50)
  assert.match(late.output, /did not answer in 0\.05 seconds$/)
  const gone = new AbortController()
  const waiting = callForModel(get('/silent'), { egress }, {}, gone.signal)
  gone.abort(new SluiceError('cancelled'))
  await assert.rejects(waiting, { code: 'cancelled' })
})
