import type { ImportedFlow } from '../../../api/flow-import.ts'
import type { SettingsAnswer } from '../../../api/flow-settings.ts'
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { serve, sluice, temporaryDirectory } from '../../../../test/support/command-line.ts'
import { flowAnswer } from '../../../../test/support/flow-answer.ts'

const DRAWING = {
  nodes: [{ id: 'fileLoader_0', data: { name: 'fileLoader', label: 'File Loader' } }],
  edges: [],
}
const FLOW = flowAnswer({ flowData: JSON.stringify(DRAWING) })

const EXPORTED = {
  ...DRAWING,
  sluice: {
    version: 1,
    name: 'Quickstart',
    type: 'CHATFLOW',
    apiConfig: null,
    chatbotConfig: null,
    category: null,
    access: 'open',
    leftOut: [],
  },
}

const SETTINGS = {
  id: '6f1c',
  slug: 'quickstart',
  name: 'Quickstart',
  type: 'CHATFLOW',
  key: null,
  overrides: true,
  originals: false,
  questions: 'off',
  rateLimit: 'off',
  holds: { sources: 2, chunks: 9, sharedWith: ['other'] },
  nodes: [
    {
      id: 'fileLoader_0',
      name: 'fileLoader',
      label: 'File Loader',
      uploads: true,
      settings: [
        {
          key: 'usage',
          label: 'Usage',
          type: 'options',
          value: 'perFile',
          isDefault: false,
          overridable: false,
        },
        {
          key: 'legacyBuild',
          label: 'Legacy Build',
          type: 'boolean',
          value: false,
          isDefault: true,
          overridable: false,
        },
      ],
    },
  ],
} satisfies SettingsAnswer

/** A server with one flow, and what was asked of it. */
async function management(t: TestContext) {
  const calls: string[] = []
  const url = await serve(t, (request, response) => {
    calls.push(`${request.headers.authorization} ${request.method} ${request.url}`)
    const answers: Record<string, unknown> = {
      'GET /api/v1/chatflows': [FLOW],
      'GET /api/v1/chatflows/quickstart': FLOW,
      'GET /api/v1/chatflows/quickstart/settings': SETTINGS,
      'GET /api/v1/chatflows/quickstart/export': {
        file: EXPORTED,
        leftOut: [{ node: 'Model', input: 'key' }],
      },
      'DELETE /api/v1/chatflows/6f1c': { raw: [], affected: 1 },
    }
    const answer = answers[`${request.method} ${request.url}`]
    response
      .writeHead(answer ? 200 : 404)
      .end(JSON.stringify(answer ?? { message: 'Chatflow nope not found' }))
  })
  const flow = (...argv: string[]) => sluice(['flow', ...argv, '--url', url, '--key', 'm'])
  return { calls, flow }
}

test('sluice flow list prints the flows', async (t) => {
  const { flow, calls } = await management(t)
  const { stdout } = await flow('list')
  assert.match(stdout, /^quickstart +Quickstart +CHATFLOW +open +2026-08-22 10:11 +6f1c$/m)
  assert.deepEqual(JSON.parse((await flow('list', '--json')).stdout), [FLOW])
  assert.deepEqual(calls.slice(0, 2).toSorted(), [
    'Bearer m GET /api/v1/chatflows',
    'Bearer m GET /api/v1/flows',
  ])
})

test('sluice flow list says how many files of the last upsert failed', async (t) => {
  const lastUpsert = { jobId: 'j', state: 'done', at: FLOW.updatedDate, error: null, failed: 8, empty: 3 }
  const summary = {
    ...FLOW,
    revision: 1,
    key: null,
    chunks: 1,
    documents: 1,
    problemCount: 0,
    problem: null,
    lastUpsert,
  }
  const url = await serve(t, (request, response) => {
    response.end(JSON.stringify([request.url === '/api/v1/flows' ? summary : FLOW]))
  })
  const list = (...argv: string[]) => sluice(['flow', 'list', '--url', url, '--key', 'm', ...argv])
  assert.match((await list()).stdout, /^quickstart +Quickstart +CHATFLOW +open +8 failed, 3 empty +2026/m)
  assert.deepEqual(JSON.parse((await list('--json')).stdout), [{ ...FLOW, lastUpsert }])
})

test('sluice flow show prints a flow and its nodes', async (t) => {
  const { flow } = await management(t)
  const { stdout } = await flow('show', 'quickstart')
  assert.match(stdout, /^Quickstart {2}quickstart {2}6f1c\naccess +open\nuploads +on\noverrides +on\n/)
  assert.match(stdout, /^holds +2 sources, 9 chunks, shared with other$/m)
  assert.match(stdout, /^usage +perFile +File Loader$/m)
  assert.doesNotMatch(stdout, /legacyBuild/)
  assert.match((await flow('show', 'quickstart', '--all')).stdout, /^legacyBuild +false/m)
  assert.match(stdout, /^fileLoader_0 +fileLoader +File Loader$/m)
  assert.deepEqual(JSON.parse((await flow('show', 'quickstart', '--json')).stdout), FLOW)
})

