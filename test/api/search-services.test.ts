import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import type { Tool } from '../../src/contract/tool.ts'
import { SluiceError } from '../../src/kit/errors.ts'
import type { Json, JsonObject } from '../../src/kit/json.ts'
import { searchServices } from '../../src/nodes/tools/search-services.ts'
import { bodyOf, type RecordedSearch, SEARCHES } from '../fixtures/search-answers.ts'
import { builtPart, callTool } from '../support/built-part.ts'

/** A service on this machine that answers as it was last told, and remembers what it was asked. */
let told: { status: number; type: string; body: string; headers?: Record<string, string> }
const asked: { request: IncomingMessage; body: string }[] = []
const server = createServer(async (request, response) => {
  let body = ''
  for await (const piece of request) body += String(piece)
  asked.push({ request, body })
  response.writeHead(told.status, { 'content-type': told.type, ...told.headers }).end(told.body)
}).listen(0, '127.0.0.1')
await once(server, 'listening')
after(() => server.close().closeAllConnections())
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

async function toolOf({ node, credential }: RecordedSearch, inputs: JsonObject = {}): Promise<Tool> {
  const address = node === 'searXNG' ? { apiBase: url } : { searchAddress: `${url}/search` }
  const own = Object.keys(credential).length > 0 ? { credential: 'c' } : {}
  const services = { credential: async () => credential }
  const { tools } = builtPart('tools', node, { ...own, ...address, ...inputs }, services)
  return (await tools(new AbortController().signal))[0]!
}

function answering(recorded: RecordedSearch, status: number, body: Json, more: Partial<typeof told> = {}) {
  asked.length = 0
  told = { status, type: recorded.type, body: bodyOf(body), ...more }
}

test('every search service has a recorded answer', () => {
  assert.deepEqual(searchServices.map(({ name }) => name).sort(), SEARCHES.map(({ node }) => node).sort())
})

for (const recorded of SEARCHES) {
  const { node, service, answer, nothing, refuses, read, credential } = recorded
  const secrets = Object.values(credential).filter((value) => !/^\d+$/.test(value))
  /** The output of a failed call. No secret is in anything that a person or a model sees. */
  const failure = async (inputs: JsonObject = {}) => {
    const outcome = await callTool(await toolOf(recorded, inputs), { input: 'otters sleep' })
    for (const secret of secrets) assert.equal(JSON.stringify(outcome).includes(secret), false)
    return outcome
  }

  test(`${node} asks as ${service} describes, and reads its answer [tools:search]`, async () => {
    answering(recorded, 200, answer)
    const { output, failed, http } = await failure()
    assert.deepEqual([output, failed], [read, undefined])
    const [{ request, body }] = asked as [(typeof asked)[0]]
    const { searchParams } = new URL(request.url!, url)
    assert.equal(request.method, recorded.asked.method)
    for (const [name, value] of Object.entries(recorded.asked.query ?? {}))
      assert.equal(searchParams.get(name), value, name)
    assert.partialDeepStrictEqual(request.headers, recorded.asked.headers ?? {})
    if (recorded.asked.body) assert.deepEqual(JSON.parse(body), recorded.asked.body)
    else assert.equal(body, '')
    assert.equal(http?.[0]?.status, 200)
  })

  test(`${node} says in a sentence with the name of ${service} what keeps it from results [tools:search]`, async () => {
    answering(recorded, 200, nothing)
    assert.deepEqual(
      [(await failure()).output, (await failure()).failed],
      [`${service} found nothing for this question`, undefined],
    )
    answering(recorded, refuses.status, refuses.body)
    const refused = await failure()
    assert.equal(refused.failed, true)
    assert.ok(refused.output.startsWith(`${service} refused the `), refused.output)
    assert.ok(refused.output.includes(refuses.said), refused.output)
    answering(recorded, 429, {}, { headers: { 'retry-after': '60' } })
    assert.equal(
      (await failure()).output,
      `${service} takes no more questions for now (HTTP 429). It asks to wait 60 seconds`,
    )
    answering(recorded, 200, '<!doctype html><html><body>Log in to the Wi-Fi</body></html>', {
      type: 'text/html',
    })
    const page = await failure()
    assert.match(page.output, /answered with a web page in place of results \(HTTP 200\)/)
    assert.equal(page.output.startsWith(service) && !page.output.includes('Wi-Fi') && page.failed, true)
    answering(recorded, 500, '<html>oops</html>', { type: 'text/html' })
    assert.equal((await failure()).output, `${service} answered HTTP 500`)
  })
}

const serper = SEARCHES.find(({ node }) => node === 'serper')!

