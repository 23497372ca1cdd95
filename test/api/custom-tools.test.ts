import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import type { JsonObject } from '../../src/kit/json.ts'
import { node, step, steps, start } from '../support/agent-drawing.ts'
import { startChatServer } from '../support/chat-server.ts'
import { sluice, temporaryDirectory } from '../support/command-line.ts'
import { reference } from '../support/flow-drawing.ts'
import { ADMIN_KEY, makePlatform } from '../support/platform.ts'

const [platform, chat] = await Promise.all([makePlatform(), startChatServer()])
after(() => {
  assert.deepEqual(chat.violations, [])
  chat.close()
})

type Tool = {
  id: string
  name: string
  schema: string
  func: string
  problems: { part: string; message: string; instead: string | null }[]
  usedBy?: { slug: string; nodes: object[] }[]
}

/** As Flowise writes its files. */
const WEATHER = {
  name: 'Weather of City',
  description: 'Tells the weather of a city',
  color: 'linear-gradient(rgb(85,198,123), rgb(0,230,99))',
  iconSrc: 'https://example.com/weather.svg',
  schema: JSON.stringify([
    { id: 1, property: 'city', description: 'a city', type: 'string', required: true },
    { id: 2, property: 'days', description: '', type: 'number', required: false },
  ]),
  func: 'return [$city, "in", $days ?? 1, "days: rain.", $vars.station + ", asked by", $flow.sessionId + ":", $flow.input].join(" ")',
}

const make = (body: object) => platform.manage<Tool>('POST', '/api/v1/tools', body)
const run = async (func: string, input: object = {}, schema: object[] = []) =>
  (
    await platform.manage<{ output: string | null; error: string | null }>('POST', '/api/v1/tools/try', {
      ...{ func, input },
      schema: JSON.stringify(schema),
    })
  ).body

const model = () =>
  node('chatOpenAICustom_0', { modelName: 'scripted', basepath: `${chat.url}/v1`, openAIApiKey: 'none' })

const agentWith = (selectedTool: string, inputs: object = {}) => ({
  nodes: [
    model(),
    node('customTool_0', { selectedTool, ...inputs }),
    node('toolAgent_0', {
      model: reference('chatOpenAICustom_0'),
      tools: [reference('customTool_0')],
    }),
  ],
  edges: [],
})

async function store(name: string, flowData: object): Promise<{ id: string; slug: string }> {
  const { status, text, body } = await platform.manage<{ id: string; slug: string }>(
    'POST',
    '/api/v1/chatflows',
    { name, flowData },
  )
  assert.equal(status, 200, text)
  return body
}

test('tools are made, changed, listed and deleted by managers, as Flowise has them [customtools:api]', async () => {
  const { status, body: made } = await make(WEATHER)
  assert.equal(status, 200)
  assert.partialDeepStrictEqual(made, { ...WEATHER, problems: [] })
  const path = `/api/v1/tools/${made.id}`
  assert.partialDeepStrictEqual((await platform.manage('PUT', path, { description: 'Rain' })).body, {
    ...WEATHER,
    description: 'Rain',
  })
  assert.partialDeepStrictEqual((await platform.manage<Tool>('GET', path)).body, { id: made.id, usedBy: [] })
  const { body: bare } = await make({ name: 'a bare one' })
  assert.partialDeepStrictEqual(bare, { description: '', color: '', iconSrc: '', schema: '[]', func: '' })
  const listed = (await platform.manage<Tool[]>('GET', '/api/v1/tools')).body
  assert.deepEqual(
    listed.map(({ name }) => name),
    [WEATHER.name, 'a bare one'],
  )
  const page = await platform.manage<{ data: Tool[]; total: number }>('GET', '/api/v1/tools?page=2&limit=1')
  assert.deepEqual([page.body.data.map(({ name }) => name), page.body.total], [['a bare one'], 2])
  for (const { id } of listed)
    assert.partialDeepStrictEqual((await platform.manage('DELETE', `/api/v1/tools/${id}`)).body, {
      affected: 1,
    })
  assert.partialDeepStrictEqual(await platform.manage('DELETE', path), {
    status: 404,
    body: { code: 'tool_not_found' },
  })
})

