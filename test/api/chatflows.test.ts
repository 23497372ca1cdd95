import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawFlow } from '../support/flow-drawing.ts'
import { ADMIN_KEY, makePlatform, type Scenario, testScenarios } from '../support/platform.ts'

type Flow = { id: string; slug: string; name: string; flowData: string; [column: string]: unknown }

const platform = await makePlatform()
const path = '/api/v1/chatflows'
const store = (body: object) => platform.manage<Flow>('POST', path, body)
const drawing = drawFlow({})

test('the flow quickstart is there after the first start, with the nodes of its template [splitter:sluice:default]', async () => {
  const { body } = await platform.manage<Flow>('GET', `${path}/quickstart`)
  assert.partialDeepStrictEqual(body, {
    slug: 'quickstart',
    name: 'Quickstart',
    apikeyid: null,
    type: 'CHATFLOW',
  })
  const { nodes } = JSON.parse(body.flowData) as {
    nodes: { data: { name: string; inputs: Record<string, unknown> } }[]
  }
  const inputsOf = (name: string) => nodes.find(({ data }) => data.name === name)!.data.inputs
  assert.equal(nodes.length, 5)
  assert.partialDeepStrictEqual(inputsOf('sluiceTextSplitter'), {
    chunkSize: 1000,
    chunkOverlap: 200,
  })
  assert.equal(inputsOf('SQLiteRecordManager').cleanup, 'incremental')
})

test('a flow is stored, read by id and by slug, changed, and deleted', async () => {
  const { status, body: saved } = await store({
    ...drawing,
    name: 'Sea otters!',
    category: 'animals',
    deployed: true,
  })
  assert.equal(status, 200)
  const { problems, warning, ...made } = saved
  assert.deepEqual([problems, warning], [[], null])
  assert.partialDeepStrictEqual(made, {
    slug: 'sea-otters',
    name: 'Sea otters!',
    type: 'CHATFLOW',
    category: 'animals',
    deployed: true,
    isPublic: false,
    apikeyid: null,
    chatbotConfig: null,
  })
  assert.match(made.id, /^[0-9a-f-]{36}$/)
  for (const name of [made.id, 'sea-otters'])
    assert.deepEqual((await platform.manage('GET', `${path}/${name}`)).body, made)

  const { body: changed } = await platform.manage<Flow>('PUT', `${path}/sea-otters`, {
    name: 'River otters',
    deployed: false,
  })
  const { problems: problemsNow, warning: warningNow, ...row } = changed
  assert.deepEqual([problemsNow, warningNow], [[], null])
  const { updatedDate, ...rest } = row
  assert.deepEqual(
    { ...rest, updatedDate: made.updatedDate },
    { ...made, name: 'River otters', deployed: false, revision: 2 },
  )
  assert.ok(String(updatedDate) >= String(made.updatedDate))
  assert.deepEqual((await platform.manage('GET', `${path}/${made.id}`)).body, row)

  assert.deepEqual((await platform.manage('DELETE', `${path}/${made.id}`)).body, { raw: [], affected: 1 })
  assert.equal((await platform.manage('GET', `${path}/${made.id}`)).status, 404)
})

test('a name that is there already gets a slug with a number; a given slug that is there is a conflict', async () => {
  const slugs = []
  for (let i = 0; i < 3; i++) slugs.push((await store({ ...drawing, name: 'Same Name' })).body.slug)
  assert.deepEqual(slugs, ['same-name', 'same-name-2', 'same-name-3'])
  const { status, body } = await store({ ...drawing, slug: 'same-name' })
  assert.equal(status, 409)
  assert.partialDeepStrictEqual(body as object, { code: 'slug_taken' })
  const renamed = await platform.manage('PUT', `${path}/same-name-2`, { slug: 'same-name' })
  assert.equal(renamed.status, 409)
  assert.equal((await platform.manage('PUT', `${path}/same-name-2`, { slug: 'same-name-2' })).status, 200)
})

