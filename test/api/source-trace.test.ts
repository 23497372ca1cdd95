import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { DocumentStoreAnswer } from '../../src/api/document-store.ts'
import type { StoreChunkPage } from '../../src/api/document-store-chunk.ts'
import type { SourceQuestionsAnswer, SourceTraceAnswer } from '../../src/api/source-trace.ts'
import type { ListedChunkPage, SourceTextAnswer } from '../../src/api/source.ts'
import type { FileAnswer } from '../../src/api/upsert.ts'
import { node } from '../support/agent-drawing.ts'
import { startChatServer } from '../support/chat-server.ts'
import { drawDocumentChat } from '../support/document-chat.ts'
import { drawFlow, reference } from '../support/flow-drawing.ts'
import { ADMIN_KEY, makePlatform, MORE_SERVERS } from '../support/platform.ts'
import { data, inline, row, workbook } from '../support/workbook.ts'

/** Where the words of a document went. */
const [platform, model] = await Promise.all([makePlatform({}, { servers: MORE_SERVERS }), startChatServer()])
after(() => model.close())

const create = async (body: object) => {
  const made = await platform.manage<{ id: string }>('POST', '/api/v1/chatflows', body)
  assert.equal(made.status, 200, made.text)
  return made.body.id
}
const character = { chunkSize: 40, chunkOverlap: 0, separator: '\n***\n' }
const drawing = drawFlow({
  name: 'Traced',
  splitter: false,
  loaders: { fileLoader: { textSplitter: reference('characterTextSplitter_0') } },
  recordManager: { cleanup: 'incremental' },
}) as { flowData: { nodes: object[] } }
drawing.flowData.nodes.push(node('characterTextSplitter_0', character, 'Text Splitters'))
const flow = await create(drawing)

const get = async <Body>(
  what: string,
  query: Record<string, string>,
  id = flow,
  key: string | null = ADMIN_KEY,
) =>
  platform.call<Body>(
    'GET',
    `/api/v1/vector/${what.replace(':flow', id)}?${new URLSearchParams(query)}`,
    key ? { key } : {},
  )
const traceOf = async (source: string, query: Record<string, string> = {}, id = flow) => {
  const { status, body, text } = await get<SourceTraceAnswer>('sources/:flow/trace', { source, ...query }, id)
  assert.equal(status, 200, text)
  return body
}
const textOf = async (source: string, id = flow) =>
  (await get<SourceTextAnswer>('sources/:flow/text', { source }, id)).body
const chunksOf = async (source: string, id = flow) =>
  (await get<ListedChunkPage>('chunks/:flow', { source, limit: '1000' }, id)).body.data
const statusOf = (body: { files: unknown }) => (body.files as FileAnswer[])[0]!.status

const NOTES = 'Otters swim in wide rivers.\n***\nHerons wait at the cold lake.\n***\nFrogs jump high.'

test('a trace counts what is in one chunk, in several, in none; the words in none have place and reason, also in the text [sources:trace, sources:text]', async () => {
  await platform.upload(flow, { 'notes.txt': NOTES })
  assert.equal((await chunksOf('notes.txt')).length, 3)
  const trace = await traceOf('notes.txt')
  const gap = { characters: 3, text: '***', reason: 'cut' as const }
  assert.deepEqual(trace.gaps, {
    data: [
      { start: 28, end: 31, after: 1, ...gap },
      { start: 62, end: 65, after: 2, ...gap },
    ],
    total: 2,
  })
  const words = NOTES.replaceAll(/\s/g, '').length
  assert.deepEqual(trace.characters, { one: words - 6, several: 0, none: 6 })
  assert.equal(trace.share, 6 / words)
  assert.deepEqual(
    [trace.known, trace.placed, trace.total, trace.chunks, trace.edited, trace.dropped],
    [true, true, NOTES.length, 3, 0, []],
  )
  assert.deepEqual(trace.lines, { all: 5, one: 3, several: 0, none: 2, blank: 0 })
  assert.equal((await textOf('notes.txt')).text.replaceAll(/\s/g, ''), NOTES.replaceAll(/\s/g, ''))
  const second = await traceOf('notes.txt', { page: '2', limit: '1' })
  assert.deepEqual([second.gaps.data.map(({ start }) => start), second.gaps.total], [[62], 2])
})

test('an overlap is in several chunks, and all of a text without separators is in chunks [sources:trace]', async () => {
  const overlapping = await platform.flow({ name: 'Overlap', splitter: { chunkSize: 60, chunkOverlap: 30 } })
  const text = Array.from({ length: 30 }, (_, n) => `Berth ${n} is free.`).join('\n')
  await platform.upload(overlapping, { 'berths.txt': text })
  const trace = await traceOf('berths.txt', {}, overlapping)
  const { one, several, none } = trace.characters
  assert.deepEqual([none, trace.share, trace.gaps.total], [0, 0, 0])
  assert.ok(several > 0 && one + several === text.replaceAll(/\s/g, '').length)
  assert.equal(
    trace.bands.reduce((sum, { lines }) => sum + lines, 0),
    trace.lines.all,
  )
})

