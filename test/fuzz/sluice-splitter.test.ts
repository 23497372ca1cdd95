import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSluiceCutter, sluiceSplitter } from '../../src/text/sluice/sluice.ts'
import { between, pick, randomParts, randomText, seeded, streamed } from '../support/splitter-oracle.ts'

const FIRST = 1_000_000
const CASES = 2_000

const BITS = [
  ...['a', 'word ', 'Word. ', 'and so on, ', 'e.g. ', 'No. 5. ', '2.5', 'a word of some length ', '  ', '\t'],
  ...[
    '\n',
    '\n\n',
    '\r\n',
    '\n# One\n',
    '\n### Three #\n',
    '\n=====\n',
    '\n-----\n',
    '\n- item',
    '\n1. item',
  ],
  ...['\n| a | b |', '\n|---|---|', '```\n', '~~~', '😀', 'é', '漢字。', '「。」', 'आ।', 'ا؟ ', 'ไทย '],
  ...['\ndef a(b):\n', '\n    def c(d):\n', '\nclass E {\n', '\n}\n', '\n@f\n', '\n// g\n', '\nName: value'],
]

const NAMES = ['a', 'a.md', 'a.py', 'a.ts', 'a.c', 'a.toml']

test('the Sluice splitter gives the same chunks however a text arrives, within their size, and loses nothing', () => {
  for (let seed = FIRST; seed < FIRST + CASES; seed++) {
    const random = seeded(seed)
    const text = randomText(random, BITS, between(random, 0, random() < 0.1 ? 4000 : 200))
    const chunkSize = between(random, 1, 120)
    const chunkOverlap = between(random, 0, Math.min(chunkSize - 1, 60))
    const splitter = sluiceSplitter({ chunkSize, chunkOverlap })
    const metadata = random() < 0.2 ? { rowNum: 1 } : {}
    const document = { name: pick(random, NAMES), metadata }
    const about = `seed ${seed}`
    const whole = streamed(splitter.open(document), [text])
    assert.deepEqual(streamed(splitter.open(document), randomParts(random, text)), whole, about)
    const inRounds = openSluiceCutter({ chunkSize, chunkOverlap }, document, between(random, 1, 400))
    assert.deepEqual(streamed(inRounds, [text]), whole, about)
    let covered = 0
    for (const piece of whole) {
      const { start, end } = piece.range!
      assert.equal(piece.text, text.slice(start, end), about)
      assert.ok(piece.text.length <= chunkSize && piece.text.trim() !== '', about)
      if (chunkSize > 1) assert.ok(piece.text.isWellFormed(), about)
      assert.ok(end > covered, about)
      assert.equal(text.slice(covered, Math.max(covered, start)).trim(), '', about)
      assert.ok(piece.head === undefined || !piece.head.includes('\n'), about)
      covered = end
    }
    assert.equal(text.slice(covered).trim(), '', about)
  }
})
