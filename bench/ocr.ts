import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createOcr } from '../src/formats/pdf/ocr-program.ts'
import { createFileParser } from '../src/formats/pool.ts'
import { type PdfPicture, writePdf } from '../test/support/pdf-writer.ts'
import { randomBelow } from '../test/support/random.ts'
import { orderScore, scoreText } from '../test/support/text-score.ts'
import { printTable } from './support/table.ts'

/*
 * Scans made of pages of the corpus that have text: how much of it comes back, how sure the program says it is, and how long it takes,
 * by what a scanner does. BENCH_PAGES is how many pages (12). Wanted are the texts that our reader finds in the same pages. The longest
 * turn of the event loop is that of this process, which gives the pixels to the program, in processor time.
 */

type Scanner = {
  name: string
  dpi: number
  change?: (picture: PdfPicture, random: () => number) => PdfPicture
  tilt?: number
}

const SCANNERS: readonly Scanner[] = [
  { name: '300 dpi grey', dpi: 300 },
  { name: '200 dpi grey', dpi: 200 },
  { name: '150 dpi grey', dpi: 150 },
  { name: '100 dpi grey', dpi: 100 },
  { name: '200 dpi, noise', dpi: 200, change: noisy },
  { name: '200 dpi, 1.5° askew', dpi: 200, tilt: 1.5 },
  { name: '200 dpi, a quarter turn', dpi: 200, change: turned },
]

export async function run(): Promise<void> {
  const corpus = process.env.SLUICE_CORPUS
  if (corpus === undefined) return console.log('not run: SLUICE_CORPUS must name the folder of the corpus')
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-ocr-'))
  const pdfs = path.join(corpus, 'docs/pdf')
  const parser = createFileParser({
    readable: [folder, pdfs],
    ocr: createOcr({ program: 'tesseract', pages: 500 }),
  })
  const read = async (file: string) => {
    const texts = new Map<number, { text: string; confidence: number | undefined }>()
    for await (const { parts } of parser.parse({ path: file, name: 'a.pdf', type: 'pdf' }))
      for (const { pageContent, metadata } of parts) {
        const { loc, ocr } = metadata as { loc: { pageNumber: number }; ocr?: { confidence: number } }
        texts.set(loc.pageNumber, { text: pageContent, confidence: ocr?.confidence })
      }
    return texts
  }
  const stalls = watchStalls()
  try {
    const pages = await pagesOf(pdfs, read, Number(process.env.BENCH_PAGES ?? 12))
    const rows: (string | number)[][] = []
    for (const scanner of SCANNERS) {
      const scores: { words: number; order: number; confidence: number; seconds: number; name: string }[] = []
      for (const { file, name, wanted } of pages) {
        const scan = path.join(folder, 'scan.pdf')
        writeFileSync(scan, scanOf(file, scanner))
        stalls.begin()
        const began = performance.now()
        const got = (await read(scan)).get(1)
        stalls.end()
        scores.push({
          name,
          words: scoreText(got?.text ?? '', wanted).words,
          order: orderScore(got?.text ?? '', wanted),
          confidence: got?.confidence ?? 0,
          seconds: (performance.now() - began) / 1000,
        })
      }
      const mean = (of: (one: (typeof scores)[number]) => number) =>
        scores.reduce((sum, one) => sum + of(one), 0) / scores.length
      const [worst] = scores.toSorted((one, other) => one.words - other.words)
      rows.push([
        scanner.name,
        mean(({ words }) => words).toFixed(3),
        mean(({ order }) => order).toFixed(3),
        mean(({ confidence }) => confidence).toFixed(2),
        mean(({ seconds }) => seconds).toFixed(1),
        `${worst!.words.toFixed(3)} ${worst!.name}`,
      ])
    }
    printTable([['scan', 'word F1', 'order', 'confidence', 's a page', 'worst page'], ...rows])
    console.log(`${pages.length} pages; longest turn of the event loop: ${Math.round(stalls.longest())} ms`)
  } finally {
    await parser.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** First pages with text, each as a PDF file and the text that our reader finds in it. */
async function pagesOf(
  folder: string,
  read: (file: string) => Promise<Map<number, { text: string }>>,
  count: number,
) {
  const pages: { name: string; file: string; wanted: string }[] = []
  for (const name of readdirSync(folder).filter(
    (one) => one.endsWith('.pdf') && !/right_to_left|habibi/.test(one),
  )) {
    const file = path.join(folder, name)
    const wanted = (await read(file).catch(() => undefined))?.get(1)?.text ?? ''
    if (wanted.split(/\s+/).length >= 150) pages.push({ name, file, wanted })
    if (pages.length === count) break
  }
  return pages
}

/** The first page of a file as a scanner gives it. */
function scanOf(file: string, { dpi, change, tilt = 0 }: Scanner): Buffer {
  const pgm = execFileSync('pdftoppm', ['-gray', '-r', String(dpi), '-f', '1', '-l', '1', file], {
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [head, wide, high] = /^P5\s+(\d+) (\d+)\s+255\s/.exec(pgm.toString('latin1', 0, 40))!
  const plain = { width: Number(wide), height: Number(high), data: pgm.subarray(head.length) }
  const picture = change?.(plain, fractions()) ?? plain
  const [width, height] = [picture.width, picture.height].map((pixels) => (pixels / dpi) * 72) as [
    number,
    number,
  ]
  // The page of the writer is A4: a larger one is shrunk, which changes the resolution and nothing else.
  const fit = Math.min(1, 595 / width, 842 / height)
  const [cosine, sine] = [Math.cos, Math.sin].map((of) => of((tilt * Math.PI) / 180)) as [number, number]
  const [w, h] = [width * fit, height * fit]
  return writePdf([
    { lines: [], pictures: [{ ...picture, matrix: [w * cosine, w * sine, -h * sine, h * cosine, 0, 0] }] },
  ])
}

function fractions(): () => number {
  const random = randomBelow(7)
  return () => random(1_000_000) / 1_000_000
}

/** Grey paper, speckles, and grain. */
function noisy(picture: PdfPicture, random: () => number): PdfPicture {
  const data = picture.data.map((grey) => {
    const speckle = random()
    if (speckle < 0.002) return 0
    return Math.max(0, Math.min(255, 225 * (grey / 255) + 15 + (random() - 0.5) * 60))
  })
  return { ...picture, data }
}

function turned({ width, height, data }: PdfPicture): PdfPicture {
  const result = new Uint8Array(data.length)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) result[x * height + (height - 1 - y)] = data[y * width + x]!
  return { width: height, height: width, data: result }
}

/** Watches the event loop: the most processor time, in milliseconds, that this thread took between two of its turns. */
function watchStalls() {
  const used = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  let longest = 0
  let last: number | undefined
  const look = () => {
    const now = used()
    if (last !== undefined) longest = Math.max(longest, now - last)
    last = last && now
  }
  setInterval(look, 5).unref()
  return {
    begin() {
      last = used()
    },
    end() {
      look()
      last = undefined
    },
    longest: () => longest,
  }
}

if (import.meta.main) await run()