test('tools beyond their limits, and those without a name, are refused', async () => {
  for (const body of [
    {},
    { name: ' ' },
    { name: 'x'.repeat(201) },
    { name: 'a', func: 'x'.repeat(500_001) },
    { name: 'a', schema: [] },
    { name: 'a', schema: ' '.repeat(200_001) },
  ])
    assert.equal((await make(body)).status, 400, JSON.stringify(body).slice(0, 80))
})

test('tools that cannot run are stored, and say why: the row, the line, the module [customtools:problems]', async () => {
  for (const [body, part, message, instead] of [
    [{ schema: '{}' }, 'schema', /the schema is none: expected a JSON list/, null],
    [{ schema: '[{"property":"a"},{"property":" a"}]' }, 'schema', /row 2 has the property a/, null],
    [{ schema: '[{"property":"a","type":"blob"}]' }, 'schema', /row 1 has the type blob/, null],
    [{ schema: '[{"property":"__proto__"}]' }, 'schema', /row 1 cannot have the property __proto__/, null],
    [{ func: 'const a = 1\nconst = 2' }, 'func', /does not parse at line 2/, null],
    [{ func: ' ' }, 'func', /no code/, null],
    [{ func: 'const a = require("axios")' }, 'func', /module axios/, /^Use fetch:/],
    [{ func: 'require(`mysql2/promise`)' }, 'func', /module mysql2\/promise/, /HTTP API over the database/],
  ] as const) {
    const { status, body: made } = await make({ ...WEATHER, ...body })
    assert.equal(status, 200)
    const [problem, ...others] = made.problems
    assert.deepEqual(others, [])
    assert.equal(problem!.part, part)
    assert.match(problem!.message, message)
    if (instead === null) assert.equal(problem!.instead, null)
    else assert.match(problem!.instead ?? '', instead)
    await platform.manage('DELETE', `/api/v1/tools/${made.id}`)
  }
})

test('a tool is tried with an input, and its failures are answers [customtools:try]', async () => {
  const rows = [
    { property: 'n', type: 'number', required: true },
    { property: 'word', type: 'string', required: false },
  ]
  assert.partialDeepStrictEqual(await run('return $n * 2', { n: '21' }, rows), { output: '42', error: null })
  assert.partialDeepStrictEqual(await run('return typeof $word', { n: 1 }, rows), { output: 'undefined' })
  for (const [func, error, input = { n: 1 }] of [
    ['return $n', /does not fit the schema/, {}],
    ['throw new TypeError("no luck")', /TypeError: no luck/],
    ['const = 1', /SyntaxError|unexpected/i],
    ['while (true) {}', /computes for more than 5 seconds/],
    ['return new ArrayBuffer(1e9)', /memory|allocat/i],
    ['return "x".repeat(1000001)', /returns more than 1000000 characters/],
    ['return require("fs").readFileSync("/etc/passwd")', /no module fs/],
    ['return (await fetch("http://169.254.169.254/latest/meta-data")).status', /may not|not allowed|denied/i],
    ['await new Promise(() => {})', /never settles/],
    ['Object.prototype.output = "x"; Array.prototype.map = null; throw {}', /failed/],
  ] as [string, RegExp, object?][]) {
    const { output, error: found } = await run(func, input, rows)
    assert.equal(output, null, func)
    assert.match(found ?? '', error)
  }
  // The server lives, and nothing is kept of one run for the next.
  assert.partialDeepStrictEqual(await run('return [1].map((n) => n + ({}.output ?? 0))[0]', { n: 1 }, rows), {
    output: '1',
  })
})

