import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DocumentStoreAnswer, StoreLoaderAnswer } from '../../src/api/document-store.ts'
import type { StoreChunkPage } from '../../src/api/document-store-chunk.ts'
import type { UpsertAnswer } from '../../src/api/upsert.ts'
import { ADMIN_KEY, makePlatform } from '../support/platform.ts'

const platform = await makePlatform()
const PATH = '/api/v1/document-store'

type Upserted = UpsertAnswer & { docId: string; storeId: string }

const newStore = async (name: string) => {
  const made = await platform.manage<DocumentStoreAnswer>('POST', `${PATH}/store`, {
    name,
    description: `${name}.`,
  })
  assert.equal(made.status, 200, made.text)
  return made.body
}
const storeOf = async (id: string) =>
  (await platform.manage<DocumentStoreAnswer>('GET', `${PATH}/store/${id}`)).body

function form(files: Record<string, string>, fields: Record<string, unknown> = {}): FormData {
  const body = new FormData()
  for (const [name, text] of Object.entries(files)) body.append('files', new Blob([text]), name)
  for (const [name, value] of Object.entries(fields))
    body.append(name, typeof value === 'string' ? value : JSON.stringify(value))
  return body
}
const upsert = (id: string, body: FormData | object) =>
  platform.call<Upserted>('POST', `${PATH}/upsert/${id}`, { body, key: ADMIN_KEY })
const chunksOf = async (id: string, loader = 'all', page = 1) =>
  (await platform.manage<StoreChunkPage>('GET', `${PATH}/chunks/${id}/${loader}/${page}`)).body
const query = (storeId: string, text: string, inputs = {}) =>
  platform.manage<{ docs: { pageContent: string; chunkNo: number; metadata: Record<string, unknown> }[] }>(
    'POST',
    `${PATH}/vectorstore/query`,
    { storeId, query: text, inputs },
  )

test('a document store is created, listed, changed and deleted, and its revision guards it [docstores:stores]', async () => {
  const made = await newStore('Guides')
  assert.equal(made.status, 'EMPTY')
  assert.deepEqual(made.loaders, [])
  assert.equal(made.embeddingConfig?.name, 'builtInEmbeddings')
  const { body: all } = await platform.manage<DocumentStoreAnswer[]>('GET', `${PATH}/store`)
  assert.ok(all.some(({ id, description }) => id === made.id && description === 'Guides.'))
  const changed = await platform.call<DocumentStoreAnswer>('PUT', `${PATH}/store/${made.id}`, {
    body: { name: 'Manuals' },
    key: ADMIN_KEY,
    headers: { 'if-match': `"${made.revision}"` },
  })
  assert.equal(changed.body.name, 'Manuals')
  const late = await platform.call('PUT', `${PATH}/store/${made.id}`, {
    body: { name: 'Late' },
    key: ADMIN_KEY,
    headers: { 'if-match': `"${made.revision}"` },
  })
  assert.equal(late.status, 412, late.text)
  const gone = await platform.manage('DELETE', `${PATH}/store/${made.id}`)
  assert.deepEqual(gone.body, { deleted: 1 })
  const { status } = await platform.manage('GET', `${PATH}/store/${made.id}`)
  assert.equal(status, 404)
  const flow = await platform.flow({ name: 'No store' })
  assert.equal((await platform.manage('PUT', `${PATH}/store/${flow}`, { name: 'x' })).status, 404)
})

test('components of a document store are listed by kind [docstores:components]', async () => {
  for (const [name, expected] of Object.entries({
    loaders: 'pdfFile',
    embeddings: 'builtInEmbeddings',
    vectorstore: 'builtInVectorStore',
    recordmanager: 'SQLiteRecordManager',
  })) {
    const { body } = await platform.manage<{ name: string }[]>('GET', `${PATH}/components/${name}`)
    assert.ok(
      body.some((node) => node.name === expected),
      name,
    )
  }
})

