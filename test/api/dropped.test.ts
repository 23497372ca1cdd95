import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DroppedAnswer } from '../../src/api/dropped.ts'
import type { JobAnswer } from '../../src/api/job.ts'
import type { JobFileAnswer } from '../../src/api/job-file.ts'
import type { ListedChunkPage, SourceAnswer, SourceTextAnswer } from '../../src/api/source.ts'
import type { FileAnswer } from '../../src/api/upsert.ts'
import { ADMIN_KEY, form, makePlatform } from '../support/platform.ts'
import { deck, encryptedPdf } from '../support/small-files.ts'
import { data, inline, row, workbook } from '../support/workbook.ts'

/** What readers leave out of documents, from the upsert to the document. */
const platform = await makePlatform()
const flow = await platform.flow({ name: 'Dropped', recordManager: { cleanup: 'incremental' } })

const textOf = async (source: string, query: Record<string, string> = {}, id = flow, key?: string) =>
  (
    await platform.call<SourceTextAnswer>(
      'GET',
      `/api/v1/vector/sources/${id}/text?${new URLSearchParams({ source, ...query })}`,
      key === undefined ? { key: ADMIN_KEY } : { key },
    )
  ).body
const droppedOf = async (source: string) => (await textOf(source)).dropped
const listed = async (id = flow) =>
  (await platform.manage<{ data: SourceAnswer[] }>('GET', `/api/v1/vector/sources/${id}`)).body.data
const filesOf = (body: { files: unknown }) =>
  (body.files as FileAnswer[]).map(({ name, status, dropped }) => [name, status, dropped])

const sheets = (...hidden: string[]) =>
  Uint8Array.from(
    workbook({
      Shown: data(row(inline('herb'), inline('use')), row(inline('sage'), inline('tea'))),
      ...Object.fromEntries(
        hidden.map((name) => [name, { content: data(row(inline('x'))), state: 'hidden' }]),
      ),
    }),
  )
const talk = deck(
  { text: 'Otters swim.' },
  { pictures: 2 },
  { text: 'Herons wait.', pictures: 1 },
  { pictures: 1 },
)

const hiddenSheet = (sheet: string): DroppedAnswer => ({
  ...{ kind: 'hiddenSheet', count: 1, text: `sheet ${sheet} is hidden` },
  ...{ more: false, place: { sheet }, position: null },
})
const PICTURES = [{ kind: 'picture' as const, count: 4, text: '4 pictures' }]
const HIDDEN = [{ kind: 'hiddenSheet' as const, count: 2, text: '2 hidden sheets' }]

test('an upsert, a dry run and a job tell how much of each kind was left out of each file [upsert:dropped]', async () => {
  const files = { 'herbs.xlsx': sheets('Budget', 'Pay'), 'plain.txt': 'Sage is a herb.' }
  const told = [
    ['herbs.xlsx', 'indexed', HIDDEN],
    ['plain.txt', 'indexed', undefined],
  ]
  const dry = await platform.upload(flow, files, { dryRun: 'true' })
  assert.deepEqual(filesOf(dry.body), told)
  assert.deepEqual(await listed(), [])
  const { body } = await platform.upload(flow, files)
  assert.deepEqual(filesOf(body), told)
  const { jobId } = body as typeof body & { jobId: string }
  const { body: rows } = await platform.manage<{ data: JobFileAnswer[] }>(
    'GET',
    `/api/v1/jobs/${jobId}/files`,
  )
  assert.deepEqual(
    rows.data.map(({ dropped }) => dropped),
    [HIDDEN, undefined],
  )
  const { body: job } = await platform.manage<JobAnswer>('GET', `/api/v1/jobs/${jobId}`)
  assert.partialDeepStrictEqual(job.result, { files: [{ dropped: HIDDEN }] })

  const { body: accepted } = await platform.manage<{ jobId: string }>(
    'POST',
    `/api/v1/vector/dry-run/${flow}`,
    form({ 'talk.pptx': talk }) as FormData,
  )
  await platform.call('GET', `/api/v1/jobs/${accepted.jobId}/events`)
  const { body: dried } = await platform.manage<{ data: JobFileAnswer[] }>(
    'GET',
    `/api/v1/jobs/${accepted.jobId}/files`,
  )
  assert.deepEqual(dried.data[0]!.dropped, PICTURES)

  // A file without text has no document, and its row tells even so.
  const empty = await platform.upload(flow, { 'pictures.pptx': deck({ pictures: 3 }) })
  assert.deepEqual(filesOf(empty.body), [
    ['pictures.pptx', 'empty', [{ kind: 'picture', count: 3, text: '3 pictures' }]],
  ])
})