test('a tool agent calls a custom tool with what the model wrote, and answers from it [customtools:agent]', async () => {
  await platform.manage('POST', '/api/v1/variables', { name: 'station', value: 'Zurich station' })
  const { body: tool } = await make(WEATHER)
  const flow = await store('Weather', agentWith(tool.id))
  chat.script({ calls: [{ name: 'weather_of_city', input: { city: 'Bern', days: '2' } }] }, { text: 'Rain.' })
  const { body } = await platform.call<JsonObject>('POST', `/api/v1/prediction/${flow.id}`, {
    body: { question: 'Weather?', overrideConfig: { sessionId: 'session-1' } },
  })
  assert.equal(body.text, 'Rain.')
  const toolOutput = 'Bern in 2 days: rain. Zurich station, asked by session-1: Weather?'
  assert.partialDeepStrictEqual(body.usedTools, [
    { tool: 'weather_of_city', toolInput: { city: 'Bern', days: 2 }, toolOutput },
  ])
  const [first, second] = chat.calls.slice(-2).map(({ body: sent }) => JSON.stringify(sent))
  assert.match(first!, /Tells the weather of a city/)
  assert.match(second!, /Bern in 2 days: rain/)

  // The tool as it is now, with what the node has in the place of it.
  await platform.manage('PUT', `/api/v1/tools/${tool.id}`, { func: 'return "changed for " + $town' })
  const replaced = await store(
    'Replaced',
    agentWith(tool.id, {
      returnDirect: true,
      customToolName: 'town weather',
      customToolDesc: 'Knows towns',
      customToolSchema: '[{"property":"town","type":"string","required":true}]',
    }),
  )
  chat.script({ calls: [{ name: 'town_weather', input: { town: 'Chur' } }] })
  const direct = await platform.call<JsonObject>('POST', `/api/v1/prediction/${replaced.id}`, {
    body: { question: 'Weather?' },
  })
  assert.equal(direct.body.text, 'changed for Chur')
  assert.match(JSON.stringify(chat.calls.at(-1)!.body), /Knows towns/)
  await platform.manage('DELETE', `/api/v1/tools/${tool.id}`)
})

test('agent flows call custom tools, chosen by a model or by the drawing [customtools:agentflow]', async () => {
  const { body: tool } = await make({
    ...WEATHER,
    func: 'return "Sun over " + $city + ", " + $flow.state.season',
  })
  const config = { selectedTool: tool.id }
  const chosen = await store('Drawn', {
    nodes: [
      start({ startState: [{ key: 'season', value: 'winter' }] }),
      step('toolAgentflow_0', {
        toolAgentflowSelectedTool: 'customTool',
        toolAgentflowSelectedToolConfig: config,
        toolInputArgs: [{ inputArgName: 'city', inputArgValue: '{{question}}' }],
      }),
      step('directReplyAgentflow_0', { directReplyMessage: 'I know: {{toolAgentflow_0}}' }),
    ],
    edges: steps('startAgentflow_0 > toolAgentflow_0', 'toolAgentflow_0 > directReplyAgentflow_0'),
  })
  const drawn = await platform.call<JsonObject>('POST', `/api/v1/prediction/${chosen.id}`, {
    body: { question: 'Bern' },
  })
  assert.equal(drawn.body.text, 'I know: Sun over Bern, winter', drawn.text)
  const asked = await store('Asked', {
    nodes: [
      start({ startState: [{ key: 'season', value: 'spring' }] }),
      step('agentAgentflow_0', {
        agentModel: 'chatOpenAICustom',
        agentModelConfig: { modelName: 'scripted', basepath: `${chat.url}/v1`, openAIApiKey: 'none' },
        agentTools: [{ agentSelectedTool: 'customTool', agentSelectedToolConfig: config }],
      }),
    ],
    edges: steps('startAgentflow_0 > agentAgentflow_0'),
  })
  chat.script({ calls: [{ name: 'weather_of_city', input: { city: 'Chur' } }] }, { text: 'Sunny.' })
  const answer = await platform.call<JsonObject>('POST', `/api/v1/prediction/${asked.id}`, {
    body: { question: 'Weather?' },
  })
  assert.equal(answer.body.text, 'Sunny.')
  assert.match(JSON.stringify(chat.calls.at(-1)!.body), /Sun over Chur, spring/)

  const used = (await platform.manage<Tool[]>('GET', '/api/v1/tools?usage=true')).body
  assert.deepEqual(
    used
      .find(({ id }) => id === tool.id)
      ?.usedBy?.map(({ slug }) => slug)
      .toSorted(),
    ['asked', 'drawn'],
  )
  await platform.manage('DELETE', `/api/v1/tools/${tool.id}`)
  // What a deletion leaves is told before the first question, and by it.
  const check = await platform.manage<{ runs: string; rows: { what: string; instead: string }[] }>(
    'POST',
    '/api/v1/flows/validate',
    { flow: 'asked' },
  )
  assert.equal(check.body.runs, 'after')
  assert.match(check.body.rows[0]!.what, new RegExp(`there is no custom tool ${tool.id}`))
  assert.match(check.body.rows[0]!.instead, /choose one of this server/)
  const refused = await platform.call('POST', `/api/v1/prediction/${asked.id}`, {
    body: { question: 'Again?' },
  })
  assert.equal(refused.status, 422)
  assert.match(refused.text, /there is no custom tool/)
})

