import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makePlatform, type Scenario, testScenarios } from '../support/platform.ts'

const platform = await makePlatform()
const flow = await platform.flow({
  overridable: ['files', 'addMetadata', 'topK'],
  splitter: { chunkSize: 60, chunkOverlap: 0 },
})
const TEXTS: [file: string, text: string, metadata: object][] = [
  ['otter.txt', 'Otters hold hands while they sleep on the water.', { year: 2020, tags: ['river'] }],
  ['badger.txt', 'Badgers dig setts with many rooms below the ground.', { year: 2021, tags: ['wood'] }],
  ['invoice.txt', 'Invoice QX-7731 is due in thirty days.', { year: 2022, place: { city: 'Oslo' } }],
]
for (const [file, text, metadata] of TEXTS)
  await platform.upload(flow, { [file]: text }, { addMetadata: JSON.stringify(metadata) })
const fenced = await platform.flow({
  name: 'Fenced',
  store: { namespace: 'fenced', filter: { year: 2020 } },
  overridable: ['files', 'addMetadata'],
})
for (const [file, text, metadata] of TEXTS)
  await platform.upload(fenced, { [file]: text }, { addMetadata: JSON.stringify(metadata) })
const openFence = await platform.flow({
  name: 'Fenced, and its filter may be overridden',
  store: { namespace: 'fenced', filter: { year: 2020 } },
  overridable: ['filter'],
})
const empty = await platform.flow({ name: 'Empty' })
const storeless = await platform.flow({ name: 'No store', store: false })

const path = `/api/v1/vector/query/${flow}`
/** What is written for `filter`. */
const NEAR_FILTER = [
  'filtr',
  'filters',
  'Filter',
  'fliter',
  'filter_',
  'filter[year]',
  'metadataFilter',
  'filt',
  'where',
]
const ask = (name: string, body: object, rest: Partial<Scenario>): Scenario => ({
  name,
  method: 'POST',
  path,
  body,
  status: 200,
  ...rest,
})

test('an answer has unlikely: true where probably no chunk answers, for each query of its own [query:confidence:unlikely]', async () => {
  const answered = 'Which animals hold hands while they sleep on the water?'
  const unanswered = 'Which minister of finance raised the taxes during the economic crisis in Argentina?'
  const { body } = await platform.call<{ results: { unlikely?: true; docs: { confidence: number }[] }[] }>(
    'POST',
    path,
    { body: { queries: [answered, unanswered, 'Nobel prizes'] } },
  )
  assert.deepEqual(
    body.results.map(({ unlikely }) => unlikely),
    [undefined, true, undefined],
  )
  const [first, second, third] = body.results.map(({ docs }) => docs[0]!.confidence)
  assert.ok(first! > second! && third === null)
  const one = await platform.call<{ unlikely?: true }>('GET', `${path}?q=${encodeURIComponent(unanswered)}`)
  assert.equal(one.body.unlikely, true)
})

test('a query answers the matching chunks, best first, with scores [query:retrieve]', async () => {
  const { body } = await platform.call<{ docs: Record<string, unknown>[]; timeTaken: number }>('POST', path, {
    body: { query: 'animals that sleep in the river holding hands' },
  })
  assert.equal(body.docs.length, 3)
  const { id, score, scores, confidence, ...first } = body.docs[0]!
  assert.deepEqual(first, {
    pageContent: TEXTS[0]![1],
    metadata: { source: 'otter.txt', loc: { lines: { from: 1, to: 1 } }, ...TEXTS[0]![2] },
  })
  assert.equal(typeof id, 'string')
  assert.equal(typeof score, 'number')
  assert.ok((confidence as number) > 0.1 && (confidence as number) <= 1)
  assert.deepEqual(Object.keys(scores as object), ['vector', 'keyword'])
  assert.equal(typeof body.timeTaken, 'number')
  const all = body.docs.map((doc) => doc.score as number)
  assert.deepEqual(
    all,
    all.toSorted((a, b) => b - a),
  )
})