for (const name of ['日本語', '!!!', 'a'.repeat(200), 'Ünïcödé'])
  test(`a flow called ${name.slice(0, 20)} gets a slug under which it is found`, async () => {
    const { body, text } = await store({ ...drawing, name })
    assert.match(body.slug, /^[a-z0-9][a-z0-9-]{0,99}$/, text)
    assert.equal((await platform.manage<Flow>('GET', `${path}/${body.slug}`)).body.id, body.id)
  })

test('JSON columns are taken as text and as objects, and answered as text', async () => {
  const config = { botMessage: { showTitle: true } }
  for (const given of [config, JSON.stringify(config)]) {
    const { body } = await store({
      ...drawing,
      chatbotConfig: given,
      flowData: JSON.stringify(drawing.flowData),
    })
    assert.equal(body.chatbotConfig, JSON.stringify(config))
    assert.deepEqual(JSON.parse(body.flowData), drawing.flowData)
    assert.deepEqual(JSON.parse(String(body.apiConfig)), drawing.apiConfig)
  }
})

for (const given of ['', null, 'null'])
  test(`a JSON column given as ${JSON.stringify(given)} is none`, async () => {
    const { body } = await store({ ...drawing, chatbotConfig: { a: 1 } })
    const { body: changed } = await platform.manage<Flow>('PUT', `${path}/${body.id}`, {
      chatbotConfig: given,
    })
    assert.equal(changed.chatbotConfig, null)
    assert.equal((await platform.manage<Flow>('GET', `${path}/${body.id}`)).body.chatbotConfig, null)
  })

test('a whole row as it was answered is taken back without a change', async () => {
  const { body: row } = await store({ ...drawing, chatbotConfig: { a: 1 } })
  const { body: again } = await platform.manage<Flow>('PUT', `${path}/${row.id}`, row)
  assert.deepEqual({ ...again, updatedDate: row.updatedDate }, row)
})

test('a flow is bound to a key and set free again', async () => {
  const key = await platform.key()
  const { body: flow } = await store({ ...drawing, apikeyid: key.id })
  assert.equal(flow.apikeyid, key.id)
  for (const apikeyid of ['', null]) {
    const { body: free } = await platform.manage<Flow>('PUT', `${path}/${flow.id}`, { apikeyid })
    assert.equal(free.apikeyid, null)
  }
})

test('the list is an array; with page or limit it is a page with the total', async () => {
  const { body: all } = await platform.manage<Flow[]>('GET', path)
  assert.ok(Array.isArray(all))
  const { body: page } = await platform.manage<{ data: Flow[]; total: number }>(
    'GET',
    `${path}?page=2&limit=3`,
  )
  assert.equal(page.total, all.length)
  assert.deepEqual(page.data, all.slice(3, 6))
  const { body: none } = await platform.manage<Flow[]>('GET', `${path}?type=AGENTFLOW`)
  assert.deepEqual(none, [])
})

