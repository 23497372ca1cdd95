import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { JsonObject } from '../../src/kit/json.ts'
import { node, step, steps } from '../support/agent-drawing.ts'
import { startChatServer } from '../support/chat-server.ts'
import { reference } from '../support/flow-drawing.ts'
import { makePlatform } from '../support/platform.ts'
import { typed, website } from '../support/website.ts'

const KEY = 'k3y-0f-the-test-7141'
const [platform, chat] = await Promise.all([makePlatform(), startChatServer()])
after(() => {
  assert.deepEqual(chat.violations, [])
  chat.close()
})

const keysSent: unknown[] = []
const site = await website({
  '/search': (request, response) => {
    keysSent.push(request.headers['x-api-key'])
    const organic = [{ title: 'Otters', link: 'https://otters.example', snippet: `They float (${KEY}).` }]
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ organic }))
  },
  '/page': typed('text/html', '<title>Otters</title><p>They hold hands.</p><a href="/two">two</a>'),
  '/two': typed('text/html', '<p>They float.</p>'),
  '/gone': (_request, response) => void response.writeHead(404).end(),
})

const model = { modelName: 'scripted', basepath: `${chat.url}/v1`, openAIApiKey: 'none' }
const { body: credential } = await platform.manage<{ id: string }>('POST', '/api/v1/credentials', {
  name: 'Serper',
  credentialName: 'serperApi',
  plainDataObj: { serperApiKey: KEY },
})
const serper = { credential: credential.id, searchAddress: `${site.url}/search` }

async function store(nodes: object[], edges: object[] = []): Promise<string> {
  const flow = { name: 'A flow with tools', flowData: { nodes, edges } }
  const { status, text, body } = await platform.manage<{ id: string }>('POST', '/api/v1/chatflows', flow)
  assert.equal(status, 200, text)
  return body.id
}

type Used = { tool: string; toolInput: JsonObject; toolOutput: string; error?: string }
type Prediction = {
  text: string
  usedTools?: Used[]
  agentFlowExecutedData?: { data: { output: { usedTools?: Used[] } } }[]
}

/** The answer of a flow, in which the key is nowhere. */
async function ask(flow: string, question = 'What is new?'): Promise<Prediction> {
  const { status, text, body } = await platform.call<Prediction>('POST', `/api/v1/prediction/${flow}`, {
    body: { question },
  })
  assert.equal(status, 200, text)
  assert.equal(text.includes(KEY), false, text)
  return body
}

/** A tool agent whose model makes these calls, one turn after the other, and then answers. */
async function agentWith(tools: Record<string, JsonObject>, calls: { name: string; input: JsonObject }[]) {
  const turns = calls.map((call) => ({ calls: [call] }))
  chat.script(...turns, { text: 'An answer.' })
  const flow = await store([
    node('chatOpenAICustom_0', model),
    ...Object.entries(tools).map(([id, inputs]) => node(id, inputs)),
    node('toolAgent_0', {
      model: reference('chatOpenAICustom_0'),
      tools: Object.keys(tools).map((id) => reference(id)),
    }),
  ])
  return (await ask(flow)).usedTools!
}

test('a tool agent calculates and searches with the credential of the node [tools:calculator, tools:search]', async () => {
  const used = await agentWith({ calculator_0: {}, serper_0: serper }, [
    { name: 'calculator', input: { input: '6 * 7' } },
    { name: 'search', input: { input: 'otters' } },
  ])
  assert.equal(used[0]!.toolOutput, '42')
  assert.match(used[1]!.toolOutput, /^1\. Otters\nhttps:\/\/otters\.example\nThey float \(/)
  assert.deepEqual(keysSent.splice(0), [KEY])
})

test('an agent and a tool node of an agent flow do so too [tools:calculator, tools:search]', async () => {
  chat.script({ calls: [{ name: 'search', input: { input: 'otters' } }] }, { text: 'They float.' })
  const flow = await store(
    [
      step('startAgentflow_0', { startInputType: 'chatInput' }),
      step('agentAgentflow_0', {
        agentModel: 'chatOpenAICustom',
        agentModelConfig: model,
        agentTools: [
          {
            agentSelectedTool: 'serper',
            agentSelectedToolConfig: { ...serper, credential: '', FLOWISE_CREDENTIAL_ID: credential.id },
          },
        ],
      }),
      step('toolAgentflow_0', {
        toolAgentflowSelectedTool: 'calculator',
        toolAgentflowSelectedToolConfig: {},
        toolInputArgs: [{ inputArgName: 'input', inputArgValue: '2 ^ 10' }],
      }),
    ],
    steps('startAgentflow_0 > agentAgentflow_0', 'agentAgentflow_0 > toolAgentflow_0'),
  )
  const { text, agentFlowExecutedData = [] } = await ask(flow)
  assert.equal(text, '1024')
  const outputs = agentFlowExecutedData
    .flatMap(({ data }) => data.output?.usedTools ?? [])
    .map(({ tool }) => tool)
  assert.deepEqual(outputs, ['search', 'calculator'])
  assert.deepEqual(keysSent.splice(0), [KEY])
})

test('webScraperTool reads a page, or the pages of its site, and names what it cannot read [tools:scraper]', async () => {
  const read = async (inputs: JsonObject, input: string) => {
    const [used] = await agentWith({ webScraperTool_0: inputs }, [
      { name: 'web_scraper_tool', input: { input } },
    ])
    return used!
  }
  const alone = await read({}, `${site.url}/page`)
  assert.match(alone.toolOutput, /\/page\n[\s\S]*They hold hands\./)
  assert.equal(alone.toolOutput.includes('They float.'), false)
  assert.match(
    (await read({ maxDepth: 2 }, `${site.url}/page`)).toolOutput,
    /hold hands[\s\S]*\/two\n[\s\S]*They float\./,
  )
  assert.equal(
    (await read({ maxDepth: 2, maxPages: 1 }, `${site.url}/page`)).toolOutput.includes('float'),
    false,
  )
  for (const [input, reason] of [
    [`${site.url}/gone`, /not read: .*404/],
    ['http://10.1.2.3/', /10\.1\.2\.3/],
    ['file:///etc/passwd', /Nothing was read: Invalid URL/],
    ['http://a:b@localhost/', /name and password/],
  ] as const) {
    const refused = await read({}, input)
    assert.match(`${refused.toolOutput} ${refused.error}`, reason)
    assert.ok(refused.error, input)
  }
  assert.match((await read({ maxCharacters: 100 }, `${site.url}/page`)).toolOutput, /They|cut: the first 100/)
})
