import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { UpsertAnswer } from '../../src/api/upsert.ts'
import { readConfig } from '../../src/kit/config.ts'
import { quietLog } from '../../src/kit/log.ts'
import { startPlatform } from '../../src/main.ts'
import { lacking } from '../support/needs.ts'
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
