import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { DocumentPart } from '../src/contract/document.ts'
import type { FileType } from '../src/contract/file-parser.ts'
import { createFileParser } from '../src/formats/pool.ts'
import { type ExpectedText, expectedTexts, textOfParts } from '../test/support/corpus-docs.ts'
import { scoreText, type TextScore } from '../test/support/text-score.ts'
import { convertedTexts } from './support/converted-docs.ts'
import { FORMAT_READERS } from './support/format-readers.ts'
import { comparePython } from './support/python-samples.ts'
import type { ReaderAnswer } from './support/reader-child.ts'
import { type ReaderProcess, readerProcess } from './support/reader-process.ts'
import { printTable } from './support/table.ts'

/*
 * Do our readers find the words that other tools and authors give for a file, and what does it cost, beside the
 * libraries that do the same? Readers take turns on each file, a process each. A file that a reader fails on counts
 * as 0 in its mean scores, and not in its times. Expected texts are mostly other tools' own output: a difference
 * under 0.01 means nothing. Other formats are made from these files by LibreOffice, where it is installed.
 */

const ROUNDS = 2

/** What a reader made of a file in the last round, and the least time that it took. */
type Reading = { answer: ReaderAnswer; cpuMs: number; wallMs: number }

type Outcome = TextScore & { cpuMs: number; wallMs: number; failed?: string }

const POOL = 'sluice, its pool'

export async function run(): Promise<void> {
  await comparePython()
  const corpus = process.env.SLUICE_CORPUS
  if (corpus === undefined) return console.log('not run: SLUICE_CORPUS must name the folder of the corpus')
  const docs = path.join(corpus, 'docs')
  const made = mkdtempSync(path.join(os.tmpdir(), 'sluice-formats-'))
  const originals = expectedTexts(docs)
  const texts = [...originals, ...convertedTexts(originals, made)]
  if (texts.length === originals.length)
    console.log('not run for doc, epub, odp, ods, odt, rtf, xls: soffice is not installed to make them\n')
  const pool = poolReader([docs, made])
  const readers = new Map(Object.keys(FORMAT_READERS).map((name) => [name, readerProcess(name)]))
  try {
    for (const [type, ofType] of Map.groupBy(texts, (text) => text.type)) {
      const peers = [...readers].filter(([name]) => FORMAT_READERS[name]!.types.includes(type))
      await compare(type, ofType, new Map([...peers.slice(0, 1), [POOL, pool], ...peers.slice(1)]))
    }
    const pair = [...readers].filter(([name]) => name === 'sluice' || name === 'pdf.js alone')
    await comparePages(path.join(docs, 'pdf'), new Map(pair))
  } finally {
    for (const reader of [pool, ...readers.values()]) reader.close()
    rmSync(made, { recursive: true, force: true })
  }
}

async function compare(
  type: FileType,
  texts: readonly ExpectedText[],
  readers: ReadonlyMap<string, ReaderProcess>,
): Promise<void> {
  const outcomes = new Map([...readers.keys()].map((name) => [name, [] as Outcome[]]))
  for (const { file, wanted } of texts)
    for (const [name, reading] of await readInTurn(file, readers))
      outcomes.get(name)!.push(outcomeOf(reading, wanted))
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
  worstRows(texts, outcomes)
  for (const [name, all] of outcomes)
    for (const [index, { failed }] of all.entries())
      if (failed !== undefined) console.log(`  ${name}: ${texts[index]!.name}: ${failed.slice(0, 60)}`)
  console.log()
}

/** The files in which our reader is furthest behind the best of the others. */
function worstRows(texts: readonly ExpectedText[], outcomes: ReadonlyMap<string, readonly Outcome[]>): void {
  const [ours = [], , ...others] = [...outcomes.values()]
  const behind = texts.map(({ name }, index) => {
    const best = Math.max(0, ...others.map((all) => all[index]!.words))
    return { name, words: ours[index]!.words, gap: best - ours[index]!.words }
  })
  for (const { name, words, gap } of behind.sort((a, b) => b.gap - a.gap).slice(0, 3))
    if (gap > 0.01) console.log(`  ${name}: word F1 ${words.toFixed(3)}, ${gap.toFixed(3)} behind the best`)
}

function outcomeOf({ answer, cpuMs, wallMs }: Reading, wanted: string): Outcome {
  if ('failed' in answer) return { words: 0, triples: 0, cpuMs, wallMs, failed: answer.failed }
  return { ...scoreText(answer.text, wanted), cpuMs, wallMs }
}

/** One round to warm up and the others timed; every other one backwards, so that no reader is always first. */
async function readInTurn(
  file: string,
  readers: ReadonlyMap<string, ReaderProcess>,
): Promise<Map<string, Reading>> {
  const readings = new Map<string, Reading>()
  for (let round = 0; round <= ROUNDS; round++)
    for (const [name, reader] of round % 2 === 0 ? readers : [...readers].reverse()) {
      const { answer: before, cpuMs, wallMs } = readings.get(name) ?? UNREAD
      // A reader that failed, hung or crashed once gets no more files.
      if ('failed' in before) continue
      const began = performance.now()
      const answer = await reader.read(file)
      const wall = performance.now() - began
      const isTimed = round > 0 && !('failed' in answer)
      readings.set(name, {
        answer,
        cpuMs: isTimed ? Math.min(cpuMs, answer.cpuMs) : cpuMs,
        wallMs: isTimed ? Math.min(wallMs, wall) : wallMs,
      })
    }
  return readings
}

const UNREAD: Reading = { answer: { text: '', cpuMs: 0 }, cpuMs: Infinity, wallMs: Infinity }

/** Pages per second of processor time, over all PDFs that both read. */
async function comparePages(folder: string, readers: ReadonlyMap<string, ReaderProcess>): Promise<void> {
  const names = readdirSync(folder)
  const costs = new Map([...readers.keys()].map((name) => [name, 0]))
  let [read, pages] = [0, 0]
  for (const name of names) {
    const readings = await readInTurn(path.join(folder, name), readers)
    if ([...readings.values()].some(({ answer }) => 'failed' in answer)) continue
    read++
    for (const [reader, { answer, cpuMs }] of readings) {
      costs.set(reader, costs.get(reader)! + cpuMs)
      if ('pages' in answer) pages += answer.pages!
    }
  }
  printTable([
    [`pages of PDF per CPU second, ${read} of ${names.length} files`, 'pages', 'pages/s'],
    ...[...costs].map(([reader, cpuMs]) => [reader, pages, (1000 * pages) / cpuMs]),
  ])
}

/** The way that files of uploads go: a pool of children in their jail. */
function poolReader(folders: string[]): ReaderProcess {
  const parser = createFileParser({ readable: folders, size: 1 })
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
