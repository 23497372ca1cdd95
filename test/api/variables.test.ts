import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { conversationFlow } from '../support/chat-flows.ts'
import { startChatServer } from '../support/chat-server.ts'
import { makePlatform } from '../support/platform.ts'

const [platform, model] = await Promise.all([makePlatform(), startChatServer()])
after(() => model.close())

type Variable = { id: string; name: string; value: string; type: string }

const make = (body: object) => platform.manage<Variable>('POST', '/api/v1/variables', body)

test('variables are made, changed, listed and deleted by managers', async () => {
  const { status, body: city } = await make({ name: 'city', value: 'Bergen' })
  assert.equal(status, 200)
  assert.partialDeepStrictEqual(city, { name: 'city', value: 'Bergen', type: 'static' })
  const { body: port } = await make({ name: 'port', type: 'runtime', value: 'is not kept' })
  assert.equal(port.value, '')
  const path = `/api/v1/variables/${city.id}`
  assert.partialDeepStrictEqual((await platform.manage('PUT', path, { value: 'Oslo' })).body, {
    value: 'Oslo',
    name: 'city',
  })
  assert.partialDeepStrictEqual((await platform.manage('GET', path)).body, { value: 'Oslo' })
  const listed = await platform.manage<Variable[]>('GET', '/api/v1/variables')
  assert.deepEqual(
    listed.body.map(({ name }) => name),
    ['city', 'port'],
  )
  const page = await platform.manage<{ data: Variable[]; total: number }>(
    'GET',
    '/api/v1/variables?page=2&limit=1',
  )
  assert.deepEqual([page.body.data.map(({ name }) => name), page.body.total], [['port'], 2])
  assert.equal((await platform.manage('DELETE', path)).status, 200)
  assert.equal((await platform.manage('GET', path)).status, 404)
})

test('variables have a name of their own, fit to be written in a text', async () => {
  const { body } = await make({ name: 'mine', value: '1' })
  assert.partialDeepStrictEqual(await make({ name: 'mine' }), {
    status: 409,
    body: { code: 'variable_taken' },
  })
  await make({ name: 'other' })
  assert.equal((await platform.manage('PUT', `/api/v1/variables/${body.id}`, { name: 'other' })).status, 409)
  for (const name of ['', 'a b', '1st', 'a.b', '}}']) assert.equal((await make({ name })).status, 400, name)
})

test('a flow reads a variable in its next answer', async () => {
  await make({ name: 'harbour', value: 'Bergen' })
  const flowData = conversationFlow(model.url)
  const chain = (flowData.nodes as { data: { inputs: Record<string, string> } }[]).at(-1)!
  chain.data.inputs.systemMessagePrompt = 'You sell tickets in {{$vars.harbour}}.'
  const flow = await platform.manage<{ id: string }>('POST', '/api/v1/chatflows', { name: 'Ferry', flowData })
  model.script({ text: 'Hello.' })
  await platform.call('POST', `/api/v1/prediction/${flow.body.id}`, { body: { question: 'Hi' } })
  const [system] = model.calls.at(-1)!.body.messages as { content: string }[]
  assert.match(system!.content, /You sell tickets in Bergen\./)
})

test('GET /variables?usage=true names the flows and nodes that use each, and whether one has a value [variables:usage]', async () => {
  process.env.SLUICE_VAR_used_here = 'from the environment'
  after(() => delete process.env.SLUICE_VAR_used_here)
  for (const body of [
    { name: 'used_in_text', value: 'x' },
    { name: 'used_here', type: 'runtime' },
    { name: 'set_nowhere', type: 'runtime' },
  ])
    await make(body)
  const inputs = { text: '{{$vars.used_in_text}} and {{$vars.used_here}}' }
  const flowData = {
    nodes: [{ id: 'plainText_0', data: { id: 'plainText_0', name: 'plainText', label: 'Text', inputs } }],
    edges: [],
  }
  await platform.manage('POST', '/api/v1/chatflows', { name: 'Reader', slug: 'reader', flowData })
  type Listed = Variable & { isSet: boolean; usedBy?: { slug: string; nodes: object[] }[] }
  const listed = (await platform.manage<Listed[]>('GET', '/api/v1/variables?usage=true')).body
  const of = (name: string) => listed.find((one) => one.name === name)!
  const nodes = [{ nodeId: 'plainText_0', label: 'Text' }]
  assert.partialDeepStrictEqual(of('used_in_text'), { isSet: true, usedBy: [{ slug: 'reader', nodes }] })
  assert.partialDeepStrictEqual(of('used_here'), { isSet: true, value: '', usedBy: [{ slug: 'reader' }] })
  assert.partialDeepStrictEqual(of('set_nowhere'), { isSet: false })
  assert.deepEqual(of('set_nowhere').usedBy, [])
  const one = await platform.manage<Listed>('GET', `/api/v1/variables/${of('used_here').id}`)
  assert.equal(one.body.usedBy?.[0]?.slug, 'reader')
  const plain = await platform.manage<Listed[]>('GET', '/api/v1/variables')
  assert.ok(plain.body.every(({ usedBy }) => usedBy === undefined))
})
