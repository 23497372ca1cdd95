import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import {
  CharacterTextSplitter,
  RecursiveCharacterTextSplitter,
  TokenTextSplitter,
} from '@langchain/textsplitters'
import { Tiktoken, type TiktokenBPE } from 'js-tiktoken/lite'
import type { Cutter, Piece, TextSplitter } from '../../src/contract/splitter.ts'
import type { SeparatorRules } from '../../src/text/separator-algorithm.ts'
import { characterSplitter } from '../../src/text/character.ts'
import type { TokenEncodingName } from '../../src/text/token-encodings.ts'
import { recursiveSplitter } from '../../src/text/recursive.ts'
import { openSeparatorCutter } from '../../src/text/separator-splitter.ts'
import type { ChunkSizes } from '../../src/text/chunk-sizes.ts'

/** The splitters to compare with, from here: only files below `test/` find the packages of `test/package.json`. */
export {
  CharacterTextSplitter,
  MarkdownTextSplitter,
  RecursiveCharacterTextSplitter,
  SupportedTextSplitterLanguages,
} from '@langchain/textsplitters'

/** A generator of numbers in [0, 1) that gives the same numbers for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** A whole number from `least` to `most`, both included. */
export const between = (random: () => number, least: number, most: number): number =>
  least + Math.floor(random() * (most - least + 1))

export const pick = <T>(random: () => number, items: readonly T[]): T =>
  items[between(random, 0, items.length - 1)]!

/** A text of `length` draws from `bits`. */
export const randomText = (random: () => number, bits: readonly string[], length: number): string =>
  Array.from({ length }, () => pick(random, bits)).join('')

/** A text cut at random places into parts, some of them empty. */
export function randomParts(random: () => number, text: string): string[] {
  const parts: string[] = []
  const most = pick(random, [1, 3, 17, 1000])
  for (let at = 0; at < text.length; ) {
    const size = between(random, 0, most)
    parts.push(text.slice(at, at + size))
    at += size
  }
  return parts
}

/** The pieces of a text that arrives in parts. */
export function streamed(cutter: Cutter, parts: readonly string[]): Piece[] {
  return [...parts.flatMap((part) => cutter.push(part)), ...cutter.end()]
}

/** The original with its encoding given by hand: left alone it fetches it from a server. */
export function originalTokenSplitter(encodingName: TokenEncodingName, sizes: ChunkSizes): TokenTextSplitter {
  const ranks = createRequire(import.meta.url)(`js-tiktoken/ranks/${encodingName}`) as TiktokenBPE
  return Object.assign(new TokenTextSplitter({ ...sizes, encodingName }), { tokenizer: new Tiktoken(ranks) })
}

type Oracle = Pick<RecursiveCharacterTextSplitter, 'createDocuments'>

/** The chunks of the original for a text; its warnings about long chunks are not printed. */
export async function oraclePieces(oracle: Oracle, text: string): Promise<Piece[]> {
  const warn = console.warn
  console.warn = () => {}
  try {
    const documents = await oracle.createDocuments([text])
    return documents.map(({ pageContent, metadata }) => ({ text: pageContent, lines: metadata.loc.lines }))
  } finally {
    console.warn = warn
  }
}

/**
 * Compares the texts of all chunks, and line numbers up to the first chunk the original may have looked for in vain:
 * it searches from one past the beginning of the chunk before, so it finds the wrong place for a chunk that is in the
 * text several times, not at all, or at the start of the one before. Returns how many line numbers were compared.
 */
export function assertSamePieces(
  actual: readonly Piece[],
  expected: readonly Piece[],
  text: string,
  hint: string,
): number {
  assert.deepEqual(
    actual.map((piece) => piece.text),
    expected.map((piece) => piece.text),
    hint,
  )
  let previous = -1
  for (const [index, piece] of expected.entries()) {
    const at = text.indexOf(piece.text)
    if (at <= previous || at !== text.lastIndexOf(piece.text)) return index
    assert.deepEqual(actual[index]!.lines, piece.lines, `${hint}, lines of chunk ${index}`)
    previous = at
  }
  return expected.length
}

const BITS = [
  ['a', 'b', ' ', '\n', '\n\n', '\t'],
  ['\n', ' ', 'a'],
  ['\n', '\n', 'a'],
  ['word ', 'longerword ', 'x', '\n', '\n\n', '. ', '\u00a0', '\ufeff', '\u2003'],
  ['X', 'XX', 'a', ' ', '\n', 'XY', 'Y'],
  ['é', '漢', '😀', ' ', '\n', '\ud800'],
]

const SEPARATORS = [
  ['\n\n', '\n', ' ', ''],
  ['\n\n', '\n', ' ', ''],
  ['\n## ', '\n\n', '\n', ' ', ''],
  ['X', '\n'],
  ['XX', 'XY', ' '],
  ['\n\n', '\n'],
  ['XYX', 'XX', 'YX', ''],
  [' ', 'X', ''],
  ['a', '', 'b'],
  ['X'],
  [''],
  [],
]

/** A text, one of our splitters with its rules, and the original with the same settings. */
export type SplitterCase = {
  text: string
  ours: TextSplitter
  rules: SeparatorRules
  oracle: Oracle
}

export function randomCase(random: () => number): SplitterCase {
  const text = randomText(random, pick(random, BITS), between(random, 0, pick(random, [3, 20, 60, 120])))
  const chunkSize = between(random, 1, pick(random, [2, 5, 12, 40]))
  const sizes = { chunkSize, chunkOverlap: between(random, 0, chunkSize - 1) }
  if (random() < 0.3) {
    const separator = pick(random, ['\n\n', '\n', ' ', 'X', 'XX', '', 'a'])
    return {
      text,
      ours: characterSplitter({ ...sizes, separator }),
      rules: { ...sizes, separators: [separator], keepSeparator: false, descend: false },
      oracle: new CharacterTextSplitter({ ...sizes, separator }),
    }
  }
  const settings = { ...sizes, separators: pick(random, SEPARATORS), keepSeparator: random() < 0.75 }
  return {
    text,
    ours: recursiveSplitter(settings),
    rules: { ...settings, descend: true },
    oracle: new RecursiveCharacterTextSplitter(settings),
  }
}

/**
 * Compares a case with the original, and the same text in random parts with the text in one. Returns how many
 * line numbers were compared; none where runs of separators were dropped, since a chunk is not in the text then.
 */
export async function checkCase(
  { text, ours, rules, oracle }: SplitterCase,
  random: () => number,
  hint: string,
): Promise<number> {
  const about = `${hint}: ${ours.id} ${JSON.stringify(text)}`
  const actual = ours.split(text)
  const cutter = openSeparatorCutter(rules, pick(random, [1, 10]))
  assert.deepEqual(streamed(cutter, randomParts(random, text)), actual, about)
  const textLines = text.split('\n')
  if (rules.keepSeparator)
    for (const piece of actual) {
      const { from, to } = piece.lines!
      assert.ok(
        textLines
          .slice(from - 1, to)
          .join('\n')
          .includes(piece.text),
        about,
      )
    }
  if (crashesTheOriginal(rules)) return 0
  const expected = await oraclePieces(oracle, text)
  if (rules.keepSeparator) return assertSamePieces(actual, expected, text, about)
  assert.deepEqual(
    actual.map((piece) => piece.text),
    expected.map((piece) => piece.text),
    about,
  )
  return 0
}

// It reads the length of the separator after its last one, which is undefined where none of them is empty.
const crashesTheOriginal = ({ separators, keepSeparator, descend }: SeparatorRules): boolean =>
  descend && !keepSeparator && !separators.includes('')
