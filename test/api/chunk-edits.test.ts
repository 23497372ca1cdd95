import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DocumentStoreAnswer } from '../../src/api/document-store.ts'
import type { ChunkEditAnswer, StoreChunkPage } from '../../src/api/document-store-chunk.ts'
import type { UpsertAnswer } from '../../src/api/upsert.ts'
import { ADMIN_KEY, makePlatform } from '../support/platform.ts'

const platform = await makePlatform()
const PATH = '/api/v1/document-store'
const splitter = { name: 'recursiveCharacterTextSplitter', config: { chunkSize: 30, chunkOverlap: 0 } }

async function newStore(text: string, name = 'a.txt') {
  const { body } = await platform.manage<DocumentStoreAnswer>('POST', `${PATH}/store`, { name: 'Edits' })
  const first = await send(body.id, { [name]: text }, { loader: { name: 'textFile' }, splitter })
  assert.equal(first.status, 200, first.text)
  return { id: body.id, docId: first.body.docId }
}

function send(id: string, files: Record<string, string>, fields: Record<string, unknown>) {
  const body = new FormData()
  for (const [name, text] of Object.entries(files)) body.append('files', new Blob([text]), name)
  for (const [name, value] of Object.entries(fields))
    body.append(name, typeof value === 'string' ? value : JSON.stringify(value))
  return platform.call<UpsertAnswer & { docId: string }>('POST', `${PATH}/upsert/${id}`, {
    body,
    key: ADMIN_KEY,
  })
}
const again = (id: string, docId: string, text: string, fields = {}) =>
  send(id, { 'a.txt': text }, { docId, replaceExisting: 'true', ...fields })
const page = async (id: string, docId = 'all') =>
  (await platform.manage<StoreChunkPage>('GET', `${PATH}/chunks/${id}/${docId}/1`)).body
const texts = async (id: string) => (await page(id)).chunks.map(({ pageContent }) => pageContent)
const edits = async (id: string) =>
  (await platform.manage<ChunkEditAnswer[]>('GET', `${PATH}/edits/${id}`)).body
const found = async (id: string, query: string) =>
  (
    await platform.manage<{ docs: { pageContent: string }[] }>('POST', `${PATH}/vectorstore/query`, {
      storeId: id,
      query,
      inputs: { topK: 1 },
    })
  ).body.docs[0]?.pageContent

const TEXT = 'Otters swim in rivers.\n\nCats climb up trees.\n\nDogs run in parks.'

test('an edited and a deleted chunk survive loading an unchanged document again [docstores:edits]', async () => {
  const { id, docId } = await newStore(TEXT)
  const { chunks } = await page(id, docId)
  assert.equal(chunks.length, 3)
  const put = await platform.manage<StoreChunkPage>('PUT', `${PATH}/chunks/${id}/${docId}/${chunks[0]!.id}`, {
    pageContent: 'Beavers build dams.',
  })
  assert.equal(put.status, 200, put.text)
  const removed = await platform.manage<StoreChunkPage>(
    'DELETE',
    `${PATH}/chunks/${id}/${docId}/${chunks[1]!.id}`,
  )
  assert.equal(removed.status, 200, removed.text)
  const after = ['Beavers build dams.', 'Dogs run in parks.']
  assert.deepEqual(await texts(id), after)
  assert.equal(await found(id, 'What do beavers build?'), 'Beavers build dams.')
  assert.notEqual((await page(id)).chunks[0]!.edited, null)

  // With other settings the same text is read and cut again.
  const next = await again(id, docId, TEXT, { metadata: { year: 2026 } })
  assert.deepEqual(next.body.warnings, [])
  assert.deepEqual(await texts(id), after)
  assert.equal(JSON.parse((await page(id)).chunks[0]!.metadata).year, 2026)
  await platform.manage('POST', `${PATH}/refresh/${id}`, {})
  assert.deepEqual(await texts(id), after)
  // Text before and behind them moves them, and changes nothing.
  const longer = await again(id, docId, `Elks walk in forests.\n\n${TEXT}\n\nFrogs jump high.`)
  assert.deepEqual(longer.body.warnings, [])
  assert.deepEqual(await texts(id), ['Elks walk in forests.', ...after, 'Frogs jump high.'])
})

test('where the document changed the edit is kept aside, told, and comes back with its text [docstores:edit-conflict]', async () => {
  const { id, docId } = await newStore(TEXT)
  const { chunks } = await page(id, docId)
  await platform.manage('PUT', `${PATH}/chunks/${id}/${docId}/${chunks[0]!.id}`, {
    pageContent: 'Beavers build dams.',
  })
  const changed = TEXT.replace('Otters swim in rivers.', 'Otters swim in lakes.')
  const { body } = await again(id, docId, changed)
  assert.deepEqual(
    body.warnings?.map(({ key }) => key),
    ['a.txt'],
  )
  assert.match(body.warnings![0]!.reason, /kept aside/)
  assert.deepEqual((await texts(id))[0], 'Otters swim in lakes.')
  assert.deepEqual(
    (await edits(id)).map(({ original, pageContent, setAside }) => [original, pageContent, setAside]),
    [['Otters swim in rivers.', 'Beavers build dams.', true]],
  )
  const { body: store } = await platform.manage<DocumentStoreAnswer>('GET', `${PATH}/store/${id}`)
  assert.equal(store.setAside, 1)
  await again(id, docId, TEXT)
  assert.equal((await texts(id))[0], 'Beavers build dams.')
  const [edit] = await edits(id)
  assert.equal(edit!.setAside, false)
  await platform.manage('DELETE', `${PATH}/edits/${id}/${edit!.id}`)
  await again(id, docId, `${TEXT} `, { metadata: { a: 1 } })
  assert.equal((await texts(id))[0], 'Otters swim in rivers.')
})

test('an edit is changed again, one of two equal texts is meant alone, and a late edit is told [docstores:edit-again]', async () => {
  const { id, docId } = await newStore('Cats climb up trees.\n\nDogs run in parks.\n\nCats climb up trees.')
  const { chunks } = await page(id, docId)
  assert.equal(chunks.length, 3)
  const url = (chunk: string) => `${PATH}/chunks/${id}/${docId}/${chunk}`
  await platform.manage('PUT', url(chunks[2]!.id), { pageContent: 'First words.' })
  const second = (await page(id)).chunks[2]!
  assert.equal(second.pageContent, 'First words.')
  await platform.manage('PUT', url(second.id), { pageContent: 'Second words.', metadata: { kind: 'mine' } })
  assert.equal((await edits(id)).length, 1)
  const late = await platform.manage<{ code: string }>('PUT', url(second.id), { pageContent: 'Too late.' })
  assert.deepEqual([late.status, late.body.code], [404, 'chunk_not_found'])
  await again(id, docId, 'Cats climb up trees.\n\nDogs run in parks.\n\nCats climb up trees.', {
    metadata: { a: 1 },
  })
  assert.deepEqual(await texts(id), ['Cats climb up trees.', 'Dogs run in parks.', 'Second words.'])
  const { kind, docId: kept } = JSON.parse((await page(id)).chunks[2]!.metadata)
  assert.deepEqual([kind, kept], ['mine', docId])
})
