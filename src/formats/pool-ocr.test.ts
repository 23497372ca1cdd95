import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { writePdf } from '../../test/support/pdf-writer.ts'
import { processesOf } from '../../test/support/processes.ts'
import { saying, scannedPage, textPage, writeProgram } from '../../test/support/scans.ts'
import { until } from '../../test/support/until.ts'
import type { FileParser } from '../contract/file-parser.ts'
import { createOcr, type OcrOptions } from './pdf/ocr-program.ts'
import { createFileParser } from './pool.ts'

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'sluice-scans-')))
const file = (name: string, bytes: Uint8Array | string) => {
  writeFileSync(path.join(folder, name), bytes)
  return path.join(folder, name)
}
const mixed = file('mixed.pdf', writePdf([textPage('First.'), scannedPage(), textPage('Third.')]))
const words = file('words.pdf', writePdf([textPage('Only words.')]))

const parsers: FileParser[] = []
const parserWith = (ocr: OcrOptions, size = 1) => {
  const parser = createFileParser({ readable: [folder], size, ocr: createOcr(ocr) })
  parsers.push(parser)
  return parser
}
after(async () => {
  await Promise.all(parsers.map((parser) => parser.close()))
  rmSync(folder, { recursive: true, force: true })
})

async function read(parser: FileParser, place: string, signal?: AbortSignal) {
  const texts: string[] = []
  const notes: string[] = []
  const request = {
    path: place,
    name: path.basename(place),
    type: 'pdf',
    options: { ocrLanguages: ['deu'] },
  } as const
  for await (const batch of parser.parse(request, signal)) {
    texts.push(...batch.parts.map(({ pageContent }) => pageContent))
    notes.push(...batch.notes)
  }
  return { texts, notes }
}

const hanging = (t: Parameters<typeof writeProgram>[0]) => writeProgram(t, 'while :; do sleep 1; done')

test('createFileParser() has pages without text read by the program, and gives them in their order [upsert:ocr]', async (t) => {
  const parser = parserWith({ program: writeProgram(t, saying('Der See ist tief.')), pages: 5 })
  assert.deepEqual(await read(parser, mixed), {
    texts: ['First.', 'Der See ist tief.', 'Third.'],
    notes: ['1 of 3 pages read by OCR (deu), confidence 0.90'],
  })
  assert.equal(await parser.variant?.('pdf', { ocrLanguages: ['deu'] }), 'ocr deu 5')
  assert.equal(await parser.variant?.('pdf', { ocrLanguages: ['fra'] }), undefined)
  assert.equal(await parser.variant?.('csv', {}), undefined)
})

test('createFileParser() reads other files in the place of one whose page the program has', async (t) => {
  const program = hanging(t)
  const parser = parserWith({ program, pages: 5 })
  const control = new AbortController()
  const scan = assert.rejects(read(parser, mixed, control.signal), { message: 'no longer wanted' })
  await until(() => processesOf(program).length > 0)
  assert.deepEqual((await read(parser, words)).texts, ['Only words.'])
  control.abort(new Error('no longer wanted'))
  await scan
  await until(() => processesOf(program).length === 0)
  assert.deepEqual((await read(parser, words)).texts, ['Only words.'])
})

test('createFileParser() reads a scan of many pages as far as its limit, and names the others [upsert:ocr:limits]', async (t) => {
  const many = file(
    'many.pdf',
    writePdf(Array.from({ length: 2000 }, () => ({ lines: [], pictures: scannedPage().pictures! }))),
  )
  const parser = parserWith({ program: writeProgram(t, saying('Seite.')), pages: 3 }, 2)
  const { texts, notes } = await read(parser, many)
  assert.deepEqual(texts, ['Seite.', 'Seite.', 'Seite.'])
  assert.equal(notes[0], '3 of 2000 pages read by OCR (deu), confidence 0.90')
  assert.match(
    notes[1]!,
    /^no text, and not read by OCR: pages 4, 5, .* 23 and 1977 more \(at most 3 pages of a file/,
  )
})

test('close() ends the program, and one does not outlive a server that is killed', async (t) => {
  const program = hanging(t)
  const parser = parserWith({ program, pages: 5 })
  const closed = assert.rejects(read(parser, mixed), { code: 'stopping' })
  await until(() => processesOf(program).length > 0)
  await parser.close()
  await closed
  await until(() => processesOf(program).length === 0)

  const script = `
    import { createFileParser } from ${JSON.stringify(import.meta.resolve('./pool.ts'))}
    import { createOcr } from ${JSON.stringify(import.meta.resolve('./pdf/ocr-program.ts'))}
    const ocr = createOcr({ program: ${JSON.stringify(program)}, pages: 5 })
    const parser = createFileParser({ readable: [${JSON.stringify(folder)}], ocr })
    for await (const _ of parser.parse({ path: ${JSON.stringify(mixed)}, name: 'a.pdf', type: 'pdf' }));`
  const server = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', script])
  await until(() => processesOf(program).some((pid) => pid !== server.pid))
  server.kill('SIGKILL')
  await until(() => processesOf(program).length === 0)
})