testScenarios(platform, [
  ask(
    'topK bounds the answer [query:retrieve]',
    { query: 'otters', topK: 1 },
    { expect: { docs: [{}] }, absent: ['Badgers'] },
  ),
  ask('topK as text is a number', { query: 'otters', topK: '1' }, { absent: ['Badgers'] }),
  ask('topK 1000 is the most', { query: 'otters', topK: 1000 }, {}),
  ask(
    'topK 1001 is too much',
    { query: 'otters', topK: 1001 },
    { status: 400, expect: { code: 'body_invalid' }, contains: ['topK'] },
  ),
  ask('topK 0 is too little', { query: 'otters', topK: 0 }, { status: 400, contains: ['topK'] }),
  ask('topK 1.5 is no count', { query: 'otters', topK: 1.5 }, { status: 400, contains: ['topK'] }),
  ask(
    'keyword finds the words of a code [query:retrieve]',
    { query: 'QX-7731', mode: 'keyword' },
    {
      contains: ['Invoice'],
      absent: ['Otters', 'Badgers'],
      expect: { docs: [{ scores: { vector: null } }] },
    },
  ),
  ask(
    'vector has no keyword scores',
    { query: 'QX-7731', mode: 'vector', topK: 1 },
    { expect: { docs: [{ scores: { keyword: null } }] } },
  ),
  ask(
    'hybrid finds the words of a code first',
    { query: 'QX-7731', mode: 'hybrid', topK: 1 },
    { contains: ['Invoice'] },
  ),
  ask(
    'keyword mode has a confidence [query:confidence]',
    { query: 'When is invoice QX-7731 due?', mode: 'keyword', topK: 1 },
    { contains: ['"confidence":0.'], absent: ['"confidence":null'] },
  ),
  ask(
    'vector mode has a confidence with the built-in embedder [query:confidence]',
    { query: 'When is invoice QX-7731 due?', mode: 'vector' },
    { contains: ['"confidence":0.'], absent: ['"confidence":null'] },
  ),
  ask(
    'a question of one word has no confidence, and nothing is said about its chunks [query:confidence]',
    { query: 'QX-7731', topK: 1 },
    { expect: { docs: [{ confidence: null }] }, absent: ['"unlikely"'] },
  ),
  ask(
    'highlight gives the best sentence and its words [query:highlight]',
    { query: 'who holds hands?', highlight: true, topK: 1 },
    {
      expect: {
        docs: [
          {
            highlight: {
              from: 0,
              to: 48,
              words: [
                { from: 7, to: 11 },
                { from: 12, to: 17 },
              ],
            },
          },
        ],
      },
    },
  ),
  ask('without highlight there is none', { query: 'who holds hands?' }, { absent: ['highlight'] }),
  ask(
    'highlight is true or false',
    { query: 'x', highlight: 'yes' },
    { status: 400, contains: ['highlight'] },
  ),
  ask('another mode is a bad request', { query: 'x', mode: 'magic' }, { status: 400, contains: ['mode'] }),
  ask(
    'a filter of equality [query:retrieve]',
    { query: 'animals', filter: { source: 'badger.txt' } },
    { contains: ['Badgers'], absent: ['Otters', 'Invoice'] },
  ),
  ask(
    'a filter by an operator [query:retrieve]',
    { query: 'animals', filter: { year: { $gte: 2021 } } },
    { contains: ['Badgers', 'Invoice'], absent: ['Otters'] },
  ),
  ask(
    'a filter by a dotted path',
    { query: 'animals', filter: { 'place.city': 'Oslo' } },
    { contains: ['Invoice'], absent: ['Otters'] },
  ),
  ask(
    'a filter that nothing matches',
    { query: 'otters', filter: { source: 'none' } },
    { expect: { docs: [] } },
  ),
  ask('a filter that is empty', { query: 'otters', filter: {} }, { contains: ['Otters'] }),
  ask(
    'a filter by a field that no chunk has is named in warnings [query:filter:absent]',
    { query: 'otters', filter: { $or: [{ source: 'otter.txt' }, { yaer: 2020 }, { 'place.town': 'Oslo' }] } },
    {
      expect: {
        warnings: [
          { key: 'filter', reason: 'no chunk has the metadata field yaer' },
          { key: 'filter', reason: 'no chunk has the metadata field place.town' },
        ],
      },
      contains: ['Otters'],
    },
  ),
  ask(
    'a filter by fields that some chunks have has no warnings',
    { query: 'otters', filter: { 'place.city': { $ne: 'Oslo' }, year: 2020 } },
    { contains: ['Otters'], absent: ['warnings'] },
  ),
  ask(
    'a filter over an empty store has no warnings',
    { query: 'x', filter: { year: 1 } },
    { path: `/api/v1/vector/query/${empty}`, expect: { docs: [] }, absent: ['warnings'] },
  ),
  ask(
    'a filter with the key __proto__',
    {},
    {
      headers: { 'content-type': 'application/json' },
      body: '{"query": "x", "filter": {"__proto__": {"year": 2020}}}',
      status: 400,
      expect: { code: 'filter_invalid' },
    },
  ),
  ...[
    { year: 2021 },
    '{"year": 2021}',
    { $or: [{ year: 2020 }, { year: 2021 }] },
    { year: { $exists: true } },
  ].map((filter) =>
    ask(
      `the fence drawn in the flow holds where its filter is overridden by ${JSON.stringify(filter)} [query:filter]`,
      { query: 'animals', overrideConfig: { filter } },
      { path: `/api/v1/vector/query/${openFence}`, absent: ['Badgers', 'Invoice'] },
    ),
  ),
  ask(
    'a filter of an unknown operator [query:filter]',
    { query: 'x', filter: { year: { $near: 1 } } },
    { status: 400, expect: { code: 'filter_invalid' }, contains: ['$near'] },
  ),
  ask(
    'a filter of an unknown operator outside',
    { query: 'x', filter: { $nor: [] } },
    { status: 400, expect: { code: 'filter_invalid' } },
  ),
  ask('a filter that is text', { query: 'x', filter: 'year' }, { status: 400, contains: ['filter'] }),
  ask(
    'minScore with keyword',
    { query: 'x', mode: 'keyword', minScore: 0.5 },
    { status: 400, contains: ['minScore'] },
  ),
  ask(
    'minScore keeps what is not near away',
    { query: 'Otters hold hands while they sleep on the water.', minScore: 0.9 },
    { contains: ['Otters'], absent: ['Badgers', 'Invoice'] },
  ),
  ask(
    'several queries are answered in their order',
    { queries: ['otters', 'invoice'], topK: 1 },
    {
      expect: {
        results: [
          { docs: [{ metadata: { source: 'otter.txt' } }] },
          { docs: [{ metadata: { source: 'invoice.txt' } }] },
        ],
      },
    },
  ),
  ask(
    'the weight of the request counts: without keywords the code is not first [query:options]',
    { query: 'QX-7731 otters hands sleep water', weight: 1 },
    { expect: { docs: [{ metadata: { source: 'otter.txt' } }] } },
  ),
  ask(
    'fusion by ranks [query:options]',
    { query: 'otters', fusion: 'rrf', topK: 1 },
    { expect: { docs: [{ score: 1 / 61 + 1 / 61 }] } },
  ),
  ask(
    'another fusion is a bad request',
    { query: 'x', fusion: 'best' },
    { status: 400, contains: ['fusion'] },
  ),
  ask(
    'a weight above 1 is a bad request [query:options]',
    { query: 'x', weight: 1.1 },
    { status: 400, contains: ['weight'] },
  ),
  ask(
    'mmr gives as many [query:options]',
    { query: 'otters', mmr: { fetchK: 3, lambda: 0.1 } },
    { expect: { docs: [{}, {}, {}] } },
  ),
  ask('mmr is on or off as well', { query: 'otters', mmr: true, topK: 1 }, { contains: ['Otters'] }),
  ask(
    'mmr with a lambda above 1 is a bad request',
    { query: 'x', mmr: { lambda: 2 } },
    { status: 400, contains: ['mmr'] },
  ),
  ask(
    'near duplicates are hits nearer to each other than the request allows',
    { query: 'otters', nearDuplicates: 0 },
    { contains: ['Otters'] },
  ),
  ask(
    'vectors are given where they are asked for [query:options]',
    { query: 'otters', topK: 1, includeVectors: true },
    { contains: ['"vector":['] },
  ),
  ask(
    'a reranker that is not there cannot be asked',
    { query: 'x', rerank: true },
    { status: 400, expect: { code: 'query_invalid' }, contains: ['reranker'] },
  ),
  ask('no query is a bad request', {}, { status: 400, expect: { code: 'body_invalid' } }),
  ask('an empty query is a bad request', { query: '' }, { status: 400 }),
  ask('no queries are a bad request', { queries: [] }, { status: 400 }),
  ask(
    'a query of more than 100,000 characters is a bad request that names it [limits:queries]',
    { query: 'x'.repeat(100_001) },
    { status: 400, expect: { code: 'body_invalid' }, contains: ['query', '100000'] },
  ),
  ask(
    'queries of more than 1,000,000 characters together are a bad request that names them [limits:queries]',
    { queries: Array.from({ length: 11 }, () => 'x'.repeat(100_000)) },
    { status: 400, expect: { code: 'body_invalid' }, contains: ['queries', '1000000'] },
  ),
  ask('query and queries are a bad request', { query: 'x', queries: ['y'] }, { status: 400 }),
  ask(
    'nulls of a client count as absent',
    {
      query: 'otters',
      queries: null,
      topK: null,
      mode: null,
      filter: null,
      minScore: null,
      weight: null,
      mmr: null,
      rerank: null,
      overrideConfig: null,
      stopNodeId: null,
    },
    { contains: ['Otters'] },
  ),
  ask(
    'operators of a query language are words',
    { query: '"AND (otters* NEAR:^ -x' },
    { contains: ['Otters'] },
  ),
  ask(
    'overrideConfig is gated: topK is open',
    { query: 'otters', overrideConfig: { topK: 1 } },
    { absent: ['Badgers', 'warnings'] },
  ),
  ask(
    'overrideConfig is gated: filter is not',
    { query: 'otters', overrideConfig: { filter: { source: 'none' } } },
    {
      contains: ['Otters'],
      expect: { warnings: [{ key: 'filter' }] },
    },
  ),
  ask(
    'the fence drawn in the flow holds [query:filter]',
    { query: 'animals' },
    { path: `/api/v1/vector/query/${fenced}`, contains: ['Otters'], absent: ['Badgers', 'Invoice'] },
  ),
  ask(
    'a filter of the request narrows the fence [query:filter]',
    { query: 'animals', filter: { year: 2021 } },
    { path: `/api/v1/vector/query/${fenced}`, expect: { docs: [] } },
  ),
  ask(
    'a flow that holds nothing',
    { query: 'x' },
    { path: `/api/v1/vector/query/${empty}`, expect: { docs: [] } },
  ),
  ask(
    'an unknown flow [query:retrieve]',
    { query: 'x' },
    { path: '/api/v1/vector/query/none', status: 404, expect: { code: 'flow_not_found' } },
  ),
  ask(
    'a flow without a store [query:retrieve]',
    { query: 'x' },
    { path: `/api/v1/vector/query/${storeless}`, status: 422, expect: { code: 'flow_cannot_query' } },
  ),
  {
    name: 'GET queries too [query:retrieve]',
    path: `${path}?q=otters+hold%20hands&topK=1`,
    status: 200,
    contains: ['Otters'],
    absent: ['Badgers'],
  },
  {
    name: 'GET with a mode',
    path: `${path}?q=QX-7731&mode=keyword`,
    status: 200,
    contains: ['Invoice'],
    absent: ['Otters'],
  },
  {
    name: 'GET with wishes, one of them empty',
    path: `${path}?q=otters&topK=1&weight=&minScore=-1&fusion=rrf&mmr=false&nearDuplicates=true`,
    status: 200,
    contains: ['Otters'],
  },
  {
    name: 'GET with a weight that is none',
    path: `${path}?q=x&weight=much`,
    status: 400,
    expect: { code: 'query_invalid' },
    contains: ['weight'],
  },
  { name: 'GET without a question', path, status: 400, expect: { code: 'query_invalid' }, contains: ['q'] },
  {
    name: 'GET with topK out of bounds',
    path: `${path}?q=x&topK=0`,
    status: 400,
    expect: { code: 'query_invalid' },
  },
  {
    name: 'GET with a filter, with its operators and the fence of the flow [query:filter:query-string]',
    path: `${path}?q=animals&filter=${encodeURIComponent('{"year": {"$gte": 2021}, "source": "badger.txt"}')}`,
    status: 200,
    contains: ['Badgers'],
    absent: ['Otters', 'Invoice', 'warnings'],
  },
  {
    name: 'GET with a filter that the fence of the flow leaves nothing of [query:filter:query-string]',
    path: `/api/v1/vector/query/fenced?q=animals&filter=${encodeURIComponent('{"year": 2021}')}`,
    status: 200,
    expect: { docs: [] },
  },
  ...['', '{}'].map((filter) => ({
    name: `GET with the empty filter "${filter}"`,
    path: `${path}?q=otters&filter=${encodeURIComponent(filter)}`,
    status: 200,
    contains: ['Otters', 'Badgers', 'Invoice'],
  })),
  ...['x', '{', 'null', '7', '"year"', '[]', '{"year": {"$near": 1}}', '{"__proto__": {"year": 1}}'].map(
    (filter) => ({
      name: `GET refuses the filter ${filter} [query:filter:query-string]`,
      path: `${path}?q=otters&filter=${encodeURIComponent(filter)}`,
      status: 400,
      expect: { code: 'filter_invalid' },
      contains: ['filter'],
      absent: ['Otters'],
    }),
  ),
  {
    name: 'GET with two filters',
    path: `${path}?q=otters&filter=%7B%7D&filter=%7B%7D`,
    status: 400,
    expect: { code: 'query_invalid' },
    contains: ['filter'],
  },
  ...NEAR_FILTER.flatMap((name) => [
    ask(
      `a body refuses ${name}, and names filter [query:filter:misspelt]`,
      { query: 'otters', [name]: { year: 2021 } },
      { status: 400, expect: { code: 'filter_invalid' }, contains: [name, 'did you mean filter?'] },
    ),
    {
      name: `a query string refuses ${name}, and names filter [query:filter:misspelt]`,
      path: `${path}?q=otters&${name}=${encodeURIComponent('{"year": 2021}')}`,
      status: 400,
      expect: { code: 'filter_invalid' },
      contains: ['did you mean filter?'],
    },
  ]),
  ask(
    'names that are not near filter are only warnings',
    { query: 'otters', file: 'a', tier: 1, title: 'x' },
    { contains: ['Otters'], expect: { warnings: [{ key: 'file' }, { key: 'tier' }, { key: 'title' }] } },
  ),
  {
    name: 'a query by slug',
    path: '/api/v1/vector/query/fenced?q=otters',
    status: 200,
    contains: ['Otters'],
  },
])

