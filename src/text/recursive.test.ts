import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  assertSamePieces,
  RecursiveCharacterTextSplitter,
  between,
  checkCase,
  oraclePieces,
  pick,
  randomCase,
  seeded,
} from '../../test/support/splitter-oracle.ts'
import type { Piece } from '../contract/splitter.ts'
import { recursiveSplitter } from './recursive.ts'

test('recursiveSplitter() gives the chunks of LangChain, for any text, settings and division into parts', async () => {
  let lines = 0
  for (let seed = 1; seed <= 2000; seed++) {
    const random = seeded(seed)
    lines += await checkCase(randomCase(random), random, `seed ${seed}`)
  }
  assert.ok(lines > 1000, `${lines} line numbers compared`)
})

test('recursiveSplitter() gives the line numbers of LangChain if no text occurs twice', async () => {
  let compared = 0
  let chunks = 0
  for (let seed = 1; seed <= 200; seed++) {
    const random = seeded(seed)
    const gap = (): string => pick(random, [' ', ' ', ' ', '\n', '\n\n', '\n\n\n ', '  \n'])
    const text = Array.from({ length: between(random, 1, 120) }, (_, index) => `w${index}.${gap()}`).join('')
    const sizes = { chunkSize: between(random, 10, 80), chunkOverlap: between(random, 0, 9) }
    const expected = await oraclePieces(new RecursiveCharacterTextSplitter(sizes), text)
    compared += assertSamePieces(recursiveSplitter(sizes).split(text), expected, text, `seed ${seed}`)
    chunks += expected.length
  }
  // Not all: a chunk may begin where the one before it does, after white space that was trimmed.
  assert.ok(compared > 0.9 * chunks, `${compared} of ${chunks} line numbers compared`)
})

test('recursiveSplitter() gives the line of a repeated text, which LangChain confuses with another', async () => {
  const text = 'ab\nab\nab ab\nab'
  const sizes = { chunkSize: 5, chunkOverlap: 3 }
  const lines = (pieces: Piece[]): (number | undefined)[] => pieces.map((piece) => piece.lines?.from)
  assert.deepEqual(lines(recursiveSplitter(sizes).split(text)), [1, 3, 3, 4])
  assert.deepEqual(lines(await oraclePieces(new RecursiveCharacterTextSplitter(sizes), text)), [1, 2, 3, 3])
})

test('recursiveSplitter().open() holds back no more than a round and a few chunks of unbroken text', () => {
  const cutter = recursiveSplitter({ chunkSize: 1000, chunkOverlap: 0 }).open()
  let pushed = 0
  let given = 0
  for (let round = 0; round < 500; round++) {
    const part = 'x'.repeat(7001)
    pushed += part.length
    for (const piece of cutter.push(part)) given += piece.text.length
    assert.ok(pushed - given < 20_000)
  }
  for (const piece of cutter.end()) given += piece.text.length
  assert.equal(given, pushed)
})

test('recursiveSplitter() leaves a text without its separators whole, if none of them is empty', () => {
  const splitter = recursiveSplitter({ chunkSize: 3, chunkOverlap: 0, separators: ['|'] })
  assert.deepEqual(
    splitter.split('abcdef').map((piece) => piece.text),
    ['abcdef'],
  )
  assert.deepEqual(
    splitter.split('abcdef|g').map((piece) => piece.text),
    ['abc', 'def', '|g'],
  )
})

test('recursiveSplitter() refuses invalid sizes, with the value in the message', () => {
  for (const [chunkSize, chunkOverlap, sentence] of [
    [0, 0, /chunkSize must be a whole number of at least 1, received 0/],
    [1.5, 0, /received 1.5/],
    [Number.NaN, 0, /received NaN/],
    [10, -1, /chunkOverlap must be a whole number of at least 0, received -1/],
    [10, 10, /chunkOverlap must be smaller than chunkSize/],
  ] as const)
    assert.throws(
      () => recursiveSplitter({ chunkSize, chunkOverlap }),
      (error) => error instanceof RangeError && sentence.test(error.message),
    )
})

test('recursiveSplitter().id differs by every setting, in one line', () => {
  const sizes = { chunkSize: 10, chunkOverlap: 1 }
  const ids = [
    recursiveSplitter(sizes),
    recursiveSplitter({ ...sizes, chunkOverlap: 2 }),
    recursiveSplitter({ ...sizes, separators: ['\n'] }),
    recursiveSplitter({ ...sizes, keepSeparator: false }),
  ].map((splitter) => splitter.id)
  assert.equal(new Set(ids).size, ids.length)
  assert.ok(ids.every((id) => !id.includes('\n')))
})
