import { readdirSync } from 'node:fs'
import path from 'node:path'
import type { DocumentPart } from '../src/contract/document.ts'
import type { FileType } from '../src/contract/file-parser.ts'
import { createFileParser } from '../src/formats/pool.ts'
import { type ExpectedText, expectedTexts, textOfParts } from '../test/support/corpus-docs.ts'
import { scoreText, type TextScore } from '../test/support/text-score.ts'
import { FORMAT_READERS } from './support/format-readers.ts'
import type { ReaderAnswer } from './support/reader-child.ts'
import { type ReaderProcess, readerProcess } from './support/reader-process.ts'
import { median, printTable } from './support/table.ts'

/*
 * Do our readers find the words that other tools and authors say a file holds, and what does it cost, beside the
 * libraries that do the same? Readers take turns on each file, a process each; the first round warms them up. A
 * file that a reader fails on counts as 0 in its means, and not in its times.
 */

const ROUNDS = 3

/** What a reader made of one file, over the rounds. */
type Outcome = TextScore & { cpuMs: number; wallMs: number; failed?: string }

const NONE = { words: 0, triples: 0, cpuMs: 0, wallMs: 0 }
const POOL = 'sluice, its pool'

export async function run(): Promise<void> {
  const corpus = process.env.SLUICE_CORPUS
  if (corpus === undefined) return console.log('not run: SLUICE_CORPUS must name the folder of the corpus')
  const docs = path.join(corpus, 'docs')
  const pool = poolReader(docs)
  const readers = new Map(Object.keys(FORMAT_READERS).map((name) => [name, readerProcess(name)]))
  try {
    for (const [type, texts] of Map.groupBy(expectedTexts(docs), (text) => text.type)) {
      const peers = [...readers].filter(([name]) => FORMAT_READERS[name]!.types.includes(type))
      await compare(type, texts, new Map([...peers.slice(0, 1), [POOL, pool], ...peers.slice(1)]))
    }
    await comparePages(path.join(docs, 'pdf'), readers.get('sluice')!, readers.get('pdf.js alone')!)
  } finally {
    for (const reader of [pool, ...readers.values()]) reader.close()
  }
}

async function compare(
  type: FileType,
  texts: readonly ExpectedText[],
  readers: ReadonlyMap<string, ReaderProcess>,
): Promise<void> {
  const outcomes = new Map([...readers.keys()].map((name) => [name, [] as Outcome[]]))
  for (const text of texts)
    for (const [name, outcome] of await readInTurn(text, readers)) outcomes.get(name)!.push(outcome)
  printTable([
    [type, 'files', 'word F1', '3-gram F1', 'CPU ms per file', 'wall ms', 'failed'],
    ...[...outcomes].map(([name, all]) => {
      const read = all.filter(({ failed }) => failed === undefined)
      const cpu = name === POOL ? '' : mean(read.map(({ cpuMs }) => cpuMs))
      const scores = [mean(all.map(({ words }) => words)), mean(all.map(({ triples }) => triples))]
      const wall = mean(read.map(({ wallMs }) => wallMs))
      return [name, all.length, ...scores, cpu, wall, all.length - read.length]
    }),
  ])
  for (const [name, all] of outcomes)
    for (const [index, { failed }] of all.entries())
      if (failed !== undefined) console.log(`  ${name}: ${texts[index]!.name}: ${failed.slice(0, 60)}`)
  console.log()
}

async function readInTurn(
  { file, wanted }: ExpectedText,
  readers: ReadonlyMap<string, ReaderProcess>,
): Promise<Map<string, Outcome>> {
  const times = new Map(
    [...readers.keys()].map((name) => [name, { cpu: [] as number[], wall: [] as number[] }]),
  )
  const answers = new Map<string, ReaderAnswer>()
  for (let round = 0; round <= ROUNDS; round++)
    for (const [name, reader] of readers) {
      const before = answers.get(name)
      // Who has hung or crashed once is not asked again.
      if (before && 'failed' in before) continue
      const began = performance.now()
      const answer = await reader.read(file)
      answers.set(name, answer)
      if (round === 0 || 'failed' in answer) continue
      times.get(name)!.cpu.push(answer.cpuMs)
      times.get(name)!.wall.push(performance.now() - began)
    }
  const outcomes = new Map<string, Outcome>()
  for (const [name, answer] of answers) {
    const { cpu, wall } = times.get(name)!
    outcomes.set(
      name,
      'failed' in answer
        ? { ...NONE, failed: answer.failed }
        : { ...scoreText(answer.text, wanted), cpuMs: median(cpu), wallMs: median(wall) },
    )
  }
  return outcomes
}

/** Pages per second of processor time, over all PDFs that both read, each once and in turn. */
async function comparePages(folder: string, ours: ReaderProcess, bare: ReaderProcess): Promise<void> {
  const files = readdirSync(folder).map((name) => path.join(folder, name))
  let [read, pages, ourMs, bareMs] = [0, 0, 0, 0]
  for (const file of files) {
    const [mine, theirs] = [await ours.read(file), await bare.read(file)]
    if ('failed' in mine || 'failed' in theirs) continue
    read++
    pages += theirs.pages ?? 0
    ourMs += mine.cpuMs
    bareMs += theirs.cpuMs
  }
  printTable([
    [`pages of PDF per CPU second, ${read} of ${files.length} files`, 'pages', 'pages/s', 'time'],
    ['sluice', pages, (1000 * pages) / ourMs, ourMs / bareMs],
    ['pdf.js alone', pages, (1000 * pages) / bareMs, 1],
  ])
}

/** The way that files of uploads go: a pool of children in their jail. */
function poolReader(docs: string): ReaderProcess {
  const parser = createFileParser({ readable: [docs], size: 1 })
  return {
    async read(file) {
      const type = path.extname(file).slice(1) as FileType
      const all: DocumentPart[] = []
      try {
        for await (const { parts } of parser.parse({ path: file, name: path.basename(file), type }))
          all.push(...parts)
      } catch (error) {
        return { failed: (error as Error).message }
      }
      return { text: textOfParts(type, all), cpuMs: Number.NaN }
    },
    close: () => void parser.close(),
  }
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

if (import.meta.main) await run()
