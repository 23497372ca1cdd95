import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  between,
  oraclePieces,
  originalTokenSplitter,
  pick,
  randomParts,
  randomText,
  seeded,
  streamed,
} from '../../test/support/splitter-oracle.ts'
import { TOKEN_ENCODINGS, tokenEncoding, loadTokenEncoding, readTokenEncoding } from './token-encodings.ts'
import { tokenSplitter } from './token.ts'

const BITS = [
  ...[
    'word',
    ' word',
    'Antidisestablishmentarianism',
    "'s",
    "'LL",
    ' ',
    '  ',
    '\n',
    '\r\n',
    '\t',
    '1',
    '234567',
    '.',
  ],
  ...[
    '!!!',
    ' {',
    'é',
    'ü',
    '漢字',
    '仮名',
    'ह',
    '्',
    '😀',
    '👩‍👩‍👧',
    '\u00a0',
    '\u2028',
    '\ud800',
    '\udc00',
    'qzx',
    '\ufeff',
  ],
]

for (const encodingName of TOKEN_ENCODINGS)
  test(`tokenSplitter() gives the chunks of LangChain with ${encodingName}`, async () => {
    const oracle = originalTokenSplitter(encodingName, { chunkSize: 2, chunkOverlap: 0 })
    for (let seed = 1; seed <= 60; seed++) {
      const random = seeded(seed)
      const text = randomText(random, BITS, between(random, 0, 60))
      const chunkSize = between(random, 1, 20)
      const sizes = { chunkSize, chunkOverlap: between(random, 0, chunkSize - 1) }
      const expected = await oraclePieces(Object.assign(oracle, sizes), text)
      const actual = tokenSplitter({ ...sizes, encodingName }).split(text)
      assert.deepEqual(
        actual.map((piece) => piece.text),
        expected.map((piece) => piece.text),
        `seed ${seed} ${JSON.stringify(text)}`,
      )
    }
  })

test('tokenSplitter() gives correct lines, also if a chunk begins inside a character', () => {
  const splitter = tokenSplitter({ chunkSize: 3, chunkOverlap: 0 })
  assert.deepEqual(splitter.split('a\n😀\nb'), [
    { text: 'a\n\ufffd', lines: { from: 1, to: 2 }, range: { start: 0, end: 4 } },
    { text: '\ufffd\nb', lines: { from: 2, to: 3 }, range: { start: 2, end: 6 } },
  ])
})

test('tokenSplitter() reads the text of a special token as text', () => {
  const splitter = tokenSplitter({ chunkSize: 100, chunkOverlap: 0, encodingName: 'cl100k_base' })
  assert.deepEqual(
    splitter.split('before<|endoftext|>after').map((piece) => piece.text),
    ['before<|endoftext|>after'],
  )
})

test('tokenSplitter().open() gives the same pieces however the text is divided', () => {
  for (let seed = 1; seed <= 10; seed++) {
    const random = seeded(seed)
    const text = randomText(random, BITS, between(random, 5000, 20_000))
    const encodingName = pick(random, TOKEN_ENCODINGS)
    const splitter = tokenSplitter({ chunkSize: between(random, 20, 900), chunkOverlap: 10, encodingName })
    assert.deepEqual(
      streamed(splitter.open(), randomParts(random, text)),
      splitter.split(text),
      `seed ${seed}`,
    )
  }
})

test('tokenSplitter() cuts a long word in linear, not quadratic time', () => {
  const word = 'abcdefghij'.repeat(30_000)
  const pieces = tokenSplitter({ chunkSize: 1000, chunkOverlap: 0 }).split(word)
  assert.equal(pieces.map((piece) => piece.text).join(''), word)
})

test('tokenSplitter() holds back no more than a section of a word without an end [formats:bounded-parts]', () => {
  for (const text of ['x'.repeat(100_000), '7'.repeat(100_001), '😀'.repeat(50_000)]) {
    const splitter = tokenSplitter({ chunkSize: 100, chunkOverlap: 0 })
    const cutter = splitter.open()
    const before = cutter.push(text).map((piece) => piece.text)
    assert.ok(
      text.length - before.join('').length < 40_000,
      `${before.join('').length} characters came before the end`,
    )
    const all = [...before, ...cutter.end().map((piece) => piece.text)]
    assert.equal(all.join('').length, text.length)
    assert.deepEqual(
      splitter.split(text).map((piece) => piece.text),
      all,
    )
  }
})

test('tokenSplitter() gives the chunks of LangChain for numbers longer than a section', async () => {
  const text = Array.from({ length: 3000 }, (_, index) => `${index * 7919}, ${index / 8}`).join(';')
  const sizes = { chunkSize: 500, chunkOverlap: 50 }
  for (const encodingName of ['gpt2', 'cl100k_base'] as const) {
    const expected = await oraclePieces(originalTokenSplitter(encodingName, sizes), text)
    const actual = tokenSplitter({ ...sizes, encodingName }).split(text)
    assert.deepEqual(
      actual.map((piece) => piece.text),
      expected.map((piece) => piece.text),
    )
  }
})

test('tokenSplitter() refuses an unknown encoding', () => {
  const encodingName = 'o200k_base' as 'gpt2'
  assert.throws(
    () => tokenSplitter({ chunkSize: 9, chunkOverlap: 0, encodingName }),
    /one of gpt2, r50k_base/,
  )
})

test('readTokenEncoding() yields for other work, and loadTokenEncoding() runs it to its end', async () => {
  const stops = [...readTokenEncoding('p50k_edit')].length
  assert.ok(stops > 8, `${stops} stops`)
  await loadTokenEncoding('p50k_edit')
  assert.equal(tokenEncoding('p50k_edit').ranks.size, 50_280)
})
