import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bodyOf, serve, Signals, sluice } from '../../../test/support/command-line.ts'
import type { World } from '../world.ts'

const DOCS = [
  {
    pageContent: 'Contracts are signed\n\nby the director\u001b[2J\nand countersigned\nby nobody',
    metadata: { source: 'guide/a.md', loc: { lines: { from: 12, to: 16 } } },
    id: '1',
    score: 0.8312,
  },
  { pageContent: 'Short', metadata: { source: 'b.pdf', loc: { pageNumber: 3 } }, id: '2', score: 0.5 },
]

test('sluice query asks the flow and prints rank, score, source and the first lines', async (t) => {
  let asked = ''
  const url = await serve(t, async (request, response) => {
    asked = `${request.method} ${request.url} ${await bodyOf(request)}`
    response.end(JSON.stringify({ docs: DOCS, timeTaken: 3 }))
  })
  const wishes = ['--top-k', '2', '--mode', 'keyword', '--filter', '{"source": {"$ne": "c"}}']
  const { code, stdout } = await sluice(['query', 'quickstart', 'who signs?', '--url', url, ...wishes])
  assert.equal(
    asked,
    'POST /api/v1/vector/query/quickstart {"query":"who signs?","topK":2,"mode":"keyword","filter":{"source":{"$ne":"c"}}}',
  )
  assert.equal(code, 0)
  assert.equal(
    stdout,
    [
      '1.  0.831  guide/a.md  lines 12–16',
      '    Contracts are signed',
      '    by the director [2J',
      '    and countersigned',
      '',
      '2.  0.500  b.pdf  page 3',
      '    Short',
      '',
    ].join('\n'),
  )
})

test('sluice query --json prints the answer as it came; no answer is no failure', async (t) => {
  const url = await serve(t, (_, response) => response.end('{"docs": [], "timeTaken": 1}'))
  const asJson = await sluice(['query', 'quickstart', 'x', '--json', '--url', url])
  assert.deepEqual(JSON.parse(asJson.stdout), { docs: [], timeTaken: 1 })
  assert.deepEqual(await sluice(['query', 'quickstart', 'x', '--url', url]), {
    code: 0,
    stdout: '',
    stderr: 'No chunk answers this.\n',
  })
})

test('sluice query asks this machine’s server with its ADMIN_KEY, and another server never with it', async (t) => {
  const keys: (string | undefined)[] = []
  const url = await serve(t, (request, response) => {
    keys.push(request.headers.authorization)
    response.end('{"docs": []}')
  })
  const environment = { ADMIN_KEY: 'master', PORT: new URL(url).port }
  await sluice(['query', 'quickstart', 'x'], { environment })
  await sluice(['query', 'quickstart', 'x', '--url', url], { environment })
  await sluice(['query', 'quickstart', 'x', '--key', 'own'], { environment })
  assert.deepEqual(keys, ['Bearer master', undefined, 'Bearer own'])
})

test('sluice query ends with 130 at Ctrl-C', async (t) => {
  const signals = new Signals()
  const url = await serve(t, (_, response) => {
    signals.emit('SIGINT')
    response.end('{"docs": []}')
  })
  const process = signals as unknown as World['process']
  await sluice(['query', 'quickstart', 'x', '--url', url], { process })
  assert.equal(signals.exitCode, 130)
  assert.equal(signals.listenerCount('SIGINT'), 0)
})