test('search services: a question is needed, and a long answer is cut [tools:search]', async () => {
  const results = Array.from({ length: 50 }, (_, at) => ({
    title: `${at}`,
    link: 'https://a.example',
    snippet: 'x'.repeat(5000),
  }))
  answering(serper, 200, { organic: results })
  const { output } = await callTool(await toolOf(serper), { input: 'x'.repeat(10_000) })
  assert.match(output, /\(cut: the first 10000 of \d+ characters\)$/)
  assert.equal(JSON.parse(asked[0]!.body).q.length, 2000)
  const short = await callTool(await toolOf(serper, { maxCharacters: '100' }), { input: 'q' })
  assert.match(short.output, /^0?1?\. ?0?[\s\S]*\(cut: the first 100 of/)
  assert.deepEqual(await callTool(await toolOf(serper), {}), {
    output: 'Nothing was searched: input is missing',
    failed: true,
  })
  answering(serper, 200, 'x'.repeat(2 ** 20 + 1))
  assert.equal(
    (await callTool(await toolOf(serper), { input: 'q' })).output,
    'Serper answered with more than can be read',
  )
})

test('search services: a node without credential, or with one that is gone, says so before a question [tools:search]', async () => {
  for (const [inputs, services, reason] of [
    [{}, {}, /needs a credential: it has none/],
    [{ credential: 'c' }, { credential: async () => ({}) }, /its credential has no serperApiKey/],
  ] as const) {
    const { tools } = builtPart('tools', 'serper', inputs, services)
    await assert.rejects(
      () => tools(new AbortController().signal),
      (error: unknown) =>
        error instanceof SluiceError && error.code === 'credential_missing' && reason.test(error.message),
    )
  }
})

test('search services: an address that may not be called, or that answers nothing, is an outcome with the name [tools:search]', async () => {
  const gone = await callTool(await toolOf(serper, { searchAddress: 'http://127.0.0.1:1/' }), { input: 'q' })
  assert.match(gone.output, /^Serper did not answer: /)
  assert.equal(gone.failed, true)
  const denied = await callTool(await toolOf(serper, { searchAddress: 'http://10.1.2.3/' }), { input: 'q' })
  assert.match(denied.output, /^Serper did not answer: .*10\.1\.2\.3/)
})

test('tavilyAPI and exaSearch send what their inputs say, and searXNG its headers [tools:search]', async () => {
  const find = (name: string) => SEARCHES.find(({ node }) => node === name)!
  answering(find('tavilyAPI'), 200, find('tavilyAPI').answer)
  const tavily = {
    topic: 'news',
    days: '3',
    searchDepth: 'advanced',
    chunksPerSource: 2,
    includeAnswer: true,
    includeDomains: 'a.example, b.example',
  }
  await callTool(await toolOf(find('tavilyAPI'), tavily), { input: 'q' })
  assert.deepEqual(JSON.parse(asked[0]!.body), {
    query: 'q',
    topic: 'news',
    days: 3,
    search_depth: 'advanced',
    chunks_per_source: 2,
    max_results: 5,
    include_answer: true,
    include_domains: ['a.example', 'b.example'],
  })
  answering(find('exaSearch'), 200, find('exaSearch').answer)
  const described = await toolOf(find('exaSearch'), {
    description: 'Finds otters',
    numResults: 3,
    type: 'auto',
  })
  await callTool(described, { input: 'q' })
  assert.equal(described.description, 'Finds otters')
  assert.partialDeepStrictEqual(JSON.parse(asked[0]!.body), { numResults: 3, type: 'auto' })
  answering(find('searXNG'), 200, find('searXNG').answer)
  const named = await toolOf(find('searXNG'), {
    toolName: 'My Search',
    headers: '{"X-Gate": "open-sesame-42"}',
    pageno: 2,
  })
  await callTool(named, { input: 'q' })
  assert.equal(named.name, 'my_search')
  assert.equal(asked[0]!.request.headers['x-gate'], 'open-sesame-42')
  assert.match(asked[0]!.request.url!, /pageno=2/)
})

test('arxiv takes its limit of characters from the input that Flowise has, 0 for the most [tools:search]', async () => {
  const arxiv = SEARCHES.find(({ node }) => node === 'arxiv')!
  answering(arxiv, 200, arxiv.answer)
  const cut = await callTool(await toolOf(arxiv, { docContentCharsMax: '20' }), { input: 'otters' })
  assert.match(cut.output, /\(cut: the first 20 of \d+ characters\)$/)
  const whole = await callTool(await toolOf(arxiv, { docContentCharsMax: '0' }), { input: 'otters' })
  assert.equal(whole.output, arxiv.read)
})

test('arxiv sends ids and the syntax of arXiv as they are [tools:search]', async () => {
  const arxiv = SEARCHES.find(({ node }) => node === 'arxiv')!
  for (const [input, name, value] of [
    ['2401.00001v2, hep-th/9901001', 'id_list', '2401.00001v2,hep-th/9901001'],
    ['au:nother AND ti:otter', 'search_query', 'au:nother AND ti:otter'],
    ['"sea otters"?', 'search_query', 'all:sea AND all:otters'],
  ] as const) {
    answering(arxiv, 200, arxiv.answer)
    await callTool(await toolOf(arxiv), { input })
    assert.equal(new URL(asked[0]!.request.url!, url).searchParams.get(name), value)
  }
})