test('sluice flow export writes the drawing, to standard output or a file', async (t) => {
  const { flow } = await management(t)
  assert.deepEqual(JSON.parse((await flow('export', 'quickstart')).stdout), EXPORTED)
  const file = path.join(temporaryDirectory(t), 'flow.json')
  assert.deepEqual(await flow('export', 'quickstart', '--output', file), {
    code: 0,
    stdout: '',
    stderr: 'left out  Model › key\n',
  })
  assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), EXPORTED)
  const nowhere = await flow('export', 'quickstart', '--output', path.join(file, 'x'))
  assert.match(nowhere.stderr, /^sluice: Cannot write /m)
  assert.equal(nowhere.code, 1)
})

test('sluice flow import sends an export with the name of the file, and prints what the flow still needs', async (t) => {
  const row = { nodeId: 'a_0', node: 'Embedder', input: null, severity: 'needed', instead: null } as const
  const rows: ImportedFlow['report']['rows'] = [
    { ...row, severity: 'unsupported', what: 'There is no node milvus', instead: 'Use qdrant' },
    { ...row, input: 'host', what: 'It needs a value', instead: 'Enter it' },
    { ...row, severity: 'changed', what: 'faiss became builtInVectorStore' },
    { ...row, nodeId: null, node: null, input: 'analytic', severity: 'dropped', what: 'No traces' },
    { ...row, severity: 'note', what: 'It is experimental' },
  ]
  const report = {
    runs: 'no',
    rows,
    supported: false,
    nodes: 2,
    replaced: [],
    needless: [],
    unsupported: [],
    missing: [],
    credentials: [],
    files: [],
    defaulted: [],
    leftOut: [],
    experimental: [],
    ignored: [],
    access: { state: 'closed', key: null, notes: ['A note.'] },
  } satisfies ImportedFlow['report']
  const others = [{ ...row, nodeId: null, node: 'weather', severity: 'dropped', what: 'No custom tool' }]
  const seen: { url: string | undefined; body: unknown }[] = []
  const url = await serve(t, async (request, response) => {
    seen.push({ url: request.url, body: JSON.parse(await readText(request)) })
    const flow = { ...FLOW, problems: [], warning: null }
    response.end(JSON.stringify({ flow, report, imported: [{ flow, report }], others }))
  })
  const file = path.join(temporaryDirectory(t), 'Sea otters Chatflow.json')
  writeFileSync(file, JSON.stringify(DRAWING))
  const { code, stdout, stderr } = await sluice(['flow', 'import', file, '--url', url])
  assert.deepEqual([code, stdout], [1, 'quickstart\n'])
  assert.deepEqual(seen, [{ url: '/api/v1/chatflows/import?name=Sea%20otters', body: DRAWING }])
  assert.match(stderr, /^Quickstart: 2 nodes\n/)
  assert.match(stderr, /\nNot supported: .*\n {2}Embedder: There is no node milvus\n {4}Use qdrant\n/)
  assert.match(stderr, /\nNeeded before it runs\n {2}Embedder › host: It needs a value\n {4}Enter it\n/)
  assert.match(stderr, /\nChanged\n {2}Embedder: faiss became builtInVectorStore\n/)
  assert.match(stderr, /\nWithout effect here\n {2}analytic: No traces\n/)
  assert.match(stderr, /\nNotes\n {2}Embedder: It is experimental\n/)
  assert.match(stderr, /\nBeside the flows\n\nWithout effect here\n {2}weather: No custom tool\n/)
  assert.match(stderr, /Access\n {2}Closed: .*\n {2}.*flow set quickstart key=NAME\n {2}A note\.\n/)
  const bad = path.join(temporaryDirectory(t), 'bad.json')
  writeFileSync(bad, '[]')
  assert.match((await sluice(['flow', 'import', bad, '--url', url])).stderr, /is not an export of a flow/)
  const folder = await sluice(['flow', 'import', path.dirname(bad), '--url', url])
  assert.match(folder.stderr, /^sluice: .* is a folder: name one export in it, a file that ends in \.json\n$/)
  assert.equal(folder.code, 1)
})

test('sluice flow rm removes a flow; an unknown one is a failure', async (t) => {
  const { flow, calls } = await management(t)
  const { code, stderr } = await flow('rm', 'quickstart')
  assert.equal(code, 0)
  assert.match(stderr, /2 sources \(9 chunks\) stay, other uses them too/)
  assert.deepEqual(await flow('rm', 'nope'), {
    code: 1,
    stdout: '',
    stderr: 'sluice: Chatflow nope not found\n',
  })
  assert.deepEqual(calls, [
    'Bearer m GET /api/v1/chatflows/quickstart/settings',
    'Bearer m DELETE /api/v1/chatflows/6f1c',
    'Bearer m GET /api/v1/chatflows/nope/settings',
  ])
})
