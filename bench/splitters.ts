import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { TextSplitter } from '../src/contract/splitter.ts'
import { characterSplitter } from '../src/text/character.ts'
import { codeSplitter } from '../src/text/code.ts'
import { markdownSplitter } from '../src/text/markdown.ts'
import { recursiveSplitter } from '../src/text/recursive.ts'
import { sluiceSplitter } from '../src/text/sluice/sluice.ts'
import { tokenSplitter } from '../src/text/token.ts'
import {
  CharacterTextSplitter,
  MarkdownTextSplitter,
  originalTokenSplitter,
  RecursiveCharacterTextSplitter,
} from '../test/support/splitter-oracle.ts'
import { prose } from './support/prose.ts'
import { median, printTable } from './support/table.ts'

/*
 * How fast are the splitters, line numbers included, against those of @langchain/textsplitters in the same run?
 * Rounds are taken in turn, so that other work on the machine affects both equally; medians are printed. With SLUICE_CORPUS
 * set, the texts of its collections are a row of their own.
 */

type Axis = {
  name: string
  texts: string[]
  split: (text: string) => unknown[]
  theirs: { createDocuments(texts: string[]): Promise<unknown[]> }
}

const ROUNDS = 7
/** Our splitter is so fast that a round runs it several times. */
const TIMES = 5
const SIZES = { chunkSize: 1000, chunkOverlap: 200 }
const TOKENS = { chunkSize: 200, chunkOverlap: 40 }
const PART = 262_144
const OWN = { sluice: sluiceSplitter(SIZES), recursive: recursiveSplitter(SIZES) }

export async function run(): Promise<void> {
  // Their warnings about long chunks would fill the screen.
  const warn = console.warn
  console.warn = () => {}
  try {
    const rows = []
    for (const axis of axes()) rows.push(await measure(axis))
    printTable([['MB/s (millions of UTF-16 units)', 'sluice', 'langchain', 'ratio', 'chunks'], ...rows])
  } finally {
    console.warn = warn
  }
  console.log()
  printTable([
    ['chunks a second of processor', 'Sluice Text Splitter', 'recursive', 'its chunks'],
    ...ownRates(),
  ])
  console.log()
  printTable([['other axes', ''], ...loading(), ...memory('recursive'), ...memory('sluice')])
}

/** The splitter of new flows beside the recursive one, in turn, in seconds of the processor: the collector of garbage counts, too. */
export function ownRates(): (string | number)[][] {
  const paragraphs = flat(prose(10_000_000))
  const texts = {
    paragraphs,
    'paragraphs in lines': flat(paragraphs.replace(/(.{60,76}) /g, '$1\n')),
    markdown: markdownOf(paragraphs),
    code: codeOf(paragraphs),
    'example.py': pythonOf(paragraphs),
    'own.ts': ownSource(),
  }
  return Object.entries(texts).map(([name, text]) => {
    const rates: Record<'sluice' | 'recursive', number[]> = { sluice: [], recursive: [] }
    let chunks = 0
    for (let round = 0; round <= ROUNDS; round++)
      for (const [kind, splitter] of Object.entries(OWN)) {
        const began = process.cpuUsage()
        const cutter = splitter.open({ name, metadata: {} })
        const count = cutter.push(text).length + cutter.end().length
        const { user, system } = process.cpuUsage(began)
        if (kind === 'sluice') chunks = count
        if (round > 0) rates[kind as keyof typeof OWN].push((1e6 * count) / (user + system))
      }
    return [name, Math.round(median(rates.sluice)), Math.round(median(rates.recursive)), chunks]
  })
}

async function measure({ name, texts, split, theirs }: Axis): Promise<(string | number)[]> {
  const units = texts.reduce((sum, text) => sum + text.length, 0)
  const times: [number[], number[]] = [[], []]
  let chunks = 0
  for (let round = 0; round <= ROUNDS; round++) {
    let start = performance.now()
    for (let time = 0; time < TIMES; time++) {
      chunks = 0
      for (const text of texts) chunks += split(text).length
    }
    const ours = (performance.now() - start) / TIMES
    start = performance.now()
    const count = (await theirs.createDocuments(texts)).length
    if (count !== chunks) throw new Error(`${name}: ${chunks} chunks here, ${count} there`)
    // The first round warms both up.
    if (round > 0) times[0].push(ours)
    if (round > 0) times[1].push(performance.now() - start)
  }
  const [ours, theirsTime] = [median(times[0]), median(times[1])]
  return [name, units / 1000 / ours, units / 1000 / theirsTime, theirsTime / ours, chunks]
}

