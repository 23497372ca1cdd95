import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { conversationFlow } from '../support/chat-flows.ts'
import { startChatServer } from '../support/chat-server.ts'
import type { Description } from '../support/described.ts'
import { form, makePlatform, testScenarios } from '../support/platform.ts'

const [platform, model] = await Promise.all([makePlatform(), startChatServer()])
after(() => model.close())
const { body: description } = await platform.call<Description>('GET', '/openapi.json')
const { body: talking } = await platform.manage<{ id: string }>('POST', '/api/v1/chatflows', {
  name: 'Talking',
  flowData: conversationFlow(model.url),
})
await platform.upload('quickstart', { 'otters.txt': 'Otters hold hands.' })

/** How sentences of validators read. */
const VALIDATOR =
  /Invalid (input|option|string|key|ISO|date|UUID)|Too (small|big)|Unrecognized|must (be|have|match) |FST_|ZodError|expected string|NaN/

const WRONG = [7, 'text', true, null, [], {}, [7], -1, 1e300]

for (const [path, methods] of Object.entries(description.paths))
  for (const [method, { requestBody, parameters }] of Object.entries(methods)) {
    const schema = requestBody?.content['application/json']?.schema as
      | { properties?: Record<string, object> }
      | undefined
    const fields = Object.keys(schema?.properties ?? {})
    const inQuery = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)
    if (fields.length === 0 && inQuery.length === 0) continue
    test(`${method} ${path} describes in plain words what is wrong with a field [errors:plain]`, async () => {
      const address = path.replace(/\{\w+\}/g, talking.id)
      const seen = []
      for (const wrong of WRONG) {
        if (schema) seen.push(await platform.manage(method.toUpperCase(), address, wrong as object))
        for (const field of fields)
          seen.push(await platform.manage(method.toUpperCase(), address, { [field]: wrong }))
      }
      for (const name of inQuery)
        for (const wrong of ['', 'text', '-1', '1e300', '1.5'])
          seen.push(await platform.manage(method.toUpperCase(), `${address}?${name}=${wrong}`))
      for (const { status, body } of seen) {
        const { message } = (body ?? {}) as { message?: string }
        if (status >= 400 && message !== undefined) assert.doesNotMatch(message, VALIDATOR)
      }
    })
  }

testScenarios(platform, [
  {
    name: 'a query names the fields of its body that it does not know, with the nearest that it does [query:unknown-fields]',
    method: 'POST',
    path: '/api/v1/vector/query/quickstart',
    body: { query: 'otters', topk: 1, colour: 'red' },
    status: 200,
    expect: {
      warnings: [
        { key: 'topk', reason: 'there is no such field; did you mean topK?' },
        { key: 'colour', reason: 'there is no such field' },
      ],
    },
  },
  {
    name: 'a query by address names the parameters that it does not know [query:unknown-fields]',
    path: '/api/v1/vector/query/quickstart?q=otters&topk=1',
    status: 200,
    expect: { warnings: [{ key: 'topk', reason: 'there is no such field; did you mean topK?' }] },
  },
])

test('a query without unknown fields has no warnings', async () => {
  const { body } = await platform.query('quickstart', { query: 'otters', topK: 1 })
  assert.ok(!Object.hasOwn(body, 'warnings'))
})

test('a prediction names the fields of its body that it does not know, whole and streamed [predict:unknown-fields]', async () => {
  const warnings = [{ key: 'questoin', reason: 'there is no such field; did you mean question?' }]
  const ask = (streaming: boolean) => {
    model.script({ text: 'Yes.' })
    return platform.call<{ warnings: object[] }>('POST', `/api/v1/prediction/${talking.id}`, {
      body: { question: 'Do they?', questoin: 'a secret', streaming, chatflowid: talking.id },
    })
  }
  assert.deepEqual((await ask(false)).body.warnings, warnings)
  const streamed = await ask(true)
  assert.ok(streamed.text.includes(JSON.stringify(warnings).slice(1, -1)), streamed.text)
  assert.ok(!streamed.text.includes('a secret'))
})

test('an upsert names the override that was meant [upsert:override:reported]', async () => {
  const { status, body } = await platform.call<{ warnings: object[] }>(
    'POST',
    '/api/v1/vector/upsert/quickstart',
    { body: form({ 'a.txt': 'Otters swim.' }, { chunksize: '100' }) },
  )
  assert.equal(status, 200)
  assert.deepEqual(body.warnings, [
    { key: 'chunksize', reason: 'no node of this flow has such an input; did you mean chunkSize?' },
  ])
})
