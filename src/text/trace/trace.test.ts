import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TextSplitter } from '../../contract/splitter.ts'
import type { SourceTrace, TextGaps } from '../../contract/source-trace.ts'
import { between, pick, randomText, seeded } from '../../../test/support/splitter-oracle.ts'
import { characterSplitter } from '../character.ts'
import { codeSplitter } from '../code.ts'
import { countCharacters } from '../count-characters.ts'
import { markdownSplitter } from '../markdown.ts'
import { recursiveSplitter } from '../recursive.ts'
import { sluiceSplitter } from '../sluice/sluice.ts'
import { GapFinder, MOST_GAPS } from './gap-finder.ts'
import { MOST_BANDS } from './line-bands.ts'
import { type PlacedText, SourceTracer } from './source-tracer.ts'

type Traced = ReturnType<SourceTracer['end']>

/** Cuts a text that arrives in parts as a load does. */
function load(text: string, splitter: TextSplitter, size = 50): { chunks: PlacedText[]; gaps: TextGaps } {
  const finder = new GapFinder()
  const cutter = splitter.open()
  const chunks: PlacedText[] = []
  const take = (pieces: ReturnType<typeof cutter.push>) => {
    for (const { text: content, range } of pieces) {
      if (content.trim() === '') continue
      finder.cover(content, range)
      chunks.push({ text: content, ...range! })
    }
  }
  for (let at = 0; at < text.length; at += size) {
    const part = text.slice(at, at + size)
    finder.extend(part)
    take(cutter.push(part))
  }
  take(cutter.end())
  return { chunks, gaps: finder.end() }
}

function trace(chunks: readonly PlacedText[], gaps: TextGaps | undefined, total = 0): Traced {
  const tracer = new SourceTracer(gaps, total)
  for (const chunk of chunks) tracer.add(chunk)
  return tracer.end()
}

const sum = ({ one, several, none }: SourceTrace['characters']) => one + several + none

/** How many chunks have each place of a text, without white space. */
function countPlaces(text: string, chunks: readonly PlacedText[]): SourceTrace['characters'] {
  const counts = { one: 0, several: 0, none: 0 }
  for (let at = 0; at < text.length; at++) {
    if (countCharacters(text, at, at + 1) === 0) continue
    const has = chunks.filter(({ start, end }) => start <= at && at < end).length
    counts[has === 0 ? 'none' : has === 1 ? 'one' : 'several']++
  }
  return counts
}

test('a separator that the splitter leaves out is in no chunk, with its place and reason', () => {
  const splitter = characterSplitter({ chunkSize: 12, chunkOverlap: 0, separator: '***' })
  const text = 'first part***second part***third'
  const { chunks, gaps } = load(text, splitter)
  assert.deepEqual(
    chunks.map((chunk) => chunk.text),
    ['first part', 'second part', 'third'],
  )
  const gap = { reason: 'cut' as const, characters: 3, text: '***' }
  assert.deepEqual(gaps, {
    characters: countCharacters(text),
    gaps: [
      { ...gap, start: 10, end: 13 },
      { ...gap, start: 24, end: 27 },
    ],
    repeats: [],
  })
  const traced = trace(chunks, gaps, text.length)
  assert.deepEqual(traced.characters, { one: 24, several: 0, none: 6 })
  assert.deepEqual(traced.lines, { all: 1, one: 0, several: 0, none: 1, blank: 0 })
  assert.deepEqual(
    traced.gaps.map(({ start, after }) => [start, after]),
    [
      [10, 1],
      [24, 2],
    ],
  )
})

test('a separator within a chunk that was made without it is in none', () => {
  // Two separators in a row shrink to one.
  const splitter = characterSplitter({ chunkSize: 20, chunkOverlap: 0, separator: '#' })
  const { chunks, gaps } = load('alpha##beta', splitter)
  assert.deepEqual(chunks, [{ text: 'alpha#beta', start: 0, end: 11 }])
  assert.deepEqual(gaps.gaps, [{ start: 6, end: 7, characters: 1, text: '#', reason: 'cut' }])
  assert.deepEqual(trace(chunks, gaps).characters, { one: 10, several: 0, none: 1 })
})

test('lines are in one chunk, in several, in none or blank, and the map has each of them', () => {
  const text = 'one\ntwo\nthree\n\nfour\n\nfive\nsix'
  const chunks = [
    { text: 'one\ntwo', start: 0, end: 7 },
    { text: 'two\nthree', start: 4, end: 13 },
    { text: 'five\nsix', start: 21, end: 29 },
  ]
  const gap = { start: 15, end: 19, characters: 4, text: 'four', reason: 'cut' as const }
  const traced = trace(chunks, { characters: countCharacters(text), gaps: [gap], repeats: [] }, text.length)
  assert.deepEqual(traced.characters, { one: 15, several: 3, none: 4 })
  assert.deepEqual(traced.lines, { all: 8, one: 4, several: 1, none: 1, blank: 2 })
  assert.deepEqual(
    traced.bands.map(({ start, line, one, several, none }) => [start, line, one, several, none]),
    [
      [0, 1, 1, 0, 0],
      [4, 2, 0, 1, 0],
      [8, 3, 1, 0, 0],
      [14, 4, 0, 0, 0],
      [15, 5, 0, 0, 1],
      [20, 6, 0, 0, 0],
      [21, 7, 1, 0, 0],
      [26, 8, 1, 0, 0],
    ],
  )
})

