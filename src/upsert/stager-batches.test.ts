import assert from 'node:assert/strict'
import { setImmediate as turn } from 'node:timers/promises'
import { test } from 'node:test'
import { hashVector } from '../../test/support/hash-embedder.ts'
import type { NewChunk } from '../contract/ledger.ts'
import { SluiceError } from '../kit/errors.ts'
import { type StageableChunk, Stager } from './stager.ts'

/** One call that waits until the test answers it. */
type Waiting = { size: number; settle: PromiseWithResolvers<void> }

const chunkOf = (text: string): StageableChunk => ({
  source: 'a',
  text,
  hash: text,
  metadata: '{}',
  metadataHash: 'm',
})

/** A stager whose calls of the embedder and whose writes wait for the test, one after another. */
function heldStager({
  texts = 4,
  bytes = 1000,
  concurrency = 3,
  instant = false,
  note,
  dimensions = { place: 2, embedder: 2 },
  vectorOf = (text) => hashVector(text, 2),
}: {
  texts?: number
  bytes?: number
  concurrency?: number
  instant?: boolean
  note?: (reason: string) => void
  dimensions?: { place?: number; embedder?: number }
  vectorOf?: (text: string) => Float32Array
} = {}) {
  const calls: Waiting[] = []
  const writes: Waiting[] = []
  const staged: { chunks: readonly NewChunk[]; vectors: Float32Array; dimensions: number }[] = []
  const wait = (list: Waiting[], size: number) => {
    const settle = Promise.withResolvers<void>()
    list.push({ size, settle })
    return settle.promise
  }
  const controller = new AbortController()
  const stager = new Stager({
    place: {
      dimensions: dimensions.place,
      async stage(chunks, vectors, dimensions) {
        staged.push({ chunks, vectors, dimensions })
        await wait(writes, chunks.length)
      },
    },
    namespace: 'n',
    embedder: {
      id: 'held',
      ...(dimensions.embedder === undefined ? {} : { dimensions: dimensions.embedder }),
      limits: { texts, bytes },
      concurrency,
      async embed(batch, options = {}) {
        if (batch.includes('noted')) options.note?.('cut')
        if (!instant) await wait(calls, batch.length)
        return batch.map(vectorOf)
      },
      embedQuery: async (text) => hashVector(text, 2),
    },
    signal: controller.signal,
    progress: () => {},
    ...(note ? { note } : {}),
  })
  const add = (count: number, embedded = false) => {
    for (let n = 0; n < count; n++) stager.add(chunkOf(`text ${added++}`), embedded)
  }
  let added = 0
  return { stager, calls, writes, staged, controller, add }
}

const sizes = (list: Waiting[]) => list.map(({ size }) => size)
const namespaceQueue = async (count = 10) => {
  for (let n = 0; n < count; n++) await turn()
}
const finish = async (...lists: Waiting[][]) => {
  for (const list of lists) for (const { settle } of list) settle.resolve()
  await namespaceQueue()
}

test('add() sends a call at once while the embedder is idle, full ones while it is busy', async () => {
  const { calls, add } = heldStager()
  add(1)
  assert.deepEqual(sizes(calls), [1])
  add(3)
  assert.deepEqual(sizes(calls), [1])
  add(1)
  assert.deepEqual(sizes(calls), [1, 4])
  add(3)
  assert.deepEqual(sizes(calls), [1, 4])
})

test('flush() sends what is left in a part-filled call while others are under way', async () => {
  const { stager, calls, writes, add } = heldStager()
  add(3)
  assert.deepEqual(sizes(calls), [1])
  const flushed = stager.flush()
  assert.deepEqual(sizes(calls), [1, 2])
  await finish(calls)
  await finish(writes)
  await finish(writes)
  await flushed
})

test('add() fills a call up to the limit of bytes, to the last one', async () => {
  const { calls, add } = heldStager({ texts: 100, bytes: 12, concurrency: 2 })
  add(1)
  // Each text has six bytes: two of them fill a call.
  add(100)
  assert.deepEqual(sizes(calls), [1, 2])
})

