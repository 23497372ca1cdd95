import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { hashVector } from '../../test/support/hash-embedder.ts'
import { sharedStores } from '../../test/support/store.ts'
import type { StoreRun } from '../contract/chunk-store.ts'
import type { StoreView } from '../contract/ledger.ts'
import type { Metadata } from '../contract/document.ts'
import { SluiceError } from '../kit/errors.ts'
import { type ComparedChunk, SourceComparison } from './source-comparison.ts'

const { stores, newNamespace } = sharedStores()
const failure = new SluiceError('file_encrypted', { file: 'x' })

const incoming = (source: string, text: string, metadata: Metadata = {}) => ({ source, text, metadata })
const verdicts = (judged: ComparedChunk[]) => judged.map(({ verdict }) => verdict).join(' ')

async function stage(run: StoreRun, judged: ComparedChunk[]): Promise<void> {
  const chunks = judged.map(({ chunk }) => chunk)
  await run.stage(chunks, Float32Array.from(chunks.flatMap(({ text }) => [...hashVector(text)])), 8)
}

/** A ledger over a run of a store that holds these chunks already. */
async function ledgerOver(...held: ReturnType<typeof incoming>[]) {
  const store = stores.open(newNamespace())
  const first = await store.open('hash')
  await stage(first, await new SourceComparison(first).take('before', held))
  await first.publish({
    stagedCount: held.length,
    removedChunkIds: [],
    files: [],
    updatedSources: [],
    invalidatedFiles: [],
  })
  const run = await store.open('hash')
  return { run, comparison: new SourceComparison(run) }
}

test('take() compares source, text and metadata, and tells which texts have a vector', async () => {
  const { comparison } = await ledgerOver(incoming('a', 'one'), incoming('a', 'two', { n: 1 }))
  const judged = await comparison.take('a', [
    incoming('a', 'one'),
    incoming('a', 'two', { n: 2 }),
    incoming('a', 'three'),
    incoming('b', 'one'),
  ])
  assert.deepEqual(
    judged.map(({ verdict, embedded }) => [verdict, embedded]),
    [
      ['skip', true],
      ['update', true],
      ['add', false],
      ['add', true],
    ],
  )
  assert.deepEqual(comparison.countsOf('a'), { added: 2, updated: 1, skipped: 1 })
  assert.deepEqual(comparison.sourceNames(), ['a', 'b'])
  assert.deepEqual(comparison.sourcesOf('a'), ['a', 'b'])
})

test('take() takes metadata of another order for the same', async () => {
  const { comparison } = await ledgerOver(incoming('a', 'one', { x: 1, y: { b: 1, a: 2 } }))
  assert.equal(
    verdicts(await comparison.take('a', [incoming('a', 'one', { y: { a: 2, b: 1 }, x: 1 })])),
    'skip',
  )
})

test('take() finds earlier chunks of the run again, before and after they are written', async () => {
  const { comparison, run } = await ledgerOver()
  const first = await comparison.take('a', [incoming('a', 'one'), incoming('a', 'one')])
  assert.equal(verdicts(first), 'add skip')
  assert.equal(verdicts(await comparison.take('a', [incoming('a', 'one')])), 'skip')
  await stage(run, first.slice(0, 1))
  comparison.acknowledge(first.map(({ chunk }) => chunk))
  assert.equal(verdicts(await comparison.take('a', [incoming('a', 'one'), incoming('b', 'one')])), 'skip add')
  assert.deepEqual(comparison.countsOf('a'), { added: 2, updated: 0, skipped: 3 })
})

test('stateOf() tells which chunks of the store stay, are replaced or are missing in the run', async () => {
  const { comparison, run } = await ledgerOver(
    incoming('a', 'one'),
    incoming('a', 'two', { n: 1 }),
    incoming('a', 'gone'),
  )
  await comparison.take('a', [incoming('a', 'one'), incoming('a', 'two')])
  const states = []
  for await (const ids of run.visible('a')) for (const id of ids) states.push(comparison.stateOf('a', id))
  assert.deepEqual(states, ['kept', 'replaced', 'missing'])
})

test('take() never lets the count of an item fall below zero where items share a source', async () => {
  const { comparison } = await ledgerOver(incoming('s', 'one', { n: 1 }))
  await comparison.take('first', [incoming('s', 'one', { n: 2 })])
  await comparison.take('second', [incoming('s', 'one', { n: 1 })])
  assert.deepEqual(comparison.countsOf('first'), { added: 1, updated: 0, skipped: 0 })
  assert.deepEqual(comparison.countsOf('second'), { added: 0, updated: 0, skipped: 1 })
})