test('white space of one unit between two chunks is a line break where their lines say so', () => {
  const text = 'one\ntwo three\n***\nfour'
  const chunks = [
    { text: 'one', start: 0, end: 3, lines: { from: 1, to: 1 } },
    { text: 'two', start: 4, end: 7, lines: { from: 2, to: 2 } },
    { text: 'three', start: 8, end: 13, lines: { from: 2, to: 2 } },
    { text: 'four', start: 18, end: 22, lines: { from: 4, to: 4 } },
  ]
  const gap = { start: 14, end: 17, characters: 3, text: '***', reason: 'cut' as const }
  const traced = trace(chunks, { characters: countCharacters(text), gaps: [gap], repeats: [] }, text.length)
  assert.deepEqual(
    traced.bands.map(({ start, one, none }) => [start, one, none]),
    [
      [0, 1, 0],
      [4, 1, 0],
      [14, 0, 1],
      [18, 1, 0],
    ],
  )
})

test('a chunk that a person has deleted is in none, but for what its neighbours have; one removed later is known by its place', () => {
  const text = `${'a'.repeat(50)} ${'b'.repeat(50)} ${'c'.repeat(50)}`
  const first = { text: text.slice(0, 50), start: 0, end: 50 }
  const middle = { text: text.slice(40, 110), start: 40, end: 110 }
  const last = { text: text.slice(102), start: 102, end: 152 }
  const finder = new GapFinder()
  finder.extend(text)
  for (const chunk of [first, middle, last]) finder.cover(chunk.text, chunk)
  const whole = finder.end()
  assert.deepEqual(trace([first, middle, last], whole).characters, { one: 132, several: 18, none: 0 })

  finder.delete(middle.text, middle)
  const deleted = trace([first, last], finder.end())
  assert.deepEqual(deleted.characters, { one: 100, several: 0, none: 50 })
  assert.deepEqual(deleted.gaps, [
    { start: 50, end: 102, characters: 50, text: ` ${'b'.repeat(50)} `, reason: 'deleted', after: 1 },
  ])

  const removed = trace([first, last], whole)
  assert.deepEqual(removed.characters, { one: 100, several: 0, none: 50 })
  assert.deepEqual(removed.gaps, [
    { start: 50, end: 102, characters: 50, text: '', reason: 'removed', after: 1 },
  ])
  assert.deepEqual(removed.lines, { all: 3, one: 2, several: 0, none: 1, blank: 0 })
})

test('much white space between two chunks is not taken for a removed chunk', () => {
  const text = `first${' '.repeat(500)}second`
  const { chunks, gaps } = load(text, recursiveSplitter({ chunkSize: 10, chunkOverlap: 0 }))
  const traced = trace(chunks, gaps, text.length)
  assert.deepEqual([traced.characters, traced.gaps], [{ one: 11, several: 0, none: 0 }, []])
})

test('a text whose chunk is stored once is in a chunk', () => {
  const finder = new GapFinder()
  const text = `${'same words '.repeat(6)}\n${'same words '.repeat(6)}`
  finder.extend(text)
  const first = { text: text.slice(0, 65), start: 0, end: 65 }
  const second = { text: text.slice(67, 132), start: 67, end: 132 }
  for (const chunk of [first, second]) finder.cover(chunk.text, chunk)
  finder.repeat(second.text, second)
  const traced = trace([first], finder.end(), text.length)
  assert.deepEqual([traced.characters, traced.gaps], [{ one: 108, several: 0, none: 0 }, []])
})

test('without what a load has told nothing is said to be in none; a splitter without places says so', () => {
  const traced = trace([{ text: 'abc', start: 0, end: 3 }], undefined, 500)
  assert.deepEqual([traced.characters, traced.gaps, traced.total], [{ one: 3, several: 0, none: 0 }, [], 500])
  const finder = new GapFinder()
  finder.extend('some words')
  finder.cover('some words', undefined)
  assert.deepEqual(finder.end(), { characters: 9, gaps: [], repeats: [], unplaced: true })
})