test('add() writes 512 chunks while no write is under way, full ones of 1024 while one is, two at the most', async () => {
  const { writes, add } = heldStager()
  add(511, true)
  assert.deepEqual(sizes(writes), [])
  add(1, true)
  assert.deepEqual(sizes(writes), [512])
  add(1023, true)
  assert.deepEqual(sizes(writes), [512])
  add(1, true)
  assert.deepEqual(sizes(writes), [512, 1024])
  add(2048, true)
  assert.deepEqual(sizes(writes), [512, 1024])
  await finish(writes.slice(0, 1))
  assert.deepEqual(sizes(writes), [512, 1024, 1024])
})

test('add() has few chunks written 50 ms after the first of them, if no more came', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { writes, add } = heldStager()
  add(1, true)
  t.mock.timers.tick(49)
  add(1, true)
  assert.deepEqual(sizes(writes), [])
  t.mock.timers.tick(1)
  assert.deepEqual(sizes(writes), [2])
  await finish(writes)
  add(3, true)
  assert.deepEqual(sizes(writes), [2])
  t.mock.timers.tick(50)
  assert.deepEqual(sizes(writes), [2, 3])
})

test('flush() has the chunks of all calls written together', async () => {
  const { stager, calls, writes, add } = heldStager({ concurrency: 2 })
  add(5)
  const flushed = stager.flush()
  await finish(calls.slice(0, 1))
  assert.deepEqual(sizes(writes), [])
  await finish(calls)
  assert.deepEqual(sizes(writes), [5])
  await finish(writes)
  await flushed
})

test('add() hands each new text over with its own vector', async () => {
  const { stager, staged, writes, add } = heldStager({ instant: true, texts: 3, concurrency: 1 })
  add(7)
  const flushed = stager.flush()
  await namespaceQueue()
  await finish(writes)
  await flushed
  assert.equal(staged.flatMap(({ chunks }) => chunks).length, 7)
  assert.ok(staged.some(({ chunks }) => chunks.length > 2))
  for (const { chunks, vectors, dimensions } of staged) {
    assert.equal(dimensions, 2)
    const wanted = chunks.flatMap(({ hash }) => [...hashVector(hash, 2)])
    assert.deepEqual([...vectors], wanted)
  }
})

test('add() with texts that have a vector writes none', async () => {
  const { stager, staged, writes, add } = heldStager()
  add(1, true)
  const flushed = stager.flush()
  await finish(writes)
  await flushed
  assert.deepEqual([staged[0]!.vectors.length, staged[0]!.dimensions], [0, 0])
  assert.equal('text' in staged[0]!.chunks[0]!, false)
})

test('room() counts no characters of texts that are not held, and none that are written', async () => {
  const { stager, writes } = heldStager({ instant: true })
  const large = (name: string): StageableChunk => ({ ...chunkOf(name), text: name.repeat(3_000_000) })
  for (const name of ['a', 'b', 'c']) stager.add(large(name), true)
  await stager.room()
  stager.add(large('d'), false)
  stager.add(large('e'), false)
  await stager.room()
  let hasRoom = false
  stager.add(large('f'), false)
  const room = stager.room().then(() => {
    hasRoom = true
  })
  await namespaceQueue()
  assert.equal(hasRoom, false)
  for (let n = 0; n < 4; n++) await finish(writes)
  await room
})

test('room() waits from 8,000,000 characters on', async () => {
  for (const [length, waits] of [
    [7_999_999, false],
    [8_000_000, true],
  ] as const) {
    const { stager } = heldStager()
    stager.add({ ...chunkOf('a'), text: 'a'.repeat(length) }, false)
    let hasRoom = false
    void stager.room().then(() => {
      hasRoom = true
    })
    await namespaceQueue()
    assert.equal(hasRoom, !waits, String(length))
  }
})

test('add() has a text that was written embedded again: nothing of it is held', async () => {
  const { stager, calls, writes } = heldStager()
  for (let round = 1; round <= 2; round++) {
    stager.add(chunkOf('same'), false)
    const flushed = stager.flush()
    assert.equal(calls.length, round)
    await finish(calls)
    await finish(writes)
    await flushed
  }
})