test('an unchanged file keeps its trace, another text gets its own; removed and restored it has it again, and after a reindex [sources:trace]', async () => {
  const before = await traceOf('notes.txt')
  const same = await platform.upload(flow, { 'notes.txt': NOTES })
  assert.equal(statusOf(same.body), 'unchanged')
  assert.deepEqual(await traceOf('notes.txt'), before)
  await platform.manage('DELETE', `/api/v1/vector/upsert/${flow}?source=notes.txt`)
  const gone = await get('sources/:flow/trace', { source: 'notes.txt' })
  assert.deepEqual([gone.status, (gone.body as { code: string }).code], [404, 'source_not_found'])
  await platform.manage('POST', `/api/v1/vector/sources/${flow}/restore`, { sources: ['notes.txt'] })
  assert.deepEqual(await traceOf('notes.txt'), before)
  await platform.manage('POST', `/api/v1/vector/reindex/${flow}`, {})
  assert.deepEqual(await traceOf('notes.txt'), before)
  await platform.upload(flow, { 'notes.txt': NOTES.replaceAll('***', '-') })
  assert.deepEqual((await traceOf('notes.txt')).gaps.total, 0)
  await platform.upload(flow, { 'notes.txt': NOTES })
  assert.deepEqual((await traceOf('notes.txt')).gaps, before.gaps)
})

test('a document of an earlier release says that it is not known; the next load of the same file tells it, and embeds nothing [sources:trace]', async () => {
  await platform.sql(`UPDATE sources SET gaps = NULL WHERE name = ?`, 'notes.txt')
  const unknown = await traceOf('notes.txt')
  assert.deepEqual(
    [unknown.known, unknown.placed, unknown.share, unknown.characters.none],
    [false, true, null, null],
  )
  assert.deepEqual(unknown.gaps, { data: [], total: 0 })
  const { body } = await platform.upload(flow, { 'notes.txt': NOTES })
  assert.deepEqual([statusOf(body), body.numAdded, body.numSkipped], ['indexed', 0, 3])
  assert.equal((await traceOf('notes.txt')).gaps.total, 2)
})

test('chunks that a filter has removed leave a place whose text is not kept [sources:trace]', async () => {
  const cut = await platform.flow({
    name: 'Filtered',
    splitter: { chunkSize: 80, chunkOverlap: 0 },
    recordManager: { cleanup: 'incremental' },
  })
  const lines = Array.from(
    { length: 6 },
    (_, n) => `Line ${n} has a good many words, so that it is a chunk by itself.`,
  )
  await platform.upload(cut, { 'lines.txt': lines.join('\n\n') })
  assert.equal((await chunksOf('lines.txt', cut)).length, 6)
  const filter = encodeURIComponent(JSON.stringify({ 'loc.lines.from': 5 }))
  const removed = await platform.manage<{ numDeleted: number }>(
    'DELETE',
    `/api/v1/vector/upsert/${cut}?filter=${filter}`,
  )
  assert.equal(removed.body.numDeleted, 1, removed.text)
  const trace = await traceOf('lines.txt', {}, cut)
  const lost = lines[2]!.replaceAll(/\s/g, '').length
  assert.equal(trace.characters.none, lost)
  assert.deepEqual(
    trace.gaps.data.map(({ reason, characters, text, after: before }) => [reason, characters, text, before]),
    [['removed', lost, '', 2]],
  )
  assert.equal(trace.lines.none, 1)
})

test('a chunk that a person has changed counts as its text, one that was deleted is in none with the reason [sources:trace]', async () => {
  const PATH = '/api/v1/document-store'
  const { body: store } = await platform.manage<DocumentStoreAnswer>('POST', `${PATH}/store`, {
    name: 'Traced edits',
  })
  const form = new FormData()
  form.append(
    'files',
    new Blob(['Otters swim in rivers.\n\nCats climb up trees.\n\nDogs run in parks.']),
    'a.txt',
  )
  form.append('loader', JSON.stringify({ name: 'textFile' }))
  const config = { chunkSize: 30, chunkOverlap: 0 }
  form.append('splitter', JSON.stringify({ name: 'recursiveCharacterTextSplitter', config }))
  const sent = await platform.call<{ docId: string }>('POST', `${PATH}/upsert/${store.id}`, {
    body: form,
    key: ADMIN_KEY,
  })
  assert.equal(sent.status, 200, sent.text)
  const { docId } = sent.body
  const { chunks } = (await platform.manage<StoreChunkPage>('GET', `${PATH}/chunks/${store.id}/${docId}/1`))
    .body
  const url = (n: number) => `${PATH}/chunks/${store.id}/${docId}/${chunks[n]!.id}`
  await platform.manage('PUT', url(0), {
    pageContent: 'Beavers build dams, and they do so for all of their lives.',
  })
  await platform.manage('DELETE', url(1))
  const check = async () => {
    const trace = await traceOf('a.txt', {}, store.id)
    assert.deepEqual([trace.chunks, trace.edited], [2, 1])
    assert.deepEqual(trace.characters, { one: 34, several: 0, none: 17 })
    assert.deepEqual(trace.gaps.data, [
      { start: 24, end: 44, characters: 17, text: 'Cats climb up trees.', reason: 'deleted', after: 1 },
    ])
  }
  await check()
  // A load of the same text meets the edits again.
  const again = new FormData()
  again.append(
    'files',
    new Blob(['Otters swim in rivers.\n\nCats climb up trees.\n\nDogs run in parks.']),
    'a.txt',
  )
  for (const [name, value] of Object.entries({ docId, replaceExisting: 'true', metadata: '{"year":2026}' }))
    again.append(name, value)
  await platform.call('POST', `${PATH}/upsert/${store.id}`, { body: again, key: ADMIN_KEY })
  await check()
})

