import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agentWith, chain, chatNode, flowOf, reporting } from '../support/flow-reports.ts'
import { makePlatform } from '../support/platform.ts'

const platform = await makePlatform({ OPENAI_API_KEY: 'sk-of-the-test' })
const { take } = reporting(platform)

const ask = (flow: string) =>
  platform.call<{ code?: string; message: string }>('POST', `/api/v1/prediction/${flow}`, {
    body: { question: 'What is new?' },
  })

const openAIElsewhere = (basepath: string) => ({ openAIApiKey: 'k', basepath })
/** What only a run finds, or a name server. */
const UNASKED = new Set([
  'code that does not parse',
  'a call without an address',
  'a model on the host of a container',
])

/** What is refused, at which input, with what to do, and whether it can run here at all. */
const REFUSALS: [
  what: string,
  exported: object,
  runs: string,
  place: string,
  says: RegExp,
  instead: RegExp,
][] = [
  [
    'an MCP server whose host is not allowed',
    agentWith(chatNode('customMCP_0', { mcpServerConfig: '{"url": "https://mcp.example.com/mcp"}' })),
    'after',
    'customMCP_0 null',
    /may not call mcp\.example\.com: MCP_ALLOW does not list it/,
    /MCP_ALLOW=mcp\.example\.com/,
  ],
  [
    'a model at a private address',
    chain(openAIElsewhere('http://192.168.1.20:1234/v1')),
    'after',
    'chatOpenAI_0 basepath',
    /may not call 192\.168\.1\.20:1234: EGRESS_ALLOW does not list it/,
    /EGRESS_ALLOW=…,192\.168\.1\.20:1234/,
  ],
  [
    'a model on the host of a container',
    chain(openAIElsewhere('http://host.docker.internal:11434/v1')),
    'after',
    'chatOpenAI_0 basepath',
    /may not call host\.docker\.internal:11434/,
    /EGRESS_ALLOW=…,host\.docker\.internal:11434/,
  ],
  [
    'a private model within a step',
    flowOf('llmAgentflow', {
      llmModel: 'chatOpenAI',
      llmModelConfig: openAIElsewhere('http://10.0.0.9/v1'),
    }),
    'after',
    'llmAgentflow_0 llmModel.basepath',
    /may not call 10\.0\.0\.9:80/,
    /EGRESS_ALLOW=…,10\.0\.0\.9:80/,
  ],
  [
    'a call without an address',
    flowOf('httpAgentflow', { url: '' }),
    'after',
    'httpAgentflow_0 url',
    /The input URL of the node httpAgentflow_0 is not valid: it has no URL/,
    /null/,
  ],
  [
    'a start by webhook',
    flowOf('directReplyAgentflow', { directReplyMessage: 'Hi' }, { startInputType: 'webhookTrigger' }),
    'no',
    'startAgentflow_0 startInputType',
    /a start by webhook or schedule is not supported/,
    /POST \/api\/v1\/prediction\/:flowId/,
  ],
  [
    'an unfinished drawing',
    { nodes: [chatNode('chatOpenAI_0'), chatNode('conversationChain_0')], edges: [] },
    'after',
    'conversationChain_0 model',
    /nothing is plugged into/,
    /Correct the drawing/,
  ],
  [
    'an MCP server that is a command',
    agentWith(chatNode('customMCP_0', { mcpServerConfig: '{"command": "npx", "args": ["-y", "x"]}' })),
    'no',
    'customMCP_0 mcpServerConfig',
    /commands are not supported/,
    /streamable HTTP/,
  ],
  [
    'an unknown node',
    agentWith(chatNode('elsewhere_0', {}, { category: 'Tools' })),
    'no',
    'elsewhere_0 null',
    /uses the node elsewhere, which this server does not have/,
    /Use openAPIToolkit, requestsGet or customMCP/,
  ],
  [
    'code that does not parse',
    flowOf('customFunctionAgentflow', { customFunctionJavascriptFunction: 'return {' }),
    'after',
    'customFunctionAgentflow_0 customFunctionJavascriptFunction',
    /the code does not parse at line 2/,
    /null/,
  ],
  [
    'a module that code cannot have',
    flowOf('customFunctionAgentflow', { customFunctionJavascriptFunction: "const { Pool } = require('pg')" }),
    'no',
    'customFunctionAgentflow_0 customFunctionJavascriptFunction',
    /there is no module pg/,
    /Use an HTTP API over the database/,
  ],
  [
    'a tool whose schema is none',
    agentWith(
      chatNode('requestsGet_0', {
        requestsGetUrl: 'https://a.example',
        requestsGetQueryParamsSchema: '{"name": 5}',
      }),
    ),
    'after',
    'requestsGet_0 requestsGetQueryParamsSchema',
    /expected \{"type": …\} for name/,
    /null/,
  ],
]

for (const [what, exported, runs, place, says, instead] of REFUSALS)
  test(`the report says before the first question that it is refused: ${what} [flow:report]`, async () => {
    const { flow, report } = await take(exported)
    assert.equal(report.runs, runs)
    assert.equal(report.supported, runs !== 'no')
    const row = report.rows.find(({ nodeId, input }) => `${nodeId} ${input}` === place)
    assert.ok(row, JSON.stringify(report.rows))
    assert.equal(row.severity, runs === 'no' ? 'unsupported' : 'needed')
    assert.match(row.what, says)
    assert.match(String(row.instead), instead)
    assert.equal(report.rows.filter(({ severity }) => ['unsupported', 'needed'].includes(severity)).length, 1)
    if (UNASKED.has(what)) return
    const asked = await ask(flow.id)
    assert.ok(asked.status === 422 || asked.status === 403 || asked.status === 400, asked.text)
  })
