import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ListedChunkPage, SourceTextAnswer } from '../../src/api/source.ts'
import { makePlatform } from '../support/platform.ts'
import { paragraphLines, writePdf } from '../support/pdf-writer.ts'

const platform = await makePlatform()

const chunksOf = async (flow: string, query: Record<string, string>) =>
  (
    await platform.manage<ListedChunkPage>(
      'GET',
      `/api/v1/vector/chunks/${flow}?${new URLSearchParams(query)}`,
    )
  ).body

const LINES = Array.from({ length: 40 }, (_, n) => `Line ${n} speaks of ${n % 2 ? 'herons' : 'otters'}.`)
const rangesOf = ({ data }: ListedChunkPage) => data.map(({ range }) => range!)

const flow = await platform.flow({
  name: 'Ranges',
  overridable: ['files', 'chunkSize', 'chunkOverlap'],
  recordManager: { cleanup: 'incremental' },
})
const small = { chunkSize: '40', chunkOverlap: '0' }

test('GET /vector/chunks gives each chunk the range of its words in the text of its source [chunks:ranges]', async () => {
  const text = `\n\n${LINES.join('\n')}\n`
  await platform.upload(flow, { 'lines.txt': text }, small)
  const page = await chunksOf(flow, { source: 'lines.txt', limit: '1000' })
  assert.equal(page.total, 40)
  for (const { pageContent, range } of page.data)
    assert.equal(text.slice(range!.start, range!.end), pageContent)
})

test('GET /vector/chunks gives chunks that an edit moved their new ranges, in the order of the text [chunks:ranges:moved]', async () => {
  const first = '\n\nLine 0 speaks of sea otters now.'
  const text = `${first}\n${LINES.slice(1).join('\n')}\n`
  const { body } = await platform.upload(flow, { 'lines.txt': text }, small)
  assert.deepEqual([body.numAdded, body.numUpdated, body.numSkipped, body.numDeleted], [1, 0, 39, 1])
  const page = await chunksOf(flow, { source: 'lines.txt', limit: '1000' })
  for (const { pageContent, range } of page.data)
    assert.equal(text.slice(range!.start, range!.end), pageContent)
  const starts = rangesOf(page).map(({ start }) => start)
  assert.deepEqual(
    starts,
    starts.toSorted((a, b) => a - b),
  )
})

test('GET /vector/chunks finds texts of a source, and the page that has a chunk [chunks:search]', async () => {
  const herons = await chunksOf(flow, { source: 'lines.txt', search: 'HERONS', limit: '5' })
  assert.equal(herons.total, 20)
  assert.deepEqual(await chunksOf(flow, { source: 'lines.txt', search: '100%_' }), {
    data: [],
    total: 0,
    offset: 0,
  })
  const all = await chunksOf(flow, { source: 'lines.txt', limit: '1000' })
  const wanted = all.data[23]!.id
  const around = await chunksOf(flow, { source: 'lines.txt', around: wanted, limit: '10' })
  assert.deepEqual([around.offset, around.data[3]!.id], [20, wanted])
  assert.equal((await chunksOf(flow, { source: 'lines.txt', around: 'gone', limit: '10' })).offset, 0)
  const refused = await platform.manage<{ code: string }>('GET', `/api/v1/vector/chunks/${flow}?search=x`)
  assert.deepEqual([refused.status, refused.body.code], [400, 'query_invalid'])
})

test('GET /vector/chunks names the page of a chunk of a PDF, and positions go on over its pages [chunks:ranges]', async () => {
  const pages = ['The heron stands.', 'The otter swims.'].map((text) => ({ lines: paragraphLines([text]) }))
  await platform.upload(flow, { 'two.pdf': Uint8Array.from(writePdf(pages)) })
  const { data } = await chunksOf(flow, { source: 'two.pdf' })
  assert.deepEqual(
    data.map(({ pageNumber, pageContent, range }) => [pageNumber, pageContent, range]),
    [
      [1, 'The heron stands.', { start: 0, end: 17 }],
      [2, 'The otter swims.', { start: 19, end: 35 }],
    ],
  )
})

test('GET /vector/sources/:flow/text gives the text of a document with the words of every chunk at its range [sources:text]', async () => {
  const textOf = async (query: Record<string, string>) =>
    (
      await platform.manage<SourceTextAnswer>(
        'GET',
        `/api/v1/vector/sources/${flow}/text?${new URLSearchParams(query)}`,
      )
    ).body
  const { text, total } = await textOf({ source: 'lines.txt' })
  const { data } = await chunksOf(flow, { source: 'lines.txt', limit: '1000' })
  for (const { pageContent, range } of data) assert.equal(text.slice(range!.start, range!.end), pageContent)
  assert.deepEqual([text.length, text.trim().split(/\s+/).length], [total, 1 + 40 * 5 + 1])
  const part = await textOf({ source: 'lines.txt', start: '50', length: '100' })
  assert.deepEqual([part.start, part.text, part.total], [50, text.slice(50, 150), total])
  assert.equal((await textOf({ source: 'lines.txt', start: '99999' })).text, '')
  assert.deepEqual(await textOf({ source: 'none.txt' }), {
    source: 'none.txt',
    start: 0,
    text: '',
    total: 0,
    earlier: [],
    dropped: null,
  })
})

test('GET /vector/chunks keeps the ranges when a flow is reindexed [chunks:ranges]', async () => {
  const before = await chunksOf(flow, { source: 'lines.txt', limit: '1000' })
  await platform.manage('POST', `/api/v1/vector/reindex/${flow}`)
  assert.deepEqual(rangesOf(await chunksOf(flow, { source: 'lines.txt', limit: '1000' })), rangesOf(before))
})