test('what the reader has left out is told with the trace; names in metadata leave chunks without places [sources:trace]', async () => {
  const book = workbook({
    Shown: data(row(inline('herb'))),
    Budget: { content: data(row(inline('x'))), state: 'hidden' },
  })
  await platform.upload(flow, { 'herbs.xlsx': Uint8Array.from(book) })
  const { dropped } = await traceOf('herbs.xlsx')
  assert.deepEqual(
    dropped?.map(({ text }) => text),
    ['sheet Budget is hidden'],
  )
  const named = await platform.flow({
    name: 'Named',
    recordManager: { sourceIdKey: 'topic' },
    overridable: ['files', 'addMetadata'],
  })
  await platform.upload(named, { 'a.txt': 'Words.' }, { addMetadata: '{"topic":"t"}' })
  const trace = await traceOf('t', {}, named)
  assert.deepEqual(
    [trace.placed, trace.known, trace.share, trace.chunks, trace.gaps.total],
    [false, false, null, 1, 0],
  )
})

test('a key with pins sees the trace of its own documents alone, and no questions of others [sources:trace, sources:questions]', async () => {
  const shared = await platform.flow({ name: 'Pinned trace', overridable: ['files'] })
  const keyOf = async (tenant: string) =>
    (
      await platform.manage<{ apiKey: string }>('POST', '/api/v1/apikey', {
        keyName: tenant,
        scopes: ['query', 'upsert'],
        flows: [shared],
        pins: { tenant },
      })
    ).body.apiKey
  const [acme, other] = [await keyOf('acme'), await keyOf('other')]
  const body = new FormData()
  body.append('files', new Blob(['Words of acme.']), 'a.txt')
  const sent = await platform.call('POST', `/api/v1/vector/upsert/${shared}`, { body, key: acme })
  assert.equal(sent.status, 200, sent.text)
  const of = (key: string, what = 'trace') =>
    get<SourceTraceAnswer>(`sources/:flow/${what}`, { source: 'a.txt' }, shared, key)
  const own = await of(acme)
  assert.deepEqual([own.status, own.body.chunks, own.body.characters.one], [200, 1, 12])
  assert.equal((await of(other)).status, 404)
  assert.equal((await of(ADMIN_KEY)).status, 404)
  assert.equal((await of(acme, 'questions')).status, 403)
})

test('questions of conversations are told at the chunks that their answers had as sources [sources:questions]', async () => {
  const chat = await create({ name: 'Chat', flowData: drawDocumentChat(model.url) })
  await platform.manage('POST', `/api/v1/vector/upsert/${chat}`, {})
  const { data: sources } = (await get<{ data: { source: string }[] }>('sources/:flow', {}, chat)).body
  const { source } = sources[0]!
  const of = async () => {
    const { status, body, text } = await get<SourceQuestionsAnswer>(
      'sources/:flow/questions',
      { source },
      chat,
    )
    assert.equal(status, 200, text)
    return body
  }
  assert.deepEqual(await of(), { data: [], answers: 0, complete: true, gone: 0 })
  for (const question of ['What do otters hold?', 'How do otters sleep?']) {
    model.script({ text: 'They hold hands.' })
    await platform.call('POST', `/api/v1/prediction/${chat}`, { body: { question }, key: ADMIN_KEY })
  }
  // A plain query is stored nowhere.
  await platform.query(chat, { query: 'otters' })
  const [chunk] = await chunksOf(source, chat)
  const told = await of()
  assert.deepEqual([told.answers, told.complete, told.gone], [2, true, 0])
  assert.deepEqual(
    told.data.map(({ chunk: id, answers, questions }) => [
      id,
      answers,
      questions.map(({ question, rank }) => [question, rank]),
    ]),
    [
      [
        chunk!.id,
        2,
        [
          ['How do otters sleep?', 1],
          ['What do otters hold?', 1],
        ],
      ],
    ],
  )
})