test('the text of a document has what was left out of it, the list how much of each kind [sources:dropped]', async () => {
  assert.deepEqual(await droppedOf('herbs.xlsx'), [hiddenSheet('Budget'), hiddenSheet('Pay')])
  assert.deepEqual(await droppedOf('plain.txt'), [])
  assert.equal(await droppedOf('unknown.txt'), null)
  assert.deepEqual(
    (await listed()).map(({ source, dropped }) => [source, dropped]),
    [
      ['herbs.xlsx', HIDDEN],
      ['plain.txt', []],
    ],
  )
})

test('an unchanged file and a failed one keep what was left out of their documents; the next load replaces it [sources:dropped]', async () => {
  const same = await platform.upload(flow, { 'herbs.xlsx': sheets('Budget', 'Pay') })
  assert.deepEqual(filesOf(same.body), [['herbs.xlsx', 'unchanged', HIDDEN]])
  const failed = await platform.upload(flow, { 'herbs.xlsx': encryptedPdf(), 'plain.txt': 'Sage is a herb.' })
  assert.equal((failed.body.files as FileAnswer[])[0]!.status, 'failed')
  assert.deepEqual(await droppedOf('herbs.xlsx'), [hiddenSheet('Budget'), hiddenSheet('Pay')])
  // Its chunks are the same: what was left out is not.
  await platform.upload(flow, { 'herbs.xlsx': sheets('Pay') })
  assert.deepEqual(await droppedOf('herbs.xlsx'), [hiddenSheet('Pay')])

  await platform.manage('DELETE', `/api/v1/vector/upsert/${flow}?source=herbs.xlsx`)
  assert.equal(await droppedOf('herbs.xlsx'), null)
  await platform.manage('POST', `/api/v1/vector/sources/${flow}/restore`, { sources: ['herbs.xlsx'] })
  assert.deepEqual(await droppedOf('herbs.xlsx'), [hiddenSheet('Pay')])
})

test('what was left out has its position in the text, and the page of chunks there is found [sources:dropped, chunks:at]', async () => {
  await platform.upload(flow, { 'talk.pptx': talk })
  const { text, dropped } = await textOf('talk.pptx')
  assert.equal(text, 'Otters swim.\n\nHerons wait.')
  assert.deepEqual(dropped, [
    {
      ...{ kind: 'picture', count: 4, text: '4 pictures on pages 2 to 4' },
      more: false,
      place: { page: 2, lastPage: 4 },
      position: { start: 14, end: 26 },
    },
  ])
  const late = deck({ text: 'Otters swim.' }, { text: 'Herons wait.' }, { pictures: 1 })
  await platform.upload(flow, { 'late.pptx': late })
  assert.deepEqual((await droppedOf('late.pptx'))![0]!.position, { start: 26, end: 26 })

  const chunksAt = async (query: Record<string, string>) =>
    platform.manage<ListedChunkPage>('GET', `/api/v1/vector/chunks/${flow}?${new URLSearchParams(query)}`)
  for (const [at, wanted] of [
    ['0', 0],
    ['11', 0],
    ['12', 1],
    ['14', 1],
    ['26', 1],
    ['999', 1],
  ] as const) {
    const { body } = await chunksAt({ source: 'late.pptx', at, limit: '1' })
    assert.deepEqual(
      [body.offset, body.data[0]!.pageContent],
      [wanted, ['Otters swim.', 'Herons wait.'][wanted]],
    )
  }
  assert.deepEqual((await chunksAt({ source: 'gone.pptx', at: '5' })).body, { data: [], total: 0, offset: 0 })
  for (const query of [{ at: '5' }, { source: 'late.pptx', at: '5', around: 'x' }, { source: 'a', at: '-1' }])
    assert.equal((await chunksAt(query as Record<string, string>)).status, 400)
})

