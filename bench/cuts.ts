import type { TextSplitter } from '../src/contract/splitter.ts'
import { sentencesOf } from '../src/retrieve/sentences.ts'
import { recursiveSplitter } from '../src/text/recursive.ts'
import { sluiceSplitter } from '../src/text/sluice/sluice.ts'
import { createCut, type CutChunk } from '../src/upsert/run-items.ts'
import { type CutFile, type CutGroup, cutGroups } from './support/cut-documents.ts'
import { printTable } from './support/table.ts'

/*
 * Where does the splitter of new flows cut, beside the recursive one, in the documents of SLUICE_CORPUS through their readers?
 * Worst first; groups in brackets are not prose alone. What is a sentence says the code that marks sentences in answers, which the splitters do not use.
 */

const SIZES = { chunkSize: 1000, chunkOverlap: 200 }

/** How much of the text around a cut tells in which sentence it is. */
const AROUND = 700

export type Cuts = {
  chunks: number
  /** Ends of chunks that are not the end of their document; those in a sentence; those after a heading. */
  inner: number
  inSentence: number
  afterHeading: number
  /** Chunks below a heading or name of their text, and those that have one, in their text or above it. */
  below: number
  named: number
  units: number
  short: number
}

/** A longer line is a paragraph that begins with `#`. */
const HEADING = /^ {0,3}#{1,6}[ \t]+\S.{0,195}$/
const DEFINITION = /^[ \t]*(?:async )?(?:def|class) \w+/m

export async function run(): Promise<void> {
  const corpus = process.env.SLUICE_CORPUS
  if (corpus === undefined) return console.log('not run: SLUICE_CORPUS is not set')
  const splitters = { recursive: recursiveSplitter(SIZES), sluice: sluiceSplitter(SIZES) }
  const rows = []
  for (const group of await cutGroups(corpus))
    for (const [name, splitter] of Object.entries(splitters))
      rows.push(rowOf(group, name, measure(group, splitter)))
  const inSentence = (row: (string | number)[]) => Number.parseFloat(String(row[4]))
  printTable([
    [
      'files',
      'splitter',
      'chunks',
      'characters',
      'cut in a sentence',
      'end with a heading',
      'below a heading or name',
      'have one',
      'under 200',
    ],
    ...rows.toSorted((one, other) => inSentence(other) - inSentence(one)),
  ])
}

const share = (some: number, all: number): string => (all === 0 ? '' : `${((100 * some) / all).toFixed(1)} %`)

export const rowOf = (group: CutGroup, splitter: string, found: Cuts): (string | number)[] => [
  group.isProse ? group.name : `(${group.name})`,
  splitter,
  found.chunks,
  Math.round(found.units / found.chunks),
  share(found.inSentence, found.inner),
  share(found.afterHeading, found.inner),
  share(found.below, found.chunks),
  share(found.named, found.below),
  share(found.short, found.chunks),
]

export function measure({ files }: CutGroup, splitter: TextSplitter): Cuts {
  const cuts: Cuts = {
    chunks: 0,
    inner: 0,
    inSentence: 0,
    afterHeading: 0,
    below: 0,
    named: 0,
    units: 0,
    short: 0,
  }
  for (const file of files) measureFile(file, splitter, cuts)
  return cuts
}

function measureFile({ name, parts }: CutFile, splitter: TextSplitter, cuts: Cuts): void {
  const cut = createCut(splitter, name)
  const isCode = name.endsWith('.py')
  let text = ''
  let chunks: CutChunk[] = []
  let hasHeading = false
  let before = 0
  for (const part of parts) {
    text += part.pageContent
    chunks.push(...cut(part))
    if (!part.last) continue
    for (const [at, chunk] of chunks.entries()) {
      cuts.chunks++
      cuts.units += chunk.text.length
      if (chunk.text.length < 200) cuts.short++
      const inText = isCode
        ? DEFINITION.test(chunk.text)
        : chunk.text.split('\n').some((line) => HEADING.test(line))
      hasHeading ||= inText
      if (hasHeading) cuts.below++
      if (hasHeading && (inText || chunk.head !== undefined)) cuts.named++
      const next = chunks[at + 1]
      if (next) judge(text, chunk, isCode, { end: chunk.range!.end - before }, cuts)
    }
    before += text.length + 2
    text = ''
    chunks = []
  }
}

function judge(text: string, chunk: CutChunk, isCode: boolean, { end }: { end: number }, cuts: Cuts): void {
  cuts.inner++
  const lastLine = chunk.text.trimEnd().split('\n').at(-1)!
  if (!isCode && HEADING.test(lastLine)) cuts.afterHeading++
  const from = Math.max(0, end - AROUND)
  const spans = sentencesOf(text.slice(from, end + AROUND))
  if (spans.some((span) => span.from + from < end && end < span.to + from)) cuts.inSentence++
}

if (import.meta.main) await run()