test('what is remembered is bounded, and what has no room is counted', () => {
  const finder = new GapFinder()
  const count = MOST_GAPS.count + 5
  for (let n = 0; n < count; n++) {
    finder.extend('#word')
    finder.cover('word', { start: n * 5 + 1, end: n * 5 + 5 })
  }
  const gaps = finder.end()
  assert.equal(gaps.gaps.length, MOST_GAPS.count)
  assert.deepEqual(gaps.more, { gaps: 5, characters: 5 })
  const chunks = Array.from({ length: count }, (_, n) => ({ text: 'word', start: n * 5 + 1, end: n * 5 + 5 }))
  const traced = trace(chunks, gaps)
  assert.deepEqual(traced.characters, { one: count * 4, several: 0, none: count })
  assert.deepEqual(traced.more, { gaps: 5, characters: 5 })

  // The room of a run is shared by its texts.
  const room = { count: 1, units: 100 }
  const texts = ['#', '#'].map((text) => {
    const one = new GapFinder()
    one.extend(text)
    return one.end(room)
  })
  assert.deepEqual(
    texts.map((one) => [one.gaps.length, one.more]),
    [
      [1, undefined],
      [0, { gaps: 1, characters: 1 }],
    ],
  )

  const long = new GapFinder()
  long.extend('x'.repeat(MOST_GAPS.each + 100))
  const [gap] = long.end().gaps
  assert.deepEqual([gap!.text.length, gap!.characters], [MOST_GAPS.each, MOST_GAPS.each + 100])
})

test('the map of a long text has as many lines as the text in a bounded number of rows', () => {
  const lines = MOST_BANDS * 5 + 3
  const text = Array.from({ length: lines }, (_, n) => `line ${n}`).join('\n')
  const { bands, lines: counts } = trace([{ text, start: 0, end: text.length }], undefined, text.length)
  assert.ok(bands.length <= MOST_BANDS)
  assert.equal(counts.all, lines)
  assert.equal(
    bands.reduce((all, band) => all + band.lines, 0),
    lines,
  )
  for (const { start, line } of bands) assert.ok(text.startsWith(`line ${line - 1}`, start))
})

const SPLITTERS: ((random: () => number) => TextSplitter)[] = [
  (random) => recursiveSplitter(sizes(random)),
  (random) => recursiveSplitter({ ...sizes(random), keepSeparator: false }),
  (random) => characterSplitter({ ...sizes(random), separator: pick(random, ['#', '\n', '. ', '**']) }),
  (random) =>
    markdownSplitter({ ...sizes(random), splitByHeaders: pick(random, ['disabled', 'h2'] as const) }),
  (random) => codeSplitter({ ...sizes(random), language: pick(random, ['js', 'python']) }),
  (random) => sluiceSplitter(sizes(random)),
]

function sizes(random: () => number) {
  const chunkSize = between(random, 8, 80)
  return { chunkSize, chunkOverlap: between(random, 0, Math.floor(chunkSize / 2)) }
}

const BITS = [
  'word',
  'a',
  '#',
  '##',
  '**',
  '. ',
  ' ',
  '   ',
  '\n',
  '\n\n',
  '# Head\n',
  'ä🙂',
  '|x|',
  '```\n',
  ';',
  '\t',
]

test('each character is in a chunk or in none, and the counts add up: any text, splitter and parts', () => {
  const random = seeded(28)
  for (let round = 0; round < 600; round++) {
    const splitter = pick(random, SPLITTERS)(random)
    const text = randomText(random, BITS, between(random, 0, 200))
    const { chunks, gaps } = load(text, splitter, between(random, 1, 90))
    const about = () => JSON.stringify({ round, id: splitter.id, text, chunks, gaps })
    const all = countCharacters(text)
    assert.equal(gaps.characters, all, about())
    const traced = trace(chunks, gaps, text.length)
    assert.equal(sum(traced.characters), all, about())
    for (const { start, end, text: words } of gaps.gaps) assert.equal(text.slice(start, end), words, about())
    const isExact = chunks.every((chunk) => chunk.text === text.slice(chunk.start, chunk.end))
    if (isExact) assert.deepEqual(traced.characters, countPlaces(text, chunks), about())
    const words = gaps.gaps.reduce((count, { characters }) => count + characters, 0)
    assert.equal(traced.characters.none, words, about())
    const { all: lines, one, several, none, blank } = traced.lines
    assert.equal(one + several + none + blank, lines, about())

    // Without one of its chunks its words are in none, unless others have them.
    if (!isExact || chunks.length < 3) continue
    const at = between(random, 0, chunks.length - 1)
    const left = chunks.filter((_, number) => number !== at)
    const gap = { ...chunks[at]!, characters: countCharacters(chunks[at]!.text), reason: 'deleted' as const }
    const without = trace(left, { ...gaps, gaps: [...gaps.gaps, gap] }, text.length)
    assert.deepEqual(without.characters, countPlaces(text, left), about())
  }
})
