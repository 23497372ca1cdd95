import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newReplica } from '../../../test/support/replica-origin.ts'
import { hashVector } from '../../../test/support/hash-embedder.ts'

const DIMENSIONS = 4
const RUN = (run: number) => ({ index: { id: 7, embedder: 'e', engine: 'built-in' }, run })

const batchOf = (texts: string[], ids: number[]) => {
  const vectors = new Float32Array(texts.length * DIMENSIONS)
  for (const [at, text] of texts.entries()) vectors.set(hashVector(text, DIMENSIONS), at * DIMENSIONS)
  const chunks = texts.map((text) => ({
    ...{ source: 's', hash: text, text, metadata: '{}', metadataHash: 'm' },
    range: { start: 0, end: text.length },
  }))
  return { chunks, ids, dimensions: DIMENSIONS, vectors }
}

const published = (stagedCount: number, removedChunkIds: number[] = []) => ({ stagedCount, removedChunkIds })

test('a run of this member is in its replica when it is published, and nothing of it is read back', async (t) => {
  const { replica, origin, seen, copied } = newReplica(t)
  origin.open(7)
  await replica.watch.staged(RUN(1), batchOf(['one', 'two'], [1, 2]))
  assert.equal(await replica.collection(7), undefined)
  origin.publish(7, { texts: ['one', 'two'] })
  await replica.watch.published(RUN(1), published(2))
  assert.deepEqual(await seen(7), [
    ['one', 1, 0, 3],
    ['two', 2, 0, 3],
  ])
  await replica.watch.staged(RUN(2), batchOf(['three'], [3]))
  origin.publish(7, { texts: ['three'], removed: [1] })
  await replica.watch.published(RUN(2), {
    ...published(1, [1]),
    movedChunks: [{ id: 2, range: { start: 5, end: 8 } }],
  })
  assert.deepEqual(await seen(7), [
    ['two', 2, 5, 8],
    ['three', 3, 0, 5],
  ])
  assert.deepEqual([copied, origin.reads.filter((read) => read === 'chunks')], [[], []])
})

test('a run that the replica has not got whole is followed as one of another member', async (t) => {
  const cases: [string, (watch: ReturnType<typeof newReplica>['replica']['watch']) => Promise<void>][] = [
    // Its passage is not here: an abandoned run has left it in the database.
    [
      'a chunk without a text',
      async (watch) => {
        const { chunks, ...rest } = batchOf(['one'], [1])
        await watch.staged(RUN(1), { ...rest, chunks: chunks.map(({ text: _, ...chunk }) => chunk) })
      },
    ],
    ['fewer chunks than were published', (watch) => watch.staged(RUN(1), batchOf([], []))],
    [
      'a run that has ended',
      async (watch) => {
        await watch.staged(RUN(1), batchOf(['one'], [1]))
        await watch.ended(RUN(1))
      },
    ],
  ]
  for (const [name, stage] of cases) {
    const { replica, origin, seen, count } = newReplica(t)
    origin.open(7)
    await stage(replica.watch)
    origin.publish(7, { texts: ['one'] })
    await replica.watch.published(RUN(1), published(1))
    assert.deepEqual(await seen(7), [['one', 1, 0, 3]], name)
    assert.equal(origin.reads.includes('chunks'), true, name)
    assert.equal(count('chunks'), 1, name)
  }
})

test('a search while a run of this member is being published waits for it, and reads nothing back', async (t) => {
  const { replica, origin, seen } = newReplica(t)
  origin.open(7)
  await replica.watch.staged(RUN(1), batchOf(['one'], [1]))
  origin.publish(7, { texts: ['one'] })
  const searched = seen(7)
  await new Promise((resolve) => setImmediate(resolve))
  await replica.watch.published(RUN(1), published(1))
  assert.equal((await searched).length, 1)
  assert.equal(origin.reads.includes('chunks'), false)
})

test('a replica that has not the run before takes nothing over', async (t) => {
  const { replica, origin, seen, copied, count } = newReplica(t)
  origin.publish(7, { texts: ['one'] })
  await replica.watch.staged(RUN(2), batchOf(['two'], [2]))
  assert.equal(count('chunks'), 0)
  origin.publish(7, { texts: ['two'] })
  await replica.watch.published(RUN(2), published(1))
  assert.equal((await seen(7)).length, 2)
  assert.equal(copied.length, 1)
})

test('a replica that is behind follows before it takes a run over', async (t) => {
  const { replica, origin, seen } = newReplica(t)
  origin.publish(7, { texts: ['one'] })
  await seen(7)
  origin.publish(7, { texts: ['two'] })
  await replica.watch.staged(RUN(3), batchOf(['three'], [3]))
  origin.reads.length = 0
  origin.publish(7, { texts: ['three'] })
  await replica.watch.published(RUN(3), published(1))
  assert.deepEqual(
    (await seen(7)).map(([text]) => text),
    ['one', 'two', 'three'],
  )
  assert.equal(origin.reads.includes('chunks'), false)
})
