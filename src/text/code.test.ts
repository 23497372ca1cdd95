import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  RecursiveCharacterTextSplitter,
  SupportedTextSplitterLanguages,
  between,
  oraclePieces,
  randomText,
  seeded,
} from '../../test/support/splitter-oracle.ts'
import { codeSplitter, CODE_LANGUAGES } from './code.ts'
import { LANGUAGE_SEPARATORS } from './languages.ts'

const OFFERED = [
  ...[
    'c',
    'cobol',
    'cpp',
    'csharp',
    'elixir',
    'go',
    'haskell',
    'html',
    'java',
    'js',
    'kotlin',
    'latex',
    'lua',
  ],
  ...[
    'markdown',
    'php',
    'powershell',
    'proto',
    'python',
    'rst',
    'ruby',
    'rust',
    'scala',
    'sol',
    'swift',
    'ts',
  ],
]

test('codeSplitter() supports every language that the editor offers', () => {
  assert.deepEqual(CODE_LANGUAGES, OFFERED)
})

for (const language of SupportedTextSplitterLanguages)
  test(`codeSplitter() cuts ${language} as LangChain does`, async () => {
    const separators = RecursiveCharacterTextSplitter.getSeparatorsForLanguage(language)
    assert.deepEqual(LANGUAGE_SEPARATORS[language], separators)
    const bits = [...separators, ...separators, 'name', '(', ')', '\t', '\n']
    for (let seed = 1; seed <= 40; seed++) {
      const random = seeded(seed)
      const text = randomText(random, bits, between(random, 0, 150))
      const sizes = { chunkSize: between(random, 5, 80), chunkOverlap: between(random, 0, 4) }
      const expected = await oraclePieces(RecursiveCharacterTextSplitter.fromLanguage(language, sizes), text)
      const actual = codeSplitter({ language, ...sizes }).split(text)
      assert.deepEqual(
        actual.map((piece) => piece.text),
        expected.map((piece) => piece.text),
        `seed ${seed}`,
      )
    }
  })

test('codeSplitter() cuts a language that LangChain lacks before its definitions', () => {
  const source =
    'import a from "a"\n\ninterface Shape {\n  area: number\n}\nfunction area(shape: Shape) {\n  return shape.area\n}\n'
  assert.deepEqual(codeSplitter({ language: 'ts', chunkSize: 60, chunkOverlap: 0 }).split(source), [
    { text: 'import a from "a"', lines: { from: 1, to: 1 }, range: { start: 0, end: 17 } },
    {
      text: 'interface Shape {\n  area: number\n}',
      lines: { from: 3, to: 5 },
      range: { start: 19, end: 53 },
    },
    {
      text: 'function area(shape: Shape) {\n  return shape.area\n}',
      lines: { from: 6, to: 8 },
      range: { start: 54, end: 105 },
    },
  ])
})

test('codeSplitter() refuses an unknown language, and names the supported ones', () => {
  for (const language of ['brainfuck', 'toString', ''])
    assert.throws(
      () => codeSplitter({ language, chunkSize: 10, chunkOverlap: 0 }),
      (error) => error instanceof RangeError && /one of c, cobol.*, ts, received "/.test(error.message),
    )
})
