import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { start, step, steps } from '../support/agent-drawing.ts'
import { sluice, temporaryDirectory } from '../support/command-line.ts'
import { ADMIN_KEY, makePlatform } from '../support/platform.ts'

const platform = await makePlatform({ OPENAI_API_KEY: 'sk-of-the-test' })

const reply = (url?: string) => ({
  nodes: [
    start(),
    url === undefined
      ? step('directReplyAgentflow_0', { directReplyMessage: 'Hello' })
      : step('httpAgentflow_0', { url }),
  ],
  edges: steps(`startAgentflow_0 > ${url === undefined ? 'directReply' : 'http'}Agentflow_0`),
})
const assistant = {
  id: 'openAIAssistant_0',
  data: { id: 'openAIAssistant_0', name: 'openAIAssistant', label: 'Begin', category: 'Agents', inputs: {} },
}
const seqStart = {
  id: 'seqStart_0',
  data: { id: 'seqStart_0', name: 'seqStart', label: 'Begin', inputs: {} },
}

const run = (t: TestContext, directory: string, ...argv: string[]) =>
  sluice(['flow', 'check', ...argv, '--url', platform.url, '--key', ADMIN_KEY], {
    directory: directory || temporaryDirectory(t),
  })

function folderOf(t: TestContext, files: Record<string, unknown>): string {
  const folder = temporaryDirectory(t)
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return folder
}

test('sluice flow check prints a table over a folder: file, nodes, runs, why not [flow:report]', async (t) => {
  const folder = folderOf(t, {
    'a.json': reply(),
    'below/b.json': reply(''),
    'c.json': {
      ...reply(),
      nodes: [...reply().nodes, seqStart],
      edges: [{ source: 'startAgentflow_0', target: 'seqStart_0' }],
    },
    'd.json': {
      ChatFlow: [
        { name: 'One', flowData: reply() },
        { name: 'Two', flowData: { nodes: [{}, {}] } },
      ],
    },
    'tool.json': { name: 'weather', func: 'return 1', schema: '[]' },
    'broken.json': '{"nodes": [',
    'notes.txt': 'no export',
  })
  const { code, stdout, stderr } = await run(t, folder, '.')
  assert.equal(code, 1, stderr)
  const lines = stdout.split('\n').map((line) => line.trimEnd().replace(/ {2,}/g, ' | '))
  assert.deepEqual(lines.slice(0, 1), ['file | nodes | runs | why not'])
  assert.deepEqual(lines.slice(1, -1), [
    'a.json | 2 | yes',
    'below/b.json | 2 | after | The input URL of the node httpAgentflow_0 is not valid: it has no URL',
    'broken.json | 0 | no | broken.json is not an export of a flow: it is not a JSON object',
    'c.json | 3 | no | The flow uses the node seqStart, which this server does not have',
    'd.json › One | 2 | yes',
    'd.json › Two | 0 | after | The drawing has no nodes',
    'tool.json › weather | 0 | yes',
  ])
  assert.match(stderr, /7 flows: 3 run, 2 after something is supplied, 2 do not/)
  const json = await run(t, folder, '.', '--json')
  const rows = JSON.parse(json.stdout) as { file: string; runs: string; rows: object[] }[]
  assert.deepEqual(
    rows.map(({ file, runs }) => `${file} ${runs}`),
    [
      'a.json yes',
      'below/b.json after',
      'broken.json no',
      'c.json no',
      'd.json yes',
      'd.json after',
      'tool.json yes',
    ],
  )
  assert.equal((await run(t, folderOf(t, { 'a.json': reply() }), '.')).code, 0)
})

test('sluice flow check prints the whole report of a file, and of a flow of the server [flow:report]', async (t) => {
  const folder = folderOf(t, {
    'mine.json': {
      ChatFlow: [
        { name: 'Mine', flowData: { nodes: [assistant] }, analytic: '{"langFuse":{"status":true}}' },
      ],
      Tool: [{ name: 'weather' }],
    },
  })
  const { code, stdout } = await run(t, folder, 'mine.json')
  assert.equal(code, 1)
  assert.match(stdout, /^Mine: 1 node, it cannot run on this server\n/)
  assert.match(
    stdout,
    /\nNot supported: .*\n {2}Begin: The flow uses the node openAIAssistant, .*\n {4}Use toolAgent/,
  )
  assert.match(stdout, /\nWithout effect here\n {2}analytic: Traces to an analytics .*\n {4}Set OTEL_/)
  assert.match(
    stdout,
    /\nBeside the flows\n\nChanged\n {2}weather › func: The custom tool weather: it has no code\n/,
  )
  const stored = await run(t, '', 'quickstart')
  assert.deepEqual([stored.code, stored.stdout.split('\n')[0]], [0, 'Quickstart: 5 nodes, it runs'])
  const unknown = await run(t, '', 'nowhere')
  assert.deepEqual([unknown.code, unknown.stderr], [1, 'sluice: Chatflow nowhere not found\n'])
})
