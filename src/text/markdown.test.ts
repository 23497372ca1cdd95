import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  assertSamePieces,
  MarkdownTextSplitter,
  between,
  oraclePieces,
  pick,
  randomParts,
  randomText,
  seeded,
  streamed,
} from '../../test/support/splitter-oracle.ts'
import { HEADER_MODES, markdownSplitter } from './markdown.ts'

const BITS = [
  ...[
    '# One\n',
    '\n## Two\n',
    '\n### Three',
    '\n#### Four\n',
    '\n###### Six\n',
    '#no',
    '    # code\n',
    '\r\n# Dos\r\n',
  ],
  ...[
    '```js\n',
    '\n```\n\n',
    '~~~\n',
    '````\n',
    '\n\n***\n\n',
    '\n\n---\n\n',
    '\n\n',
    '\n',
    ' word',
    ' another',
    '`',
  ],
]

test('markdownSplitter() without headers gives the chunks of LangChain', async () => {
  for (let seed = 1; seed <= 500; seed++) {
    const random = seeded(seed)
    const text = randomText(random, BITS, between(random, 0, 100))
    const sizes = { chunkSize: between(random, 5, 120), chunkOverlap: between(random, 0, 4) }
    const expected = await oraclePieces(new MarkdownTextSplitter(sizes), text)
    assertSamePieces(markdownSplitter(sizes).split(text), expected, text, `seed ${seed}`)
  }
})

test('markdownSplitter() with headers makes a chunk of each section, with its lines', () => {
  const splitter = markdownSplitter({ chunkSize: 100, chunkOverlap: 20, splitByHeaders: 'h2' })
  assert.deepEqual(splitter.split('before\n\n# One\ntext\n\n## Two\n### Three\nmore\n# Four\n'), [
    { text: 'before', lines: { from: 1, to: 1 }, range: { start: 0, end: 6 } },
    { text: '# One\ntext', lines: { from: 3, to: 4 }, range: { start: 8, end: 18 } },
    { text: '## Two\n### Three\nmore', lines: { from: 6, to: 8 }, range: { start: 20, end: 41 } },
    { text: '# Four', lines: { from: 9, to: 9 }, range: { start: 42, end: 48 } },
  ])
})

test('markdownSplitter() reads a # inside a code block as code', () => {
  const splitter = markdownSplitter({ chunkSize: 200, chunkOverlap: 0, splitByHeaders: 'h6' })
  const starts = (text: string): string[] =>
    splitter.split(text).map((piece) => piece.text.split('\n', 1)[0]!)
  assert.deepEqual(starts('# A\n```sh\n# not\n```\n# B'), ['# A', '# B'])
  assert.deepEqual(starts('# A\n~~~\n# not\n```\n# nor\n~~~~  \n# B'), ['# A', '# B'])
  assert.deepEqual(starts('# A\n````\n```\n# not\n````\n# B'), ['# A', '# B'])
  assert.deepEqual(starts('# A\n```\n# never closed'), ['# A'])
  assert.deepEqual(starts('# A\n``` a`b\n# B\n    # code\n#C\n####### D\n#'), ['# A', '# B', '#'])
})

test('markdownSplitter() cuts a section larger than a chunk further', () => {
  const splitter = markdownSplitter({ chunkSize: 12, chunkOverlap: 0, splitByHeaders: 'h1' })
  assert.deepEqual(splitter.split('# A\n\none two\n\nthree four\n# B'), [
    { text: '# A\n\none two', lines: { from: 1, to: 3 }, range: { start: 0, end: 12 } },
    { text: 'three four', lines: { from: 5, to: 5 }, range: { start: 14, end: 24 } },
    { text: '# B', lines: { from: 6, to: 6 }, range: { start: 25, end: 28 } },
  ])
})

test('markdownSplitter().open() gives the same pieces however the text is divided', () => {
  for (let seed = 1; seed <= 60; seed++) {
    const random = seeded(seed)
    const text = randomText(random, BITS, between(random, 1000, 8000))
    const splitByHeaders = pick(random, HEADER_MODES)
    const splitter = markdownSplitter({
      chunkSize: between(random, 20, 300),
      chunkOverlap: 10,
      splitByHeaders,
    })
    assert.deepEqual(
      streamed(splitter.open(), randomParts(random, text)),
      splitter.split(text),
      `seed ${seed}`,
    )
  }
})

test('markdownSplitter() refuses an unknown header mode', () => {
  const splitByHeaders = 'h7' as 'h6'
  assert.throws(
    () => markdownSplitter({ chunkSize: 9, chunkOverlap: 0, splitByHeaders }),
    /one of disabled, h1/,
  )
})