test('a loader is previewed, saved, processed and deleted [docstores:loaders]', async () => {
  const { id: storeId } = await newStore('Loaders')
  const loader = {
    storeId,
    loaderId: 'plainText',
    loaderName: 'A text',
    loaderConfig: { text: 'Otters swim. '.repeat(20), metadata: { animal: 'otter' } },
    splitterId: 'recursiveCharacterTextSplitter',
    splitterConfig: { chunkSize: 100, chunkOverlap: 0 },
  }
  const preview = await platform.manage<{ totalChunks: number; chunks: { metadata: { animal: string } }[] }>(
    'POST',
    `${PATH}/loader/preview`,
    { ...loader, previewChunkCount: 2 },
  )
  assert.equal(preview.status, 200, preview.text)
  assert.equal(preview.body.chunks.length, 2)
  assert.ok(preview.body.totalChunks > 2)
  assert.equal(preview.body.chunks[0]!.metadata.animal, 'otter')
  assert.equal((await storeOf(storeId)).loaders.length, 0)

  const saved = await platform.manage<StoreLoaderAnswer>('POST', `${PATH}/loader/save`, loader)
  assert.equal(saved.status, 200, saved.text)
  assert.equal(saved.body.status, 'NEW')
  const processed = await platform.manage<StoreChunkPage>('POST', `${PATH}/loader/process/${saved.body.id}`, {
    storeId,
  })
  assert.equal(processed.status, 200, processed.text)
  assert.equal(processed.body.count, preview.body.totalChunks)
  const store = await storeOf(storeId)
  assert.equal(store.status, 'UPSERTED')
  assert.deepEqual(
    store.loaders.map(({ loaderName, status, totalChunks, splitterId }) => [
      loaderName,
      status,
      totalChunks,
      splitterId,
    ]),
    [['A text', 'SYNC', preview.body.totalChunks, 'recursiveCharacterTextSplitter']],
  )
  await platform.manage('POST', `${PATH}/loader/save`, {
    storeId,
    id: saved.body.id,
    splitterConfig: { chunkSize: 50 },
  })
  assert.equal((await storeOf(storeId)).status, 'STALE')
  const deleted = await platform.manage<DocumentStoreAnswer>(
    'DELETE',
    `${PATH}/loader/${storeId}/${saved.body.id}`,
  )
  assert.deepEqual([deleted.body.loaders, deleted.body.status], [[], 'EMPTY'])
  assert.equal((await chunksOf(storeId)).count, 0)
})

test('a preview of sent files stores nothing [docstores:preview-files]', async () => {
  const body = form({ 'a.txt': 'Hedgehogs sleep in winter.' }, { loaderId: 'textFile', previewChunkCount: 5 })
  const answer = await platform.call<{ chunks: { pageContent: string }[] }>(
    'POST',
    `${PATH}/loader/preview`,
    {
      body,
      key: ADMIN_KEY,
    },
  )
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(
    answer.body.chunks.map(({ pageContent }) => pageContent),
    ['Hedgehogs sleep in winter.'],
  )
  assert.deepEqual(platform.uploads(), [])
})

test('upserts make a loader, copy it, replace its documents, and make another store [docstores:upsert]', async () => {
  const { id } = await newStore('Upserts')
  const first = await upsert(
    id,
    form({ 'a.txt': 'Otters swim.' }, { loader: { name: 'textFile', config: {} } }),
  )
  assert.equal(first.status, 200, first.text)
  assert.equal(first.body.numAdded, 1)
  const { docId } = first.body
  assert.equal((await chunksOf(id)).chunks[0]!.docId, docId)

  const second = await upsert(id, form({ 'b.txt': 'Cats climb.' }, { docId, metadata: { year: 2026 } }))
  assert.notEqual(second.body.docId, docId)
  const { loaders } = await storeOf(id)
  assert.deepEqual(
    loaders.map(({ loaderId, files }) => [loaderId, files.map(({ name }) => name)]),
    [
      ['textFile', ['a.txt']],
      ['textFile', ['b.txt']],
    ],
  )
  const own = await chunksOf(id, second.body.docId)
  assert.deepEqual(JSON.parse(own.chunks[0]!.metadata).year, 2026)

  const replaced = await upsert(id, form({ 'c.txt': 'Dogs run.' }, { docId, replaceExisting: 'true' }))
  assert.deepEqual([replaced.body.docId, replaced.body.numAdded, replaced.body.numDeleted], [docId, 1, 1])
  assert.deepEqual(
    (await chunksOf(id)).chunks.map(({ pageContent }) => pageContent),
    ['Cats climb.', 'Dogs run.'],
  )

  const other = await upsert(
    id,
    form({ 'd.txt': 'Elks walk.' }, { docId, createNewDocStore: 'true', docStore: { name: 'Elks' } }),
  )
  assert.equal(other.status, 200, other.text)
  assert.notEqual(other.body.storeId, id)
  const made = await storeOf(other.body.storeId)
  assert.deepEqual([made.name, made.loaders.length, made.totalChunks], ['Elks', 1, 1])
  assert.equal((await storeOf(id)).totalChunks, 2)
})

test('a refresh loads again and never duplicates, with other settings too [docstores:refresh]', async () => {
  const { id } = await newStore('Refreshes')
  const text = 'Otters swim in rivers. '.repeat(30)
  const { body } = await upsert(id, form({ 'a.txt': text }, { loader: { name: 'textFile' } }))
  const plain = { storeId: id, loaderId: 'plainText', loaderConfig: { text: 'Cats climb.' } }
  const { body: loader } = await platform.manage<StoreLoaderAnswer>('POST', `${PATH}/loader/save`, plain)
  const refresh = (items?: object[]) =>
    platform.manage<Upserted[]>('POST', `${PATH}/refresh/${id}`, items ? { items } : {})
  const once = await refresh()
  assert.equal(once.status, 200, once.text)
  assert.deepEqual(
    once.body.map(({ docId, numAdded }) => [docId, numAdded]),
    [
      [body.docId, 0],
      [loader.id, 1],
    ],
  )
  for (const { numAdded } of (await refresh()).body) assert.equal(numAdded, 0)
  assert.equal((await chunksOf(id)).count, 2)
  const splitter = { name: 'recursiveCharacterTextSplitter', config: { chunkSize: 200, chunkOverlap: 0 } }
  const cut = await refresh([{ docId: body.docId, splitter }])
  assert.ok(cut.body[0]!.numAdded > 1, cut.text)
  const texts = (await chunksOf(id, body.docId)).chunks.map(({ pageContent }) => pageContent)
  assert.equal(new Set(texts).size < texts.length, false)
  assert.ok(texts.every((one) => one.length <= 200))
})

