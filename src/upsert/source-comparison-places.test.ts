import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Metadata, TextRange } from '../contract/document.ts'
import type { KnownText, StoreView } from '../contract/ledger.ts'
import { fingerprint } from '../kit/hash.ts'
import { SluiceError } from '../kit/errors.ts'
import { canonicalJson } from '../kit/json.ts'
import { SourceComparison } from './source-comparison.ts'

const incoming = (text: string, metadata: Metadata = {}, range?: TextRange) => ({
  ...{ source: 's', text, metadata },
  ...(range ? { range } : {}),
})
const range = (start: number, end: number): TextRange => ({ start, end })

/** A view of a store with these chunks, whose ids are their places from 1, and the look-ups of it. */
function viewOf(...held: ReturnType<typeof incoming>[]) {
  const asked: string[][] = []
  const known: StoreView['known'] = async (_, hashes) => {
    asked.push([...hashes])
    return hashes.map((hash): KnownText => {
      const chunks = held.flatMap(({ text, metadata, range }, at) =>
        fingerprint(text) === hash
          ? [
              {
                id: at + 1,
                metadataHash: fingerprint(canonicalJson(metadata)),
                fresh: false,
                ...(range ? { range } : {}),
              },
            ]
          : [],
      )
      return { embedded: chunks.length > 0, chunks }
    })
  }
  return { view: { known } as StoreView, asked }
}

const verdictsOf = async (
  comparison: SourceComparison,
  item: string,
  ...rows: ReturnType<typeof incoming>[]
) => (await comparison.take(item, rows)).map(({ verdict }) => verdict)

test('take() tells which chunks stand elsewhere now, and which texts come again in the run', async () => {
  const { view } = viewOf(
    incoming('stays', {}, range(0, 5)),
    incoming('was stored without its place'),
    incoming('begins elsewhere', {}, range(10, 20)),
    incoming('ends elsewhere', {}, range(30, 40)),
    incoming('is given no place', {}, range(50, 60)),
  )
  const comparison = new SourceComparison(view)
  const judged = await comparison.take('item', [
    incoming('stays', {}, range(0, 5)),
    incoming('was stored without its place', {}, range(6, 9)),
    incoming('begins elsewhere', {}, range(12, 20)),
    incoming('ends elsewhere', {}, range(30, 44)),
    incoming('is given no place'),
    incoming('is new', {}, range(70, 80)),
    incoming('stays', {}, range(90, 95)),
  ])
  assert.deepEqual(
    judged.map(({ verdict, moved, isRepeated }) => [verdict, moved, isRepeated]),
    [
      ['skip', false, false],
      ['skip', false, false],
      ['skip', true, false],
      ['skip', true, false],
      ['skip', false, false],
      ['add', false, false],
      ['skip', false, true],
    ],
  )
  assert.deepEqual(comparison.movedChunks(), [
    { id: 2, range: range(6, 9) },
    { id: 3, range: range(12, 20) },
    { id: 4, range: range(30, 44) },
  ])
})

test('an update that is given back is one of the item itself, else of each item that has one, as often as it has', async () => {
  const texts = ['one', 'two', 'three', 'four']
  const { view } = viewOf(...texts.map((text) => incoming(text, { n: 1 })))
  const comparison = new SourceComparison(view)
  const changed = (text: string) => incoming(text, { n: 2 })
  assert.deepEqual(await verdictsOf(comparison, 'first', changed('one'), changed('two')), [
    'update',
    'update',
  ])
  assert.deepEqual(await verdictsOf(comparison, 'second', changed('three'), changed('four')), [
    'update',
    'update',
  ])
  const counts = (item: string) => {
    const { added, updated, skipped } = comparison.countsOf(item)
    return [added, updated, skipped]
  }
  await comparison.take('second', [incoming('one', { n: 1 })])
  assert.deepEqual(
    [counts('first'), counts('second')],
    [
      [0, 2, 0],
      [1, 1, 1],
    ],
  )
  await comparison.take('third', [incoming('two', { n: 1 }), incoming('three', { n: 1 })])
  assert.deepEqual(
    [counts('first'), counts('second'), counts('third')],
    [
      [2, 0, 0],
      [1, 1, 1],
      [0, 0, 2],
    ],
  )
  await comparison.take('third', [incoming('four', { n: 1 })])
  assert.deepEqual(
    [counts('first'), counts('second'), counts('third')],
    [
      [2, 0, 0],
      [2, 0, 1],
      [0, 0, 3],
    ],
  )
})

test('acknowledge() forgets what was written, of each text what it names', async () => {
  const { view } = viewOf()
  const comparison = new SourceComparison(view)
  const rows = [1, 2, 3].map((n) => incoming('the same', { n }))
  const chunks = (await comparison.take('item', rows)).map(({ chunk }) => chunk)
  const [one, two, three] = rows as [(typeof rows)[0], (typeof rows)[0], (typeof rows)[0]]
  comparison.acknowledge([chunks[1]!])
  // This view finds nothing, so what is not on the way is new.
  assert.deepEqual(await verdictsOf(comparison, 'item', one, three), ['skip', 'skip'])
  comparison.acknowledge([chunks[0]!])
  assert.deepEqual(await verdictsOf(comparison, 'item', three), ['skip'])
  comparison.acknowledge([chunks[2]!])
  assert.deepEqual(await verdictsOf(comparison, 'item', three), ['add'])
  assert.deepEqual(await verdictsOf(comparison, 'item', one, two), ['add', 'add'])
  comparison.acknowledge([{ ...chunks[0]!, source: 'unknown' }])
})

test('take() asks the store for each text once, and for nothing of which it knows that it is embedded', async () => {
  const held = Array.from({ length: 70 }, (_, n) => incoming('the same', { n }))
  const { view, asked } = viewOf(...held)
  const comparison = new SourceComparison(view)
  await comparison.take('item', [
    incoming('other'),
    incoming('the same', { n: 0 }),
    incoming('the same', { n: 1 }),
  ])
  assert.deepEqual(asked.splice(0), [[fingerprint('other'), fingerprint('the same')]])
  const [again] = await comparison.take('item', [incoming('the same', { n: 100 })])
  assert.deepEqual([again!.verdict, again!.embedded], ['update', true])
  assert.deepEqual(asked.splice(0), [])
})

test('drop() forgets the sources of the item: what it brings later is of none of them', async () => {
  const { view } = viewOf()
  const comparison = new SourceComparison(view)
  await comparison.take('bad', [incoming('one')])
  comparison.drop('bad', new SluiceError('file_encrypted', { file: 'x' }))
  assert.deepEqual(comparison.sourcesOf('bad'), [])
})
