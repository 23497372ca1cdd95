import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import {
  CharacterTextSplitter,
  MarkdownTextSplitter,
  RecursiveCharacterTextSplitter,
} from '@langchain/textsplitters'
import { characterSplitter } from '../../src/text/character.ts'
import { codeSplitter } from '../../src/text/code.ts'
import { markdownSplitter } from '../../src/text/markdown.ts'
import { recursiveSplitter } from '../../src/text/recursive.ts'
import { tokenSplitter } from '../../src/text/token.ts'
import {
  assertSamePieces,
  oraclePieces,
  originalTokenSplitter,
  randomParts,
  seeded,
  streamed,
} from '../support/splitter-oracle.ts'

const corpus = process.env.SLUICE_CORPUS
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

/** Of a large collection so many texts are enough: the rest has the same kind of text. */
const MOST_TEXTS = 2

/** As a file that a person uploads; the original takes four times as long for a text of twice the length. */
const TEXT_LENGTH = 100_000

/** The first texts of a test collection. */
function* collectionTexts(folder: string): Generator<string> {
  let gathered = ''
  let made = 0
  for (const line of readFileSync(path.join(folder, 'corpus.jsonl'), 'utf8').split('\n')) {
    if (line === '') continue
    const { title, text } = JSON.parse(line) as { title?: string; text: string }
    gathered += `${title ?? ''}\n\n${text}\n\n`
    if (gathered.length < TEXT_LENGTH) continue
    yield gathered
    gathered = ''
    made++
    if (made === MOST_TEXTS) return
  }
  yield gathered
}

async function compare(text: string, hint: string): Promise<number> {
  let chunks = 0
  for (const [ours, theirs] of PAIRS) {
    const about = `${hint}, ${ours.id}`
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

if (corpus === undefined)
  test('the splitters give the chunks of the originals for real texts', { skip: 'SLUICE_CORPUS is not set' })
else {
  const collections = path.join(corpus, 'retrieval')
  for (const name of readdirSync(collections))
    test(`the splitters give the chunks of the originals for the collection ${name}`, async (t) => {
      let chunks = 0
      for (const text of collectionTexts(path.join(collections, name))) chunks += await compare(text, name)
      t.diagnostic(`${chunks} chunks`)
    })
  for (const encodingName of ['gpt2', 'cl100k_base'] as const)
    test(`the token splitter gives the chunks of the original for all collections with ${encodingName}`, async () => {
      const sizes = { chunkSize: 100, chunkOverlap: 20 }
      const oracle = originalTokenSplitter(encodingName, sizes)
      for (const name of readdirSync(collections)) {
        const [first] = collectionTexts(path.join(collections, name))
        const text = first!.slice(0, 20_000)
        assert.deepEqual(
          tokenSplitter({ ...sizes, encodingName })
            .split(text)
            .map((piece) => piece.text),
          (await oraclePieces(oracle, text)).map((piece) => piece.text),
          name,
        )
      }
    })
  test('the splitters give the chunks of the originals for text files', async () => {
    const folder = path.join(corpus, 'docs', 'txt')
    for (const name of readdirSync(folder)) await compare(readFileSync(path.join(folder, name), 'utf8'), name)
  })
}
