import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import type { LoadComparisonAnswer } from '../../src/api/refresh.ts'
import type { UpsertAnswer } from '../../src/api/upsert.ts'
import { readConfig } from '../../src/kit/config.ts'
import { quietLog } from '../../src/kit/log.ts'
import { startPlatform } from '../../src/main.ts'
import { drawFlow } from '../support/flow-drawing.ts'
import { lacking } from '../support/needs.ts'
import { newPostgres } from '../support/postgres.ts'
import { writePdf } from '../support/pdf-writer.ts'
import { ADMIN_KEY, form, makePlatform } from '../support/platform.ts'
import { SCANNED, saying, scannedPage, textPage, writeProgram } from '../support/scans.ts'

const platform = await makePlatform()
const mixed = Uint8Array.from(writePdf([textPage('Camping rules of the lake.'), scannedPage()]))
const warnings = ({ warnings: all }: UpsertAnswer) => all!.map(({ key, reason }) => `${key}: ${reason}`)

test('an upsert reads scanned pages in the language of its flow, and a query finds them [upsert:ocr]', {
  skip: lacking('tesseract with German'),
}, async () => {
  const flow = await platform.flow({ loaders: { fileLoader: { ocrLanguages: 'deu' } } })
  const { body, text } = await platform.upload(flow, { 'rules.pdf': mixed })
  assert.partialDeepStrictEqual(body.files, [{ name: 'rules.pdf', status: 'indexed', chunks: 2 }], text)
  assert.match(warnings(body).join(), /^rules\.pdf: 1 of 2 pages read by OCR \(deu\), confidence 0\.[89]/)
  const { docs } = (await platform.query(flow, { query: 'Platzwartin Grünwald', topK: 1 })).body
  assert.equal(docs[0]!.pageContent.replaceAll(/\s*\n+/g, '\n'), SCANNED.join('\n'))
  const { loc, ocr } = docs[0]!.metadata as { loc: { pageNumber: number }; ocr: { confidence: number } }
  assert.equal(loc.pageNumber, 2)
  assert.ok(ocr.confidence > 0.8 && ocr.confidence <= 1)
})

