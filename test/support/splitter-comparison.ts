import assert from 'node:assert/strict'
import { characterSplitter } from '../../src/text/character.ts'
import { codeSplitter } from '../../src/text/code.ts'
import { markdownSplitter } from '../../src/text/markdown.ts'
import { recursiveSplitter } from '../../src/text/recursive.ts'
import type { TokenEncodingName } from '../../src/text/token-encodings.ts'
import { tokenSplitter } from '../../src/text/token.ts'
import {
  assertSamePieces,
  CharacterTextSplitter,
  checkCase,
  MarkdownTextSplitter,
  oraclePieces,
  originalTokenSplitter,
  randomCase,
  randomParts,
  RecursiveCharacterTextSplitter,
  seeded,
  streamed,
} from './splitter-oracle.ts'

/*
 * Comparisons of the splitters with their originals, of many texts each, for a thread: the originals wait for a promise at every piece.
 */

const SIZES = { chunkSize: 1000, chunkOverlap: 200 }
const SMALL = { chunkSize: 150, chunkOverlap: 30 }

/** Each splitter beside its original. */
const PAIRS = [
  [recursiveSplitter(SIZES), new RecursiveCharacterTextSplitter(SIZES)],
  [recursiveSplitter(SMALL), new RecursiveCharacterTextSplitter(SMALL)],
  [
    characterSplitter({ ...SIZES, separator: '\n' }),
    new CharacterTextSplitter({ ...SIZES, separator: '\n' }),
  ],
  [markdownSplitter(SIZES), new MarkdownTextSplitter(SIZES)],
  [
    codeSplitter({ ...SMALL, language: 'python' }),
    RecursiveCharacterTextSplitter.fromLanguage('python', SMALL),
  ],
] as const

type NamedText = { name: string; text: string }

/** Compares the chunks of all pairs, whole and in parts. @returns how many chunks there were @throws AssertionError */
export async function compareTexts(texts: readonly NamedText[]): Promise<number> {
  let chunks = 0
  for (const { name, text } of texts)
    for (const [ours, theirs] of PAIRS) {
      const about = `${name}, ${ours.id}`
      const actual = ours.split(text)
      const expected = await oraclePieces(theirs, text)
      if (ours.id.startsWith('character'))
        assert.deepEqual(
          actual.map((piece) => piece.text),
          expected.map((piece) => piece.text),
          about,
        )
      else assertSamePieces(actual, expected, text, about)
      assert.deepEqual(streamed(ours.open(), randomParts(seeded(1), text)), actual, `${about}, in parts`)
      chunks += actual.length
    }
  return chunks
}

/** The same for the token splitter, by the texts of the chunks. @throws AssertionError */
export async function compareTokens(
  encodingName: TokenEncodingName,
  texts: readonly NamedText[],
): Promise<void> {
  const sizes = { chunkSize: 100, chunkOverlap: 20 }
  const oracle = originalTokenSplitter(encodingName, sizes)
  for (const { name, text } of texts)
    assert.deepEqual(
      tokenSplitter({ ...sizes, encodingName })
        .split(text)
        .map((piece) => piece.text),
      (await oraclePieces(oracle, text)).map((piece) => piece.text),
      name,
    )
}

/** Compares random cases. @returns how many line numbers were compared @throws AssertionError */
export async function compareRandom(firstSeed: number, cases: number): Promise<number> {
  let lines = 0
  for (let seed = firstSeed; seed < firstSeed + cases; seed++) {
    const random = seeded(seed)
    lines += await checkCase(randomCase(random), random, `seed ${seed}`)
  }
  return lines
}