test('one loader that fails keeps no other from loading again [docstores:refresh-failure]', async () => {
  const { id } = await newStore('Failures')
  const save = (loaderId: string, loaderConfig: object) =>
    platform.manage<StoreLoaderAnswer>('POST', `${PATH}/loader/save`, { storeId: id, loaderId, loaderConfig })
  await save('cheerioWebScraper', { url: 'http://127.0.0.1:9/' })
  await save('plainText', { text: 'Cats climb.' })
  const { body, status, text } = await platform.manage<(Upserted & { error?: { code: string } })[]>(
    'POST',
    `${PATH}/refresh/${id}`,
    {},
  )
  assert.equal(status, 200, text)
  assert.ok(body[0]!.error?.code)
  assert.equal(body[1]!.numAdded, 1)
  const store = await storeOf(id)
  assert.deepEqual(
    store.loaders.map((loader) => loader.status),
    ['NEW', 'SYNC'],
  )
  assert.equal(store.status, 'STALE')
})

test('queries answer in the words of the dialect, and say which inputs have no effect [docstores:query]', async () => {
  const { id } = await newStore('Queries')
  await upsert(id, form({ 'a.txt': 'Otters swim.', 'b.txt': 'Cats climb.' }))
  const { body, text } = await query(id, 'What do otters do?', { topK: 1, basePath: 'http://evil.example' })
  assert.equal(body.docs.length, 1, text)
  assert.deepEqual([body.docs[0]!.pageContent, body.docs[0]!.chunkNo], ['Otters swim.', 1])
  assert.match(text, /basePath/)
})

test('parts are set, chunks move to them, and a loader is emptied [docstores:parts]', async () => {
  const { id } = await newStore('Parts')
  const { body } = await upsert(id, form({ 'a.txt': 'Otters swim.' }))
  const set = { storeId: id, vectorStoreName: 'builtInVectorStore', vectorStoreConfig: { topK: 2 } }
  const saved = await platform.manage<DocumentStoreAnswer>('POST', `${PATH}/vectorstore/save`, set)
  assert.deepEqual(saved.body.vectorStoreConfig?.config.topK, 2, saved.text)
  const without = { storeId: id, recordManagerName: null }
  const inserted = await platform.manage<DocumentStoreAnswer & { numSkipped: number }>(
    'POST',
    `${PATH}/vectorstore/insert`,
    without,
  )
  assert.equal(inserted.status, 200, inserted.text)
  assert.deepEqual([inserted.body.recordManagerConfig, inserted.body.totalChunks], [null, 1])
  const emptied = await platform.manage('DELETE', `${PATH}/vectorstore/${id}?docId=${body.docId}`)
  assert.deepEqual(emptied.body, { numDeleted: 1 })
})

test('a key of a store loads and asks; what leads elsewhere is for managers [docstores:keys]', async () => {
  const { id } = await newStore('Keys')
  const { apiKey, id: keyId } = await platform.key({ scopes: ['upsert', 'query'], flows: [id] })
  await platform.manage('PUT', `/api/v1/chatflows/${id}`, { apikeyid: keyId })
  const send = (body: FormData | object, key?: string) =>
    platform.call<Upserted>('POST', `${PATH}/upsert/${id}`, { body, ...(key ? { key } : {}) })
  assert.equal((await send(form({ 'a.txt': 'Otters.' }))).status, 401)
  const first = await send(form({ 'a.txt': 'Otters.' }), apiKey)
  assert.equal(first.status, 200, first.text)
  const { docId } = first.body
  const parts = { embedding: { name: 'openAIEmbeddings', config: { basepath: 'http://evil.example' } } }
  assert.equal((await send(form({ 'b.txt': 'Cats.' }, { docId, ...parts }), apiKey)).status, 403)
  assert.equal(
    (await send({ docId, loader: { name: 'folderFiles', config: { folderPath: '/' } } }, apiKey)).status,
    403,
  )
  assert.equal(
    (await send(form({ 'b.txt': 'Cats.' }, { docId, createNewDocStore: 'true' }), apiKey)).status,
    403,
  )
  const splitter = { name: 'recursiveCharacterTextSplitter', config: { chunkSize: 50, chunkOverlap: 0 } }
  assert.equal((await send(form({ 'b.txt': 'Cats.' }, { docId, splitter }), apiKey)).status, 200)
  const listed = await platform.call<DocumentStoreAnswer[]>('GET', `${PATH}/store`, { key: apiKey })
  const own = listed.body.find((store) => store.id === id)
  assert.deepEqual([own?.vectorStoreConfig?.config, own?.totalChunks], [{}, 2])
})