test('a language that is not installed is named, and those that are [upsert:ocr:lacking]', {
  skip: lacking('tesseract with German'),
}, async () => {
  const flow = await platform.flow({ loaders: { fileLoader: { ocrLanguages: 'deu, tlh' } } })
  const scan = Uint8Array.from(writePdf([scannedPage()]))
  const { body } = await platform.upload(flow, { 'scan.pdf': scan })
  assert.partialDeepStrictEqual(body, { numEmpty: 1 })
  assert.match(
    warnings(body).join(),
    /no text in 1 of 1 pages: probably a scan; the language tlh is not installed for tesseract \(installed: .*deu/,
  )
  const bad = await platform.flow({ loaders: { fileLoader: { ocrLanguages: 'deu; rm -rf' } } })
  const refused = await platform.upload(bad, { 'scan.pdf': scan })
  assert.partialDeepStrictEqual(refused, {
    status: 422,
    body: { code: 'input_invalid', input: 'ocrLanguages' },
  })
})

test('a file is read again when its scanned pages can be read, or in other languages [upsert:ocr:again]', async (t) => {
  const first = await makePlatform({ TESSERACT: 'off' }, { embedded: true })
  const flow = await first.flow({ overridable: ['files', 'ocrLanguages'] })
  const sent = { 'rules.pdf': mixed }
  const before = await first.upload(flow, sent)
  assert.partialDeepStrictEqual(before.body, { numAdded: 1, warnings: [] })
  assert.partialDeepStrictEqual((await first.upload(flow, sent)).body.files, [{ status: 'unchanged' }])
  await first.close()

  const TESSERACT = writeProgram(t, saying('Der Zeltplatz am See'))
  const flags = { PORT: '0', DATA_DIR: first.dataDirectory, ADMIN_KEY, TESSERACT }
  const second = await startPlatform(
    readConfig({ flags, environment: {}, directory: first.dataDirectory }),
    quietLog,
  )
  const upload = async (fields: Record<string, string> = {}) =>
    (await (
      await fetch(`${second.url}/api/v1/vector/upsert/${flow}`, { method: 'POST', body: form(sent, fields) })
    ).json()) as UpsertAnswer
  try {
    assert.partialDeepStrictEqual(await upload(), {
      numAdded: 1,
      numSkipped: 1,
      files: [{ status: 'indexed' }],
    })
    assert.partialDeepStrictEqual(await upload(), { numAdded: 0, files: [{ status: 'unchanged' }] })
    const german = await upload({ ocrLanguages: 'deu' })
    assert.partialDeepStrictEqual(german, { numAdded: 0, numSkipped: 2, files: [{ status: 'indexed' }] })
  } finally {
    await second.close()
  }
})

test('a file of which a page was not read because the program failed is read again, and then is known [upsert:ocr:again]', async (t) => {
  const failing = 'cat >/dev/null; if mkdir "$0.failed" 2>/dev/null; then exit 1; fi'
  const TESSERACT = writeProgram(t, `${failing}\n${saying('Der Zeltplatz am See')}`)
  const patient = await makePlatform({ TESSERACT })
  const flow = await patient.flow({})
  const upload = async () => (await patient.upload(flow, { 'rules.pdf': mixed })).body
  const first = await upload()
  assert.match(warnings(first).join(), /not read by OCR: page 2 \(it ended with an error\)/)
  assert.partialDeepStrictEqual(await upload(), {
    numAdded: 1,
    numSkipped: 1,
    files: [{ status: 'indexed' }],
  })
  assert.partialDeepStrictEqual(await upload(), { numAdded: 0, files: [{ status: 'unchanged' }] })
})

const DATABASES: { name: string; skip: string | false; open: (t: TestContext) => Promise<object> }[] = [
  { name: 'SQLite', skip: false, open: async () => ({}) },
  {
    name: 'PostgreSQL',
    skip: lacking('PostgreSQL'),
    async open(t) {
      const { address, drop } = await newPostgres()
      t.after(drop)
      return { DATABASE_URL: address, SECRET_KEY: 'the-secret-of-the-test-nodes' }
    },
  },
]
for (const { name, skip, open } of DATABASES)
  test(`a refresh reads the pages for which the program was installed later, and no other file, in ${name} [upsert:refresh:ocr]`, {
    skip,
  }, async (t) => {
    const directory = mkdtempSync(path.join(tmpdir(), 'sluice-ocr-'))
    const database = await open(t)
    t.after(() => rmSync(directory, { recursive: true, force: true }))
    const flags = { PORT: '0', DATA_DIR: directory, ADMIN_KEY, ...database }
    const start = async (TESSERACT: string) => {
      const config = readConfig({ flags: { ...flags, TESSERACT }, environment: {}, directory })
      const server = await startPlatform(config, quietLog)
      const call = async <Body>(method: string, route: string, body?: object | FormData): Promise<Body> => {
        const isForm = body instanceof FormData
        const type: Record<string, string> = isForm ? {} : { 'content-type': 'application/json' }
        const response = await fetch(`${server.url.replace('0.0.0.0', '127.0.0.1')}/api/v1${route}`, {
          method,
          headers: { ...type, authorization: `Bearer ${ADMIN_KEY}` },
          ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
        })
        assert.ok(response.ok, `${method} ${route}: ${response.status}`)
        return (await response.json()) as Body
      }
      return { call, close: () => server.close() }
    }
    const files = { 'rules.pdf': mixed, 'words.pdf': Uint8Array.from(writePdf([textPage('Only words.')])) }

    const first = await start('off')
    const { id } = await first.call<{ id: string }>('POST', '/chatflows', drawFlow({}))
    await first.call('PATCH', `/chatflows/${id}/settings`, { set: { originals: 'on' } })
    const upload = () => first.call<UpsertAnswer>('POST', `/vector/upsert/${id}`, form(files))
    assert.partialDeepStrictEqual(await upload(), { numAdded: 2, numFailed: 0 })
    // What is skipped as unchanged keeps its missing page.
    assert.partialDeepStrictEqual(await upload(), {
      files: [{ status: 'unchanged' }, { status: 'unchanged' }],
    })
    const before = await first.call<LoadComparisonAnswer>('GET', `/vector/refresh/${id}`)
    assert.partialDeepStrictEqual(before, { next: null, differing: 0 })
    await first.close()

    const second = await start(writeProgram(t, saying('Der Zeltplatz am See')))
    try {
      const told = await second.call<LoadComparisonAnswer>('GET', `/vector/refresh/${id}`)
      assert.partialDeepStrictEqual(told, {
        next: 'refresh',
        differing: 1,
        differences: [{ summary: 'Reader of pages without text none → ocr eng 500' }],
      })
      assert.partialDeepStrictEqual(await second.call('POST', `/vector/refresh/${id}`, {}), {
        numAdded: 1,
        numSkipped: 1,
        files: [{ name: 'rules.pdf', status: 'indexed' }],
      })
      const after = await second.call<LoadComparisonAnswer>('GET', `/vector/refresh/${id}`)
      assert.partialDeepStrictEqual(after, { next: null, differing: 0 })
    } finally {
      await second.close()
    }
  })