test('a flow whose tool cannot run is named by a check, with what to use instead [customtools:check]', async () => {
  const { body: tool } = await make({ ...WEATHER, func: 'return require("pg")' })
  const check = (flowData: object) =>
    platform.manage<{ runs: string; problems: JsonObject[] }>('POST', '/api/v1/flows/validate', { flowData })
  const { body } = await check(agentWith(tool.id))
  assert.equal(body.runs, 'no')
  assert.partialDeepStrictEqual(body.problems, [{ nodeId: 'customTool_0', input: 'selectedTool' }])
  assert.match(String(body.problems[0]!.message), /Weather of City: the code requires the module pg/)
  assert.match(String(body.problems[0]!.instead), /HTTP API over the database/)
  const empty = await check(agentWith(''))
  assert.partialDeepStrictEqual(empty.body, { runs: 'after', problems: [{ input: 'selectedTool' }] })
  const own = await check(agentWith(tool.id, { customToolFunc: 'return 1\nreturn )' }))
  assert.partialDeepStrictEqual(own.body.problems, [{ nodeId: 'customTool_0', input: 'customToolFunc' }])
  assert.match(String(own.body.problems[0]!.message), /does not parse at line 2/)
  await platform.manage('DELETE', `/api/v1/tools/${tool.id}`)
})

test('a check names code of a function that does not parse or needs a module, and runs none [customtools:check]', async () => {
  const flow = (javascriptFunction: string) => ({
    nodes: [
      model(),
      node('customFunction_0', { javascriptFunction, functionInputVariables: { q: '{{question}}' } }),
      node('conversationChain_0', {
        model: reference('chatOpenAICustom_0'),
        systemMessagePrompt: `Known: ${reference('customFunction_0')}`,
      }),
    ],
    edges: [],
  })
  const check = async (code: string) =>
    (
      await platform.manage<{ runs: string; problems: JsonObject[]; rows: object[] }>(
        'POST',
        '/api/v1/flows/validate',
        { flowData: flow(code) },
      )
    ).body
  assert.partialDeepStrictEqual(await check('return $q'), { runs: 'yes', problems: [] })
  const place = { nodeId: 'customFunction_0', input: 'javascriptFunction', requests: ['prediction'] }
  const broken = await check('const a = 1\nreturn )')
  assert.partialDeepStrictEqual(broken.problems, [place])
  assert.match(String(broken.problems[0]!.message), /does not parse at line 2/)
  const missing = await check('return require("cheerio").load($q)')
  assert.partialDeepStrictEqual(missing, { runs: 'no', problems: [place] })
  assert.match(String(missing.problems[0]!.instead), /^Use cheerioWebScraper/)
})

