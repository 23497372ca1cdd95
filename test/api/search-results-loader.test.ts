import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ParsedBatch } from '../../src/contract/file-parser.ts'
import type { JsonObject } from '../../src/kit/json.ts'
import { builtPart } from '../support/built-part.ts'
import { website } from '../support/website.ts'

const keys: (string | undefined)[] = []
const answer =
  (status: number, body: JsonObject): Parameters<typeof website>[0][string] =>
  (request, response) => {
    keys.push(request.headers.authorization)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
const service = await website({
  '/search?engine=youtube_transcripts&video_id=v1': answer(200, {
    search_metadata: { id: 's1' },
    search_parameters: { engine: 'youtube_transcripts' },
    transcripts: [
      { text: 'Otters hold', start: 0.1 },
      { text: 'hands.', start: 2 },
    ],
    available_languages: [{ name: 'English' }],
  }),
  '/search?engine=google&q=otters': answer(200, {
    search_information: { total_results: 2 },
    answer_box: { answer: 'They hold hands.' },
    organic_results: [
      { position: 1, title: 'Otters', link: 'https://otters.example', sitelinks: [{ title: 'x' }] },
      { position: 2, title: 'More' },
    ],
  }),
  '/search?engine=google&q=nothing': answer(200, { search_metadata: { id: 's2' } }),
  '/search?engine=google&q=refused': answer(401, { error: 'Invalid API key.' }),
})

async function load(inputs: JsonObject) {
  const loader = builtPart(
    'loader',
    'searchApi',
    { searchAddress: `${service.url}/search`, credential: 'c', ...inputs },
    { credential: async () => ({ searchApiKey: 'key-of-the-test' }) },
  )
  const signal = new AbortController().signal
  const batches: ParsedBatch[] = []
  for await (const item of loader.items!(signal)) {
    assert.doesNotMatch(item.source, /key-of-the-test/)
    for await (const batch of item.read(signal)) batches.push(batch)
  }
  return {
    texts: batches.flatMap(({ parts }) =>
      parts.map(({ pageContent, metadata }) => [metadata.responseType, pageContent]),
    ),
    notes: batches.flatMap(({ notes }) => notes),
  }
}

test('searchApi makes the words of a video one document, and sends the key of its credential', async () => {
  keys.length = 0
  const { texts } = await load({ customParameters: '{"engine":"youtube_transcripts","video_id":"v1"}' })
  assert.deepEqual(texts, [['transcripts', 'Otters hold hands.']])
  assert.deepEqual(keys, ['Bearer key-of-the-test'])
})

test('searchApi makes a document of each result, and says where it found nothing', async () => {
  assert.deepEqual((await load({ query: 'otters' })).texts, [
    ['answer_box', 'answer: They hold hands.'],
    ['organic_results', 'position: 1\ntitle: Otters\nlink: https://otters.example'],
    ['organic_results', 'position: 2\ntitle: More'],
  ])
  assert.deepEqual(await load({ query: 'nothing' }), { texts: [], notes: ['it found nothing'] })
})

test('searchApi says what the service answers to a wrong key, and needs one at the usual address', async () => {
  await assert.rejects(load({ query: 'refused' }), /the server answers 401: Invalid API key\./)
  await assert.rejects(load({ query: 'x', searchAddress: '', credential: '' }), {
    code: 'credential_missing',
  })
})
