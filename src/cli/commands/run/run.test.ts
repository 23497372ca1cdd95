import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { bodyOf, serve, sluice, temporaryDirectory } from '../../../../test/support/command-line.ts'
import type { RunAnswer } from '../../../api/run.ts'

const RUN: RunAnswer = {
  format: 'sluice-run-1',
  ...{ id: 'r-1', kind: 'answer', state: 'FINISHED', title: 'Write one' },
  ...{
    startedAt: '2026-01-02T03:04:05.000Z',
    ms: 1500,
    flow: { id: 'f-1', name: 'Agent' },
    drawing: 'changed',
  },
  nodes: [
    { id: 'm', label: 'Model', name: 'chat', state: 'FINISHED', ms: 1400, counts: { turns: 2 } },
    { id: 'a', label: 'Tool Agent', name: 'toolAgent', state: 'FINISHED', ms: 1500, counts: {} },
  ],
  lines: [
    { from: 'm', to: 'a', unit: 'turns', count: 2, items: [{ title: '5 tokens read', text: 'Written.' }] },
  ],
  spans: [
    {
      ...{ id: 1, kind: 'model', name: 'm at h', nodeId: 'm', status: 'FINISHED', offset: 0, ms: 700 },
      ...{ inputTokens: 812, outputTokens: 64, output: '' },
      calls: [{ id: 'c', name: 'write_text', input: '{"note":"one"}' }],
    },
    {
      ...{ id: 2, kind: 'tool', name: 'write_text', status: 'ERROR', offset: 700, ms: 100 },
      ...{ input: { note: 'one' }, output: 'refused', httpStatus: 403 },
    },
    {
      id: 3,
      kind: 'search',
      name: 'docs',
      status: 'FINISHED',
      offset: 800,
      ms: 10,
      query: 'otters',
      hits: 1,
      sources: [{ source: 'a.txt', score: 0.82, vector: 0.7, keyword: null }],
    },
  ],
  omittedSpans: 3,
}

async function server(t: TestContext, answer: object) {
  const calls: string[] = []
  const url = await serve(t, async (request, response) => {
    calls.push(`${request.method} ${request.url} ${(await bodyOf(request)).toString()}`.trim())
    response.end(
      JSON.stringify(request.method === 'POST' ? { runId: 'r-2', chatId: 'c', text: 'Again.' } : answer),
    )
  })
  return { calls, run: (...argv: string[]) => sluice(['run', ...argv, '--url', url, '--key', 'k']) }
}

test('sluice run show prints the steps on one axis, what went in and out, and the lines of the drawing', async (t) => {
  const { run, calls } = await server(t, RUN)
  const { code, stdout } = await run('show', 'r/1')
  assert.equal(code, 0)
  assert.deepEqual(calls, ['GET /api/v1/runs/r%2F1'])
  const lines = stdout.split('\n')
  assert.deepEqual(lines.slice(0, 3), [
    'Write one  done, 1.5 s',
    'answer r-1 of Agent',
    'The drawing has changed since.',
  ])
  assert.match(stdout, /^1 {2}█+·+ +700 ms {2}model m at h {2}812 tokens read, 64 written$/m)
  assert.match(stdout, /← write_text \{"note":"one"\}/)
  assert.match(stdout, /^2 {2}·+█+· +100 ms {2}tool write_text {2}HTTP 403, failed$/m)
  assert.match(stdout, /→ \{"note":"one"\}\n +← refused/)
  assert.match(stdout, /\? otters\n +a\.txt 0\.820 vector 0\.700 keyword –/)
  assert.match(stdout, /3 later steps not kept/)
  assert.match(stdout, /Lines of the drawing\nModel → Tool Agent {2}2 turns\n +5 tokens read: Written\./)
  assert.deepEqual(JSON.parse((await run('show', 'r-1', '--json')).stdout), RUN)
})

test('sluice run show writes a record to a file and opens it again; another file is refused', async (t) => {
  const { run, calls } = await server(t, RUN)
  const directory = temporaryDirectory(t)
  const file = path.join(directory, 'run.json')
  const shown = await run('show', 'r-1', '--output', file)
  assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), RUN)
  const asked = calls.length
  assert.equal((await run('show', file)).stdout, shown.stdout)
  assert.equal(calls.length, asked)
  writeFileSync(file, '{"nodes": []}')
  const refused = await run('show', file)
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /is not the record of a run/)
  writeFileSync(file, JSON.stringify({ ...RUN, format: 'sluice-run-9' }))
  assert.match((await run('show', file)).stderr, /of the form sluice-run-9; this version opens sluice-run-1/)
})

test('sluice run list shows a row a run', async (t) => {
  const { id, kind, state, title, startedAt, ms } = RUN
  const { run, calls } = await server(t, { data: [{ id, kind, state, title, startedAt, ms }] })
  const { stdout } = await run('list', 'agent', '--limit', '3')
  assert.match(stdout, /^r-1 +answer +done +1\.5 s +2026-01-02 03:04:05 +Write one$/m)
  assert.deepEqual(calls, ['GET /api/v1/runs?flowId=agent&limit=3'])
})

test('sluice run again sends the step and its input, and shows the new run', async (t) => {
  const { run, calls } = await server(t, RUN)
  const { code, stdout } = await run(
    'again',
    'r-1',
    '--from-step',
    '2',
    '--input',
    '{"note":"two"}',
    '--tools',
    'missing',
  )
  assert.equal(code, 0)
  assert.deepEqual(calls, [
    'POST /api/v1/runs/r-1/again {"from":2,"input":{"note":"two"},"tools":"missing"}',
    'GET /api/v1/runs/r-2',
  ])
  assert.match(stdout, /^Again\.\n\nWrite one {2}done/)
  assert.equal((await run('again', 'r-1')).code, 2)
})