test('the export of a whole instance brings its tools under their ids, and flows use them at once [customtools:import]', async () => {
  const id = '4d723d69-e854-4351-90c0-6385ce908213'
  const exported = {
    ChatFlow: [
      {
        id: '11111111-1111-4111-8111-111111111111',
        name: 'Brought',
        flowData: JSON.stringify(agentWith(id)),
      },
    ],
    Tool: [
      { id, ...WEATHER, func: 'return "brought"' },
      { id: '5d723d69-e854-4351-90c0-6385ce908214', ...WEATHER, name: 'broken', func: 'const =' },
      { func: 'nameless' },
    ],
  }
  type Report = { flows: { runs: string }[]; others: { node: string; severity: string; what: string }[] }
  const before = await platform.manage<Report>('POST', '/api/v1/flows/validate', { exported })
  assert.equal(before.body.flows[0]!.runs, 'yes', before.text)
  assert.equal((await platform.manage<Tool[]>('GET', '/api/v1/tools')).body.length, 0)
  const { body, status } = await platform.manage<Report & { flow: { id: string } }>(
    'POST',
    '/api/v1/chatflows/import',
    exported,
  )
  assert.equal(status, 200)
  assert.deepEqual(
    body.others.map(({ node: name, severity }) => [name, severity]),
    [
      ['Weather of City', 'note'],
      ['broken', 'note'],
      ['broken', 'changed'],
    ],
  )
  chat.script({ calls: [{ name: 'weather_of_city', input: { city: 'x' } }] }, { text: 'Done.' })
  const answer = await platform.call<JsonObject>('POST', `/api/v1/prediction/${body.flow.id}`, {
    body: { question: 'Go' },
  })
  assert.partialDeepStrictEqual(answer.body, { text: 'Done.', usedTools: [{ toolOutput: 'brought' }] })
  const again = await platform.manage<Report>('POST', '/api/v1/chatflows/import', exported)
  assert.match(again.body.others[0]!.what, /with the id of Weather of City here already/)
  assert.equal((await platform.manage<Tool[]>('GET', '/api/v1/tools')).body.length, 2)
})

test('the file of a tool is no flow: the refusal and the check say where it goes [customtools:file]', async () => {
  const refused = await platform.manage<{ hint: string }>('POST', '/api/v1/chatflows/import', WEATHER)
  assert.equal(refused.status, 400)
  assert.match(refused.body.hint, /page Tools.*sluice tool import.*POST \/api\/v1\/tools/)
  const check = await platform.manage<{ flows: JsonObject[] }>('POST', '/api/v1/flows/validate', {
    exported: { ...WEATHER, func: 'require("moment")' },
  })
  assert.partialDeepStrictEqual(check.body.flows, [{ name: WEATHER.name, runs: 'no' }])
  assert.match(JSON.stringify(check.body.flows), /Use Date and its toLocaleString/)
})

test('sluice tool imports, lists and removes tools, by name or id [customtools:file]', async (t) => {
  const directory = temporaryDirectory(t)
  const tool = (...argv: string[]) =>
    sluice(['tool', ...argv, '--url', platform.url, '--key', ADMIN_KEY], { directory })
  for (const { id } of (await platform.manage<Tool[]>('GET', '/api/v1/tools')).body)
    await platform.manage('DELETE', `/api/v1/tools/${id}`)
  writeFileSync(path.join(directory, 'weather.json'), JSON.stringify(WEATHER))
  writeFileSync(
    path.join(directory, 'old.json'),
    JSON.stringify({ ...WEATHER, name: 'old', func: 'require("axios")' }),
  )
  writeFileSync(path.join(directory, 'flow.json'), '{"nodes": []}')
  const made = await tool('import', 'weather.json')
  assert.deepEqual([made.code, made.stderr], [0, ''])
  const old = await tool('import', 'old.json')
  assert.equal(old.code, 1)
  assert.match(old.stderr, /^old cannot run: the code requires the module axios\. Use fetch/)
  const refused = await tool('import', 'flow.json')
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /flow\.json is not the file of a tool/)
  const { stdout } = await tool('list')
  assert.match(stdout, new RegExp(`Weather of City.*${made.stdout.trim()}`))
  assert.match(stdout, /old.*the code requires the module axios/)
  assert.equal((await tool('rm', 'old', '--yes')).code, 0)
  assert.equal((await tool('rm', 'nobody', '--yes')).code, 1)
  assert.deepEqual(
    (await platform.manage<Tool[]>('GET', '/api/v1/tools')).body.map(({ name }) => name),
    ['Weather of City'],
  )
})
