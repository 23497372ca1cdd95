import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DocumentPart, Metadata } from '../contract/document.ts'
import type { TextSplitter } from '../contract/splitter.ts'
import { SluiceError } from '../kit/errors.ts'
import { characterSplitter } from '../text/character.ts'
import { recursiveSplitter } from '../text/recursive.ts'
import { createCut } from './run-items.ts'

const part = (pageContent: string, last = true, metadata: Metadata = {}): DocumentPart => ({
  pageContent,
  metadata,
  last,
})

const cutAll = (splitter: TextSplitter | undefined, parts: DocumentPart[]) => {
  const cut = createCut(splitter, 'x.txt')
  return parts.flatMap((one) => [...cut(one)])
}

const splitter = recursiveSplitter({ chunkSize: 9, chunkOverlap: 0 })

test('createCut() gives a document without a splitter as one chunk, however many parts it came in', () => {
  const chunks = cutAll(undefined, [part('one ', false), part('two'), part('three', true, { page: 2 })])
  assert.deepEqual(chunks, [
    { text: 'one two', metadata: {}, range: { start: 0, end: 7 } },
    { text: 'three', metadata: { page: 2 }, range: { start: 9, end: 14 } },
  ])
})

test('createCut() cuts each document by itself and adds the lines to what loc holds', () => {
  const loc = { pageNumber: 3 }
  const chunks = cutAll(splitter, [part('first one\nsecond', true, { loc }), part('other')])
  assert.deepEqual(chunks, [
    {
      text: 'first one',
      metadata: { loc: { pageNumber: 3, lines: { from: 1, to: 1 } } },
      range: { start: 0, end: 9 },
    },
    {
      text: 'second',
      metadata: { loc: { pageNumber: 3, lines: { from: 2, to: 2 } } },
      range: { start: 10, end: 16 },
    },
    { text: 'other', metadata: { loc: { lines: { from: 1, to: 1 } } }, range: { start: 18, end: 23 } },
  ])
  assert.deepEqual(loc, { pageNumber: 3 })
})

test('createCut() leaves out what is white space alone', () => {
  assert.deepEqual(cutAll(undefined, [part(' \n\t '), part(''), part('x')]), [
    { text: 'x', metadata: {}, range: { start: 8, end: 9 } },
  ])
})

test('createCut() passes on the extracted text of the item, in which each chunk has its range', () => {
  const extracted: string[] = []
  const cut = createCut(splitter, 'x.txt', (text) => extracted.push(text))
  const parts = [part('  one t', false), part('wo\n\nth\0ree '), part(' \n'), part('four five six')]
  const chunks = parts.flatMap((one) => [...cut(one)])
  const text = extracted.join('')
  assert.equal(text, '  one two\n\nthree \n\n \n\n\nfour five six')
  assert.deepEqual(
    chunks.map(({ range }) => text.slice(range!.start, range!.end)),
    chunks.map((chunk) => chunk.text),
  )
  assert.equal(chunks.length, 4)
})

test('createCut() takes out what is no text before anything is counted', () => {
  assert.deepEqual(
    cutAll(undefined, [part('a\0b\ud83dc \u{1f600}')]).map(({ text }) => text),
    ['ab\ufffdc \u{1f600}'],
  )
})

test('createCut() refuses a document without a splitter that is over the limit of a chunk', () => {
  const large = 'x'.repeat(4_000_000)
  assert.throws(
    () => cutAll(undefined, [...Array.from({ length: 4 }, () => part(large, false)), part('x')]),
    (error: unknown) =>
      error instanceof SluiceError && error.code === 'file_over_limit' && error.facts.file === 'x.txt',
  )
})

test('createCut() refuses a piece that a splitter leaves whole and that is too long for a chunk [limits:whole-piece]', () => {
  const byCharacter = characterSplitter({ chunkSize: 100, chunkOverlap: 0 })
  assert.throws(() => cutAll(byCharacter, [part('x'.repeat(16_000_001))]), {
    code: 'file_over_limit',
    message: /x\.txt.*gives a piece that is longer than 16000000 characters/,
  })
})