test('queries are answered while an upsert of the same flow runs, and see all of it or nothing [upsert:independent]', async () => {
  const busy = await platform.flow({ splitter: { chunkSize: 40, chunkOverlap: 0 } })
  await platform.upload(busy, { 'first.txt': 'Otters hold hands.' })
  const lines = Array.from({ length: 3000 }, (_, i) => `Line ${i} tells of badger number ${i * 7}.`)
  let running = true
  const upload = platform.upload(busy, { 'second.txt': lines.join('\n') }).finally(() => {
    running = false
  })
  const seen = new Set<number>()
  let asked = 0
  while (running) {
    const { status, body } = await platform.query(busy, { query: 'badger', topK: 5 })
    assert.equal(status, 200)
    if (running) asked++
    seen.add(body.docs.length)
  }
  assert.equal((await upload).body.numAdded, 3000)
  assert.ok(asked >= 3, `${asked} queries were answered while the upsert ran`)
  assert.deepEqual(
    [...seen].filter((count) => count !== 1 && count !== 5),
    [],
  )
})

test('upserts of several files at once are all answered [upsert:independent]', async () => {
  const shared = await platform.flow({})
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, i) => platform.upload(shared, { [`${i}.txt`]: `Words of file ${i}.` })),
  )
  assert.deepEqual(
    answers.map(({ body }) => body.numAdded),
    [1, 1, 1, 1, 1, 1],
  )
})

