import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { InstanceExport } from '../../src/api/export-import.ts'
import { conversationFlow } from '../support/chat-flows.ts'
import { startChatServer } from '../support/chat-server.ts'
import { makePlatform } from '../support/platform.ts'

const [from, to, model] = await Promise.all([makePlatform(), makePlatform(), startChatServer()])
after(() => model.close())

const SECRET = 'sk-typed-into-a-node'
const key = (await from.manage<{ id: string }>('POST', '/api/v1/apikey', { keyName: 'ours', flows: [] })).body
  .id

async function makeFlow(row: object): Promise<string> {
  const { status, body, text } = await from.manage<{ id: string }>('POST', '/api/v1/chatflows', row)
  assert.equal(status, 200, text)
  return body.id
}

const flowData = conversationFlow(model.url, { model: { openAIApiKey: SECRET } })
const open = await makeFlow({ name: 'Open', flowData, chatbotConfig: { title: 'Hello' } })
const closed = await makeFlow({ name: 'Closed', flowData, apikeyid: key })
for (const [name, value] of [
  ['city', 'Bern'],
  ['apiToken', SECRET],
])
  await from.manage('POST', '/api/v1/variables', { name, value, type: 'static' })

const exported = async (choice: object) =>
  from.manage<InstanceExport>('POST', '/api/v1/export-import/export', choice)

test('POST /export-import/export gives all flows and variables in the lists of Flowise, without secrets', async () => {
  const { status, body, text } = await exported({})
  assert.equal(status, 200)
  assert.ok(!text.includes(SECRET))
  const flow = body.ChatFlow.find(({ id }) => id === open)!
  assert.deepEqual([flow.name, flow.type, flow.apikeyid], ['Open', 'CHATFLOW', null])
  assert.deepEqual(JSON.parse(flow.chatbotConfig!), { title: 'Hello' })
  assert.ok(Array.isArray(JSON.parse(flow.flowData).nodes))
  assert.equal(body.ChatFlow.find(({ id }) => id === closed)!.apikeyid, key)
  assert.deepEqual(body.Variable.map(({ name, value }) => [name, value]).sort(), [
    ['apiToken', ''],
    ['city', 'Bern'],
  ])
  const chosen = (await exported({ variable: true, chatflow: false })).body
  assert.deepEqual([chosen.ChatFlow.length, chosen.Variable.length], [0, 2])
})

test('POST /export-import/import takes an export to another server, where a flow with a key stays closed', async () => {
  const file = (await exported({})).body
  type Answer = { imported: { flow: { id: string; name: string; apikeyid: string | null } }[] }
  const { status, body, text } = await to.manage<Answer>('POST', '/api/v1/export-import/import', {
    ...file,
    Tool: [{ name: 'weather', func: 'return 1', schema: '[]' }],
  })
  assert.equal(status, 200, text)
  const byName = new Map(body.imported.map(({ flow }) => [flow.name, flow]))
  assert.deepEqual([byName.get('Open')!.apikeyid, byName.get('Closed')!.apikeyid], [null, 'closed'])
  assert.equal(byName.get('Open')!.id, open)
  assert.match(text, /custom tool weather/)
  const variables = await to.manage<{ name: string }[]>('GET', '/api/v1/variables')
  assert.ok(variables.body.some(({ name }) => name === 'city'))
  model.otherwise = { text: 'Hi.' }
  const refused = await to.call('POST', `/api/v1/prediction/${closed}`, { body: { question: 'Hi?' } })
  assert.equal(refused.status, 401)
})