const REFUSED: Scenario[] = [
  { name: 'no name', path, body: { flowData: drawing.flowData! }, status: 400, contains: ['name'] },
  { name: 'an empty name', path, body: { ...drawing, name: ' ' }, status: 400, contains: ['name'] },
  { name: 'no flowData', path, body: { name: 'x' }, status: 400, contains: ['flowData'] },
  {
    name: 'flowData that is no JSON',
    path,
    body: { name: 'x', flowData: 'x' },
    status: 400,
    expect: { code: 'flow_invalid' },
  },
  {
    name: 'flowData without nodes',
    path,
    body: { name: 'x', flowData: {} },
    status: 400,
    expect: { code: 'flow_invalid' },
  },
  { name: 'a slug with capitals', path, body: { ...drawing, slug: 'Nope' }, status: 400, contains: ['slug'] },
  { name: 'a slug that is a path', path, body: { ...drawing, slug: 'a/b' }, status: 400, contains: ['slug'] },
  { name: 'a type that is none', path, body: { ...drawing, type: 'OTHER' }, status: 400, contains: ['type'] },
  {
    name: 'a config that is no JSON',
    path,
    body: { ...drawing, chatbotConfig: '{x' },
    status: 400,
    contains: ['chatbotConfig'],
  },
  {
    name: 'a key that is not there',
    path,
    body: { ...drawing, apikeyid: 'none' },
    status: 404,
    expect: { code: 'key_not_found' },
  },
  { name: 'a flow that is not there', method: 'PUT', path: `${path}/none`, body: { name: 'x' }, status: 404 },
  { name: 'to delete a flow that is not there', method: 'DELETE', path: `${path}/none`, status: 404 },
]
testScenarios(
  platform,
  REFUSED.map((scenario) => ({
    method: 'POST',
    ...scenario,
    name: `chatflows refuse ${scenario.name}`,
    key: ADMIN_KEY,
  })),
)

const holds = async (flow: string) => (await platform.query(flow, { query: 'otters' })).body.docs.length

test('deleting a flow takes its chunks along', async () => {
  const drawn = drawFlow({ store: { namespace: 'its-own' } })
  const { body: flow } = await store(drawn)
  await platform.upload(flow.id, { 'a.txt': 'Otters swim.' })
  assert.equal(await holds(flow.id), 1)
  await platform.manage('DELETE', `${path}/${flow.id}`)
  const { body: again } = await store(drawn)
  assert.equal(await holds(again.id), 0)
})

test('deleting a flow leaves the chunks of a namespace that another flow uses', async () => {
  const drawn = drawFlow({ store: { namespace: 'shared' } })
  const [one, other] = [(await store(drawn)).body.id, (await store(drawn)).body.id]
  await platform.upload(one, { 'a.txt': 'Otters swim.' })
  await platform.manage('DELETE', `${path}/${one}`)
  assert.equal(await holds(other), 1)
  await platform.manage('DELETE', `${path}/${other}`)
  assert.equal(await holds((await store(drawn)).body.id), 0)
})

test('a flow that lost its embeddings keeps the chunks of its namespace, and takes them along when it is deleted', async () => {
  const drawn = drawFlow({ store: { namespace: 'broken later' } })
  const [one, other] = [(await store(drawn)).body.id, (await store(drawn)).body.id]
  await platform.upload(one, { 'a.txt': 'Otters swim.' })
  const breakFlow = async (id: string) => {
    const { nodes, edges } = drawn.flowData as { nodes: { id: string }[]; edges: object[] }
    const flowData = { nodes: nodes.filter((node) => !node.id.startsWith('builtInEmbeddings')), edges }
    assert.equal((await platform.manage('PUT', `${path}/${id}`, { flowData })).status, 200)
  }
  await breakFlow(other)
  await platform.manage('DELETE', `${path}/${one}`)
  const { body: third } = await store(drawn)
  assert.equal(await holds(third.id), 1)
  await breakFlow(third.id)
  await platform.manage('DELETE', `${path}/${other}`)
  await platform.manage('DELETE', `${path}/${third.id}`)
  assert.equal(await holds((await store(drawn)).body.id), 0)
})

for (const resource of ['leads', 'feedback', 'chatmessage', 'upsert-history'])
  test(`GET /${resource} of an unknown flow has the most similar slug as hint`, async () => {
    const { status, body } = await platform.manage<{ code: string; hint?: string }>(
      'GET',
      `/api/v1/${resource}/quickstrat`,
    )
    assert.deepEqual([status, body.code, body.hint], [404, 'flow_not_found', 'did you mean quickstart?'])
  })

test('a deleted flow does not come back, quickstart neither', async () => {
  await platform.manage('DELETE', `${path}/quickstart`)
  const { status } = await platform.call('GET', '/api/v1/vector/query/quickstart?q=x')
  assert.equal(status, 404)
})