function axes(): Axis[] {
  const paragraphs = flat(prose(10_000_000))
  const wrapped = flat(paragraphs.replace(/(.{60,76}) /g, '$1\n'))
  const unbroken = flat(paragraphs.replaceAll('\n\n', ' ').slice(0, 4_000_000))
  const recursive = recursiveSplitter(SIZES)
  const theirs = new RecursiveCharacterTextSplitter(SIZES)
  const whole = (splitter: TextSplitter) => (text: string) => splitter.split(text)
  const small = Array.from({ length: 5000 }, (_, index) =>
    flat(paragraphs.slice(index * 2000, index * 2000 + 1500)),
  )
  // A paragraph for each sentence: about 90 units.
  const uniform = flat(paragraphs.slice(0, 4_000_000).replace(/\. /g, '.\n\n'))
  const markdown = markdownOf(paragraphs)
  return [
    { name: 'recursive, paragraphs', texts: [paragraphs], split: whole(recursive), theirs },
    { name: 'recursive, paragraphs in lines', texts: [wrapped], split: whole(recursive), theirs },
    { name: 'recursive, unbroken prose', texts: [unbroken], split: whole(recursive), theirs },
    { name: 'recursive, beyond Latin-1', texts: [flat(`${paragraphs}漢`)], split: whole(recursive), theirs },
    { name: 'recursive, short uniform paragraphs', texts: [uniform], split: whole(recursive), theirs },
    { name: 'recursive, 5,000 texts of 1,500', texts: small, split: whole(recursive), theirs },
    ...corpusAxis(whole(recursive), theirs),
    {
      name: 'recursive, streamed in 256 kB',
      texts: [paragraphs],
      split: (text) => streamed(recursive, text),
      theirs,
    },
    {
      name: 'character',
      texts: [paragraphs],
      split: whole(characterSplitter(SIZES)),
      theirs: new CharacterTextSplitter(SIZES),
    },
    {
      name: 'markdown',
      texts: [markdown],
      split: whole(markdownSplitter(SIZES)),
      theirs: new MarkdownTextSplitter(SIZES),
    },
    {
      name: 'code (js)',
      texts: [codeOf(paragraphs)],
      split: whole(codeSplitter({ ...SIZES, language: 'js' })),
      theirs: RecursiveCharacterTextSplitter.fromLanguage('js', SIZES),
    },
    {
      name: 'token (gpt2)',
      texts: [paragraphs.slice(0, 500_000)],
      split: whole(tokenSplitter(TOKENS)),
      theirs: originalTokenSplitter('gpt2', TOKENS),
    },
  ]
}

function corpusAxis(split: Axis['split'], theirs: Axis['theirs']): Axis[] {
  const corpus = process.env.SLUICE_CORPUS
  if (corpus === undefined) return []
  const texts = readdirSync(path.join(corpus, 'retrieval')).map((name) =>
    readFileSync(path.join(corpus, 'retrieval', name, 'corpus.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { text: string }).text)
      .join('\n\n'),
  )
  return [{ name: 'recursive, collections of the corpus', texts, split, theirs }]
}

function streamed(splitter: TextSplitter, text: string): unknown[] {
  const cutter = splitter.open()
  const pieces = []
  for (let at = 0; at < text.length; at += PART) pieces.push(cutter.push(text.slice(at, at + PART)))
  pieces.push(cutter.end())
  return pieces.flat()
}

function loading(): [string, string][] {
  const start = performance.now()
  tokenSplitter({ ...TOKENS, encodingName: 'cl100k_base' }).split('first')
  return [
    [
      'first chunk with cl100k_base, encoding loaded from its package',
      `${Math.round(performance.now() - start)} ms`,
    ],
  ]
}

/** How much the heap holds while 100 MB are split and the pieces are dropped. */
export function memory(kind: keyof typeof OWN): [string, string][] {
  const part = prose(PART)
  const cutter = OWN[kind].open()
  const before = process.memoryUsage().heapUsed
  let most = 0
  for (let passed = 0; passed < 100e6; passed += part.length) {
    cutter.push(` ${part}`.slice(1))
    most = Math.max(most, process.memoryUsage().heapUsed - before)
  }
  cutter.end()
  return [
    [
      `${kind}: largest heap growth while 100 MB are streamed, rubbish included`,
      `${(most / 1e6).toFixed(0)} MB`,
    ],
  ]
}

const markdownOf = (text: string): string =>
  flat(
    text
      .split('\n\n')
      .map((block, index) => {
        if (index % 7 === 0) return `${'#'.repeat(1 + (index % 4))} Section ${index}\n\n${block}`
        if (index % 11 === 0) return `\`\`\`\n${block.replaceAll('. ', '\n')}\n\`\`\``
        return index % 5 === 0 ? block.replace(/(?:^|\. )/g, '\n- ') : block
      })
      .join('\n\n'),
  )

const codeOf = (text: string): string =>
  flat(
    text
      .split('\n\n')
      .map(
        (block, index) => `function f${index}() {\n${block.replace(/(.{40,60}) /g, '  call("$1")\n')}\n}\n`,
      )
      .join('\n'),
  )

/** Functions of lines of different indentation; what a file of this name is, no text has to tell. */
const pythonOf = (text: string): string =>
  flat(
    text
      .split('\n\n')
      .map((block, index) => {
        const lines = block.replace(/(.{30,50}) /g, '$1\n').split('\n')
        const body = lines.map((line, at) => `${' '.repeat(4 + 4 * (at % 3))}value = "${line}"`)
        return `def f${index}(self):\n${body.join('\n')}\n`
      })
      .join('\n'),
  )

/** The TypeScript of the product, as often as makes 10 million units. */
function ownSource(): string {
  const folder = path.join(import.meta.dirname, '../src')
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  )
  const source = names.map((name) => readFileSync(path.join(folder, name), 'utf8')).join('\n')
  return flat(source.repeat(Math.ceil(10_000_000 / source.length)))
}

/** The text in one block of memory, so that no splitter spends time on joining it. */
const flat = (text: string): string => {
  text.indexOf('\u0000')
  return text
}

if (import.meta.main) await run()