test('add() keeps the vector of a text that is on its way when another chunk of it is written', async () => {
  const { stager, calls, writes } = heldStager()
  stager.add(chunkOf('same'), false)
  stager.add(chunkOf('same'), true)
  await finish(writes)
  stager.add(chunkOf('same'), false)
  // A second call would go out after the first.
  await finish(calls)
  assert.deepEqual(sizes(calls), [1])
})

test('stop() without a failure before sends nothing more to the embedder, and writes what waits', async () => {
  const { stager, calls, writes, add } = heldStager({ concurrency: 1 })
  add(6)
  assert.deepEqual(sizes(calls), [1])
  const stopped = stager.stop()
  await finish(calls)
  assert.deepEqual(sizes(calls), [1])
  assert.deepEqual(sizes(writes), [1])
  await finish(writes)
  await stopped
  await assert.rejects(stager.flush(), (error: SluiceError) => error.code === 'cancelled')
})

test('stop() writes chunks that wait for more', async () => {
  const { stager, calls, writes, add } = heldStager()
  add(1)
  await finish(calls)
  assert.deepEqual(sizes(writes), [])
  const stopped = stager.stop()
  assert.deepEqual(sizes(writes), [1])
  await finish(writes)
  await stopped
})

test('the first failure is the one that room(), flush() and stop() keep', async () => {
  const { stager, calls, add } = heldStager({ texts: 1 })
  add(2)
  const flushed = assert.rejects(stager.flush(), /the first/)
  calls[0]!.settle.reject(new Error('the first'))
  await namespaceQueue()
  calls[1]!.settle.reject(new Error('the second'))
  await flushed
  await stager.stop()
  await assert.rejects(stager.room(), /the first/)
  await assert.rejects(stager.flush(), /the first/)
})

test('room() and flush() throw at once where the signal has aborted', async () => {
  const { stager, controller, add } = heldStager()
  await stager.flush()
  controller.abort()
  const isCancelled = (error: unknown) => error instanceof SluiceError && error.code === 'cancelled'
  await assert.rejects(stager.room(), isCancelled)
  await assert.rejects(stager.flush(), isCancelled)
  add(1)
  await assert.rejects(stager.flush(), isCancelled)
})

test('add() reports what the embedder did to a text', async () => {
  const notes: string[] = []
  const { stager, writes } = heldStager({ instant: true, note: (reason) => notes.push(reason) })
  for (const text of ['plain', 'noted']) stager.add(chunkOf(text), false)
  const flushed = stager.flush()
  await namespaceQueue()
  await finish(writes)
  await flushed
  assert.deepEqual(notes, ['cut'])
})

for (const [what, dimensions, lengths, want] of [
  ['the index', { place: 3, embedder: 2 }, [2, 2], 3],
  ['the embedder', { embedder: 3 }, [2, 2], 3],
  ['the first vector', {}, [2, 4], 2],
] as const)
  test(`flush() throws dimension_mismatch for vectors of another length than ${what} has`, async () => {
    const left: number[] = [...lengths]
    const { stager, calls } = heldStager({
      texts: 2,
      concurrency: 1,
      dimensions,
      vectorOf: () => new Float32Array(left.shift()!),
    })
    stager.add(chunkOf('first'), false)
    // The two others wait and go together.
    if (want === 2) left.unshift(2)
    for (const text of ['second', 'third']) stager.add(chunkOf(text), false)
    const refused = assert.rejects(stager.flush(), (error: SluiceError) => {
      const { code, facts } = error
      assert.deepEqual([code, facts.want, facts.namespace], ['dimension_mismatch', want, 'n'])
      return true
    })
    while (calls.length > 0) {
      calls.shift()!.settle.resolve()
      await namespaceQueue()
    }
    await refused
  })

test('add() reports to no listener without failing', async () => {
  const { stager, writes } = heldStager({ instant: true })
  stager.add(chunkOf('noted'), false)
  const flushed = stager.flush()
  await namespaceQueue()
  await finish(writes)
  await flushed
})
