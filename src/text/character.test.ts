import assert from 'node:assert/strict'
import { test } from 'node:test'
import { characterSplitter } from './character.ts'

const texts = (pieces: { text: string }[]): string[] => pieces.map((piece) => piece.text)

test('characterSplitter() joins neighbours with the separator, and never cuts between two', () => {
  const splitter = characterSplitter({ chunkSize: 7, chunkOverlap: 0, separator: ', ' })
  assert.deepEqual(texts(splitter.split('ab, cd, ef, 0123456789, gh')), ['ab, cd', 'ef', '0123456789', 'gh'])
})

test('characterSplitter() counts overlap without separators, as LangChain does', () => {
  const splitter = characterSplitter({ chunkSize: 5, chunkOverlap: 2, separator: '-' })
  assert.deepEqual(texts(splitter.split('a-b-c-d-e')), ['a-b-c', 'b-c-d', 'c-d-e'])
})

test('characterSplitter() shrinks a run of separators and keeps correct line numbers', () => {
  const splitter = characterSplitter({ chunkSize: 20, chunkOverlap: 0, separator: '\n\n' })
  assert.deepEqual(splitter.split('\n\n\n\none\n\n\n\n\n\ntwo\n\n\n\n'), [
    { text: 'one\n\ntwo', lines: { from: 5, to: 11 }, range: { start: 4, end: 16 } },
  ])
})

test('characterSplitter() cuts at blank lines by default', () => {
  const splitter = characterSplitter({ chunkSize: 3, chunkOverlap: 0 })
  assert.deepEqual(splitter.split('one\n\ntwo\nthree'), [
    { text: 'one', lines: { from: 1, to: 1 }, range: { start: 0, end: 3 } },
    { text: 'two\nthree', lines: { from: 3, to: 4 }, range: { start: 5, end: 14 } },
  ])
})

test('characterSplitter().open() drops empty pieces instead of collecting them', () => {
  const cutter = characterSplitter({ chunkSize: 10, chunkOverlap: 0, separator: '\n' }).open()
  for (let round = 0; round < 100; round++) assert.deepEqual(cutter.push('\n'.repeat(20_000)), [])
  assert.deepEqual(cutter.push('end'), [])
  assert.deepEqual(cutter.end(), [
    { text: 'end', lines: { from: 2_000_001, to: 2_000_001 }, range: { start: 2000000, end: 2000003 } },
  ])
})