test('drop() leaves an item out that failed, and whose sources are not to be touched', async () => {
  const { comparison } = await ledgerOver(incoming('a', 'old'))
  await comparison.take('bad', [incoming('a', 'new')])
  await comparison.take('good', [incoming('b', 'fine')])
  comparison.drop('bad', failure)
  assert.deepEqual(comparison.sourceNames(), ['b'])
  assert.deepEqual([...comparison.dropped()], ['a'])
  assert.deepEqual(comparison.countsOf('bad'), { added: 0, updated: 0, skipped: 0 })
})

test('drop() throws where another item brought chunks of the same source, and take() where one does later', async () => {
  const { comparison } = await ledgerOver()
  await comparison.take('good', [incoming('s', 'one')])
  await comparison.take('bad', [incoming('s', 'two')])
  assert.throws(() => comparison.drop('bad', failure), failure)
  await comparison.take('worse', [incoming('t', 'two')])
  comparison.drop('worse', failure)
  await assert.rejects(comparison.take('good', [incoming('t', 'three')]), failure)
})

/** A view that counts the chunks which it gives. */
function counting(run: StoreRun): { view: StoreView; given(): number } {
  let given = 0
  const known: StoreView['known'] = async (source, hashes) => {
    const answers = await run.known(source, hashes)
    for (const { chunks } of answers) given += chunks.length
    return answers
  }
  return { view: Object.assign(Object.create(run) as StoreRun, { known }), given: () => given }
}

/** Takes rows in groups, as a run does, and writes each group before the next. */
async function takeAll(run: StoreRun, comparison: SourceComparison, rows: ReturnType<typeof incoming>[]) {
  for (let at = 0; at < rows.length; at += 128) {
    const judged = await comparison.take('table', rows.slice(at, at + 128))
    const due = judged.filter(({ verdict }) => verdict !== 'skip')
    if (due.length === 0) continue
    await stage(run, due)
    comparison.acknowledge(due.map(({ chunk }) => chunk))
  }
}

const ROWS = 2000
const equalRows = (version: number) =>
  Array.from({ length: ROWS }, (_, row) => incoming('table', 'the same in every row', { row, version }))

test('take() reads as many chunks of the store as there are, where all rows of a table have one text', async () => {
  const store = stores.open(newNamespace())
  const first = await store.open('hash')
  const writing = counting(first)
  const adding = new SourceComparison(writing.view)
  await takeAll(first, adding, equalRows(1))
  assert.deepEqual(adding.countsOf('table'), { added: ROWS, updated: 0, skipped: 0 })
  assert.ok(writing.given() <= 2 * ROWS, `${writing.given()} chunks were read to add ${ROWS}`)
  await first.publish({
    stagedCount: ROWS,
    removedChunkIds: [],
    files: [],
    updatedSources: [],
    invalidatedFiles: [],
  })

  const second = await store.open('hash')
  const again = counting(second)
  const changing = new SourceComparison(again.view)
  await takeAll(second, changing, [...equalRows(1).slice(0, 500), ...equalRows(2), ...equalRows(2)])
  assert.deepEqual(changing.countsOf('table'), { added: 500, updated: ROWS - 500, skipped: 500 + ROWS })
  assert.ok(again.given() <= 3 * ROWS, `${again.given()} chunks were read to replace ${ROWS}`)
})

test('take() finds a chunk of many equal texts that is not written yet', async () => {
  const { comparison } = await ledgerOver()
  const rows = equalRows(1).slice(0, 100)
  assert.deepEqual(new Set(verdicts(await comparison.take('table', rows)).split(' ')), new Set(['add']))
  assert.deepEqual(new Set(verdicts(await comparison.take('table', rows)).split(' ')), new Set(['skip']))
})

test('sourcesOf() and drop() look at the sources of one item, not at those of the run', async () => {
  const { comparison } = await ledgerOver()
  const items = Array.from({ length: 300 }, (_, i) => `item ${i}`)
  for (const item of items) await comparison.take(item, [incoming(`source of ${item}`, 'text')])
  const steps = mock.method(Set.prototype, 'has')
  for (const item of items) assert.deepEqual(comparison.sourcesOf(item), [`source of ${item}`])
  for (const item of items.slice(0, 100)) comparison.drop(item, failure)
  steps.mock.restore()
  assert.ok(steps.mock.callCount() <= 10 * items.length, `${steps.mock.callCount()} look-ups`)
  assert.equal(comparison.sourceNames().length, 200)
})
