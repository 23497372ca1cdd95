import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { test, type TestContext } from 'node:test'
import { step, steps } from '../../../../test/support/agent-drawing.ts'
import { agentRuntime } from '../../../../test/support/agent-runtime.ts'
import { createEgress } from '../../../kit/egress/client.ts'
import { createEgressRules } from '../../../kit/egress/rules.ts'
import { LOOPBACK } from '../../../../test/support/loopback.ts'

/** A server that answers with the request that it received, and a flow with one HTTP node that calls it. */
async function setUp(
  t: TestContext,
  { userInfo = '', ...inputs }: { userInfo?: string; [input: string]: unknown },
  answer: { status?: number; body?: string; cookie?: string } = {},
) {
  const seen: { request: IncomingMessage; body: string }[] = []
  const server = createServer(async (request, response) => {
    seen.push({ request, body: await text(request) })
    response.writeHead(answer.status ?? 200, {
      'content-type': 'application/json',
      ...(answer.cookie === undefined ? {} : { 'set-cookie': answer.cookie }),
    })
    response.end(answer.body ?? '{"events": [{"name": "Fair"}]}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const egress = createEgress({ rules: createEgressRules({ allow: LOOPBACK }) })
  t.after(async () => {
    await egress.close()
    server.close()
  })
  const url = `http://${userInfo}127.0.0.1:${(server.address() as AddressInfo).port}/events`
  const credentials = {
    basic: { basicAuthUsername: 'ada', basicAuthPassword: 'secret' },
    bearer: { token: 'secret' },
    key: { key: 'X-Key', value: 'secret' },
  }
  const { ask } = agentRuntime({ egress, credentials })
  const nodes = [
    step('startAgentflow_0'),
    step('httpAgentflow_0', { url: `<p>${url}</p>`, ...inputs }),
    step('directReplyAgentflow_0', {
      directReplyMessage:
        '{{httpAgentflow_0.output.http.status}} {{httpAgentflow_0.output.http.data.events[0].name}}',
    }),
  ]
  const edges = steps('startAgentflow_0 > httpAgentflow_0', 'httpAgentflow_0 > directReplyAgentflow_0')
  const outcome = await ask({ nodes, edges }, { question: 'a "b"' })
  const { request, body } = seen[0]!
  return { ...outcome, method: request.method, url: request.url, headers: request.headers, body }
}

test('an HTTP node sends the request that its inputs describe, and other nodes read the response', async (t) => {
  const { text, method, url, headers } = await setUp(t, {
    queryParams: [{ key: 'q', value: '{{question}}' }],
    headers: [{ key: 'X-Trace', value: '<p>t</p>' }],
  })
  assert.deepEqual([method, url, headers['x-trace']], ['GET', '/events?q=a+%22b%22', 't'])
  assert.equal(text, '200 Fair')
})

test('an HTTP node marks a response that it has not read completely', async (t) => {
  const { agentFlowExecutedData } = await setUp(t, {}, { body: 'x'.repeat(2 ** 20 + 1) })
  assert.partialDeepStrictEqual(agentFlowExecutedData![1], {
    data: { output: { http: { truncated: true } } },
  })
})

test('an HTTP node outputs a failed response', async (t) => {
  const { text } = await setUp(t, {}, { status: 404, body: 'none' })
  assert.equal(text, '404 {{httpAgentflow_0.output.http.data.events[0].name}}')
})

for (const [bodyType, body, type, sent] of [
  ['json', '{"q": "{{question}}"}', 'application/json', '{"q": "a \\"b\\""}'],
  ['raw', 'just {{question}}', 'text/plain', 'just a "b"'],
  [
    'xWwwFormUrlencoded',
    [{ key: 'a', value: '{{question}}' }],
    'application/x-www-form-urlencoded',
    'a=a+%22b%22',
  ],
  ['formData', '{"a": "1"}', 'multipart/form-data', 'form-data; name="a"\r\n\r\n1\r\n'],
] as const)
  test(`an HTTP node sends a body of type ${bodyType}`, async (t) => {
    const { headers, body: arrived } = await setUp(t, { method: 'POST', bodyType, body })
    assert.equal(headers['content-type']!.split(';')[0], type)
    assert.ok(arrived.includes(sent), arrived)
  })

for (const [credential, header, value] of [
  ['basic', 'authorization', 'Basic YWRhOnNlY3JldA=='],
  ['bearer', 'authorization', 'Bearer secret'],
  ['key', 'x-key', 'secret'],
] as const)
  test(`an HTTP node sends its ${credential} credential to the server and shows it nowhere`, async (t) => {
    const body = JSON.stringify({ seen: value })
    const { headers, agentFlowExecutedData } = await setUp(t, { credential }, { body })
    assert.equal(headers[header], value)
    assert.doesNotMatch(JSON.stringify(agentFlowExecutedData), /secret|YWRhOnNlY3JldA/)
  })

test('an HTTP node shows neither the query of an address nor a cookie', async (t) => {
  const answer = { cookie: 'session=secret' }
  const { headers, agentFlowExecutedData } = await setUp(t, { userInfo: 'ada:secret@' }, answer)
  assert.equal(headers.authorization, 'Basic YWRhOnNlY3JldA==')
  assert.doesNotMatch(JSON.stringify(agentFlowExecutedData), /secret/)
})

test('an HTTP node refuses an invalid header of the node and of the credential', async (t) => {
  const headers = [{ key: 'X-Question', value: 'a\n{{question}}' }]
  await assert.rejects(setUp(t, { headers }), { code: 'input_invalid', message: /Headers/ })
})

test('an HTTP node refuses an invalid address', async (t) => {
  await assert.rejects(setUp(t, { url: 'nowhere' }), { code: 'input_invalid' })
})
