import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StorePart } from '../contract/card.ts'
import { LineFigures } from './line-figures.ts'

const splitter = {}
const loader = { splitter }
const [store, embedder] = [{}, {}]
const part = { loaders: [loader], store, embedder } as unknown as StorePart
const nodeIds = new Map<object, string>([
  [splitter, 's'],
  [loader, 'l'],
  [store, 'v'],
  [embedder, 'e'],
])
const chunks = (...texts: string[]) => texts.map((text) => ({ text, verdict: 'add' }))

test('LineFigures counts what passes each line, and keeps the last three items of it, short and masked', () => {
  const lines = new LineFigures(nodeIds, part, (text) => text.replaceAll('hush', '***'))
  const [reads] = part.loaders
  lines.passed(reads!, 'a.txt', chunks('one', 'two'), 0)
  lines.passed(reads!, 'a.txt', chunks('three', `hush ${'x'.repeat(500)}`), 2)
  lines.embedded(['one', 'two'], 8)
  assert.deepEqual(
    lines.all.map(({ from, to, unit, count }) => [from, to, unit, count]),
    [
      ['s', 'l', 'chunks', 4],
      ['l', 'v', 'chunks', 4],
      ['e', 'v', 'vectors', 2],
    ],
  )
  const items = lines.all[1]!.items
  assert.deepEqual(
    items.map(({ title }) => title),
    ['a.txt #2, 3 characters', 'a.txt #3, 5 characters', 'a.txt #4, 505 characters'],
  )
  assert.match(items[2]!.text, /^\*{3} x+$/)
  assert.equal(items[2]!.text.length, 160)
  assert.deepEqual(lines.all[2]!.items[0], { title: '3 characters into 8 numbers', text: 'one' })
})

test('LineFigures has no line of a part without a node', () => {
  assert.deepEqual(new LineFigures(new Map(), part).all, [])
  const none = new LineFigures()
  none.embedded(['one'], 8)
  assert.deepEqual(none.all, [])
})