test('GET query ignores fields that only POST has, with a warning', async () => {
  const { status, body } = await platform.call<{ docs: object[]; warnings: { key: string }[] }>(
    'GET',
    `${path}?q=otters&includeVectors=true`,
  )
  assert.equal(status, 200)
  assert.deepEqual(
    body.warnings.map(({ key }) => key),
    ['includeVectors'],
  )
  for (const chunk of body.docs) assert.ok(!('vector' in chunk))
})

test('POST query takes the earlier questions of a conversation; a plain query is as before [query:history]', async () => {
  const sourcesOf = async (body: object) => {
    const answer = await platform.query(flow, { mode: 'keyword', ...body })
    assert.equal(answer.status, 200, answer.text)
    return answer.body.docs.map(({ metadata }) => metadata.source)
  }
  assert.deepEqual(await sourcesOf({ query: 'where do they sleep' }), ['otter.txt'])
  const history = ['tell me of the badgers', 'and of the invoice']
  assert.deepEqual(await sourcesOf({ query: 'where do they sleep', history }), [
    'otter.txt',
    'invoice.txt',
    'badger.txt',
  ])
  assert.deepEqual(await sourcesOf({ query: 'where do they sleep', history: [] }), ['otter.txt'])
  const refused = await platform.query(flow, { query: 'otters', history: 'badgers' })
  assert.equal(refused.status, 400)
})
