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

test('sluice query queries the flow and prints rank, score, source and the first lines', async (t) => {
  let asked = ''
  const url = await serve(t, async (request, response) => {
    asked = `${request.method} ${request.url} ${await bodyOf(request)}`
    response.end(JSON.stringify({ docs: DOCS, timeTaken: 3 }))
  })
  const options = ['--top-k', '2', '--mode', 'keyword', '--filter', '{"source": {"$ne": "c"}}']
  const { code, stdout } = await sluice(['query', 'quickstart', 'who signs?', '--url', url, ...options])
  assert.equal(
    asked,
    'POST /api/v1/vector/query/quickstart {"query":"who signs?","highlight":true,"topK":2,"mode":"keyword","filter":{"source":{"$ne":"c"}}}',
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

test('sluice query --json prints the answer unchanged; no hit is not a failure', async (t) => {
  const url = await serve(t, (_, response) => response.end('{"docs": [], "timeTaken": 1}'))
  const asJson = await sluice(['query', 'quickstart', 'x', '--json', '--url', url])
  assert.deepEqual(JSON.parse(asJson.stdout), { docs: [], timeTaken: 1 })
  assert.deepEqual(await sluice(['query', 'quickstart', 'x', '--url', url]), {
    code: 0,
    stdout: '',
    stderr: 'No chunk was found.\n',
  })
})

test('sluice query sends ADMIN_KEY to the server of this machine only', async (t) => {
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

test('sluice query prints the place from the metadata, the best sentence with marked words, and the confidence [query:highlight]', async (t) => {
  const docs = [
    {
      pageContent: 'Tea: 3\nMilk costs\u001b[2J two euros. Bread',
      metadata: { source: 'costs.pptx', slideNumber: 7 },
      score: 0.7,
      confidence: 0.834,
      highlight: { from: 7, to: 32, words: [{ from: 7, to: 11 }] },
    },
    {
      pageContent: 'a\nb\nc\nd',
      metadata: { source: 'b.json', pointer: '/items/0' },
      score: 0.5,
      confidence: null,
      highlight: null,
    },
  ]
  const url = await serve(t, (_, response) => response.end(JSON.stringify({ docs })))
  const { stdout, stderr } = await sluice(['query', 'quickstart', 'milk', '--url', url])
  assert.equal(
    stdout,
    [
      '1.  0.700  confidence 0.83  costs.pptx  slide 7',
      '    Milk costs [2J two euros.',
      '',
      '2.  0.500  b.json  /items/0',
      '    a',
      '    b',
      '    c',
      '',
    ].join('\n'),
  )
  assert.equal(stderr, '')
  const { stdout: full } = await sluice(['query', 'quickstart', 'milk', '--full', '--url', url])
  assert.match(full, / {4}Tea: 3\n {4}Milk costs \[2J two euros\. Bread\n\n.* {4}d\n$/s)
})

test('sluice query prints a small record whole', async (t) => {
  const record = {
    pageContent: 'name: Black tea, pot\nprice: 4.50',
    metadata: { source: 'menu.json', pointer: '/items/2', line: 3 },
    score: 0.7,
    highlight: { from: 0, to: 20, words: [{ from: 12, to: 15 }] },
  }
  const url = await serve(t, (_, response) => response.end(JSON.stringify({ docs: [record] })))
  const { stdout } = await sluice(['query', 'quickstart', 'tea', '--url', url])
  assert.equal(stdout, '1.  0.700  menu.json  /items/2\n    name: Black tea, pot\n    price: 4.50\n')
})

test('sluice query says that probably no chunk answers where the server says so, and not by low numbers alone [query:confidence:unlikely]', async (t) => {
  let answer: object = {}
  const url = await serve(t, (_, response) => response.end(JSON.stringify(answer)))
  const warned = async (given: object) => {
    answer = { docs: [{ ...DOCS[1], confidence: 0.02 }], ...given }
    const { stderr } = await sluice(['query', 'quickstart', 'x', '--url', url])
    return /^\nProbably none of these chunks answers the question\.$/m.test(stderr)
  }
  assert.equal(await warned({ unlikely: true }), true)
  assert.equal(await warned({}), false)
})

test('sluice query --expect names a document or a chunk, and prints what became of it [query:expect]', async (t) => {
  const expected = {
    ...{ found: false, place: null, step: 'topK', reason: 'It is at place 9, below the first 4.' },
    remedy: 'It is hit 9 with topK 9 instead of 4.',
    chunk: { id: 'the-chunk', source: 'a\u001b[2J.pdf', scores: { vector: 0.3, keyword: null } },
    ...{ chunks: 3, untold: ['keyword'], tries: 1 },
    measured: [
      { what: 'place', had: 9, needed: 4 },
      { what: 'score', had: 0.41, needed: null },
    ],
    change: { setting: 'topK', from: 4, to: 9, place: 9 },
  }
  const asked: string[] = []
  const url = await serve(t, async (request, response) => {
    asked.push(`${await bodyOf(request)}`)
    response.end(JSON.stringify({ docs: DOCS, expected }))
  })
  const { code, stdout } = await sluice(['query', 'quickstart', 'x', '--expect', 'a.pdf', '--url', url])
  assert.equal(code, 0)
  assert.equal(
    stdout,
    [
      'a.pdf: It is at place 9, below the first 4.',
      'chunk the-chunk of a [2J.pdf',
      'The vector store cannot tell the keyword score of a chunk that it did not find.',
      'It is hit 9 with topK 9 instead of 4.',
      '',
      '          had  needed',
      'place       9       4',
      'score  0.4100    none',
      '',
    ].join('\n'),
  )
  const id = '0b2ae1f6-6d4b-5d8a-9c1e-3f1d2c4b5a69'
  const json = await sluice(['query', 'quickstart', 'x', '--expect', id, '--json', '--url', url])
  assert.deepEqual(JSON.parse(json.stdout).expected, expected)
  assert.deepEqual(
    asked.map((body) => JSON.parse(body).expect),
    [{ source: 'a.pdf' }, { chunk: id }],
  )
})