test('of an earlier version it is not known what was left out; the newest has its own [sources:dropped]', async () => {
  const keeps = await platform.flow({ name: 'Keeps versions', recordManager: { cleanup: 'none' } })
  await platform.upload(keeps, { 'talk.pptx': talk })
  await platform.upload(keeps, { 'talk.pptx': deck({ text: 'Otters sleep.', pictures: 7 }) })
  const newest = await textOf('talk.pptx', {}, keeps)
  assert.deepEqual([newest.text, newest.dropped?.[0]?.count], ['Otters sleep.', 7])
  const earlier = await textOf('talk.pptx', { version: newest.earlier[0]!.version }, keeps)
  assert.deepEqual([earlier.text.includes('Otters swim.'), earlier.dropped], [true, null])
})

test('a reindex keeps what was left out; documents whose names are in their metadata tell it at their file alone [sources:dropped]', async () => {
  const again = await platform.manage('POST', `/api/v1/vector/reindex/${flow}`)
  assert.equal(again.status, 200, again.text)
  assert.equal((await droppedOf('talk.pptx'))![0]!.count, 4)
  const named = await platform.flow({ name: 'Named', recordManager: { sourceIdKey: 'documentType' } })
  const { body } = await platform.upload(named, { 'talk.pptx': talk })
  assert.deepEqual(filesOf(body), [['talk.pptx', 'indexed', PICTURES]])
  assert.equal((await textOf('powerpoint', {}, named)).dropped, null)
})

test('a key with pins sees what was left out of its own documents alone [sources:dropped]', async () => {
  const shared = await platform.flow({ name: 'Shared' })
  const keyOf = async (tenant: string) =>
    (
      await platform.manage<{ apiKey: string }>('POST', '/api/v1/apikey', {
        ...{ keyName: tenant, scopes: ['upsert', 'query'], pins: { tenant } },
      })
    ).body.apiKey
  const [acme, other] = [await keyOf('acme'), await keyOf('other')]
  const load = async (key: string, content: Uint8Array<ArrayBuffer>) => {
    const answer = await platform.call('POST', `/api/v1/vector/upsert/${shared}`, {
      ...{ key, body: form({ 'herbs.xlsx': content }) },
    })
    assert.equal(answer.status, 200, answer.text)
  }
  await load(acme, sheets('Of Acme'))
  await load(other, sheets())
  const of = async (key: string, query = {}) => (await textOf('herbs.xlsx', query, shared, key)).dropped
  assert.deepEqual(await of(acme), [hiddenSheet('Of Acme')])
  assert.deepEqual(await of(other), [])
  assert.equal(await of(ADMIN_KEY), null)
  assert.deepEqual(await of(ADMIN_KEY, { pin: 'tenant=acme' }), [hiddenSheet('Of Acme')])
})

test('a file with something left out at any number of places has few rows [upsert:dropped:bounded]', async () => {
  const names = Array.from({ length: 400 }, (_, n) => `Sheet ${n}`)
  await platform.upload(flow, { 'many.xlsx': sheets(...names) })
  const rows = (await droppedOf('many.xlsx'))!
  assert.equal(rows.length, 101)
  assert.deepEqual(rows.at(-1), {
    ...{ kind: 'hiddenSheet', count: 300, text: '300 more hidden sheets' },
    more: true,
    place: null,
    position: null,
  })
})
