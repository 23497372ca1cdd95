import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashVector } from '../../../test/support/hash-embedder.ts'
import { DIMENSIONS, newReplica } from '../../../test/support/replica-origin.ts'

test('a replica copies an index once, and takes over what each later run staged, removed and moved', async (t) => {
  const { replica, local, origin, seen, copied, count } = newReplica(t)
  const begun = performance.now()
  const [one, two] = origin.publish(7, { texts: ['one', 'two'] })
  origin.publish(7, { texts: ['gone'] })
  origin.publish(7, { texts: ['three'], removed: [3] })
  assert.deepEqual(
    (await seen(7)).map(([text]) => text),
    ['one', 'two', 'three'],
  )
  assert.deepEqual([copied[0]!.index, copied[0]!.chunks], [7, 3])
  assert.ok(copied[0]!.ms >= 0 && copied[0]!.ms <= Math.ceil(performance.now() - begun))
  const collection = await replica.collection(7)
  origin.publish(7, { texts: ['five'] })
  // 3 was removed before it came here.
  origin.publish(7, {
    removed: [one!],
    moved: [
      { id: 3, start: 1, end: 2 },
      { id: two!, start: 5, end: 8 },
    ],
  })
  assert.deepEqual(await seen(7), [
    ['two', two, 5, 8],
    ['three', 4, 0, 5],
    ['five', 5, 0, 4],
  ])
  assert.equal(await replica.collection(7), collection)
  assert.equal(copied.length, 1)
  assert.equal(count('indexes'), 1)
  assert.equal(local.reader.get<{ chunks: number }>('SELECT chunks FROM indexes')!.chunks, 3)
})

test('a replica that has the newest publication reads nothing but the state', async (t) => {
  const { replica, origin } = newReplica(t)
  origin.publish(7, { texts: ['one'] })
  await replica.collection(7)
  origin.reads.length = 0
  await replica.collection(7)
  assert.deepEqual(origin.reads, ['state'])
})

test('a replica has no collection of an index that readers do not see, that has no publication, or that is not there', async (t) => {
  const { replica, origin, count } = newReplica(t)
  origin.publish(7, { texts: ['one'] })
  origin.live.delete(7)
  origin.live.add(8)
  for (const index of [7, 8, 9]) assert.equal(await replica.collection(index), undefined)
  assert.equal(count('indexes'), 0)
})

test('a replica follows as long as the changes since its run are kept, and copies again where they are not or history is another', async (t) => {
  const { origin, seen, copied, count } = newReplica(t)
  const texts = async () => (await seen(7)).map(([text]) => text)
  origin.publish(7, { texts: ['one'] })
  await texts()
  origin.publish(7, { texts: ['two'] })
  origin.followedFrom = 1
  assert.deepEqual(await texts(), ['one', 'two'])
  assert.equal(copied.length, 1)
  origin.publish(7, { texts: ['three'], removed: [1] })
  origin.followedFrom = 3
  assert.deepEqual(await texts(), ['two', 'three'])
  assert.equal(copied.length, 2)
  // A restored database: the run has the number of the one that the replica has.
  origin.runs[2]!.token = 'another'
  assert.deepEqual(await texts(), ['two', 'three'])
  assert.equal(copied.length, 3)
  assert.equal(count('indexes'), 1)
})

test('a replica takes over more chunks and more runs than one read brings', async (t) => {
  const { origin, seen, copied } = newReplica(t)
  const texts = Array.from({ length: 1001 }, (_, at) => `text ${at}`)
  origin.publish(7, { texts })
  assert.deepEqual(
    (await seen(7)).map(([text]) => text),
    texts,
  )
  for (let run = 0; run < 101; run++) origin.publish(7, {})
  origin.publish(7, { texts: ['last'] })
  assert.equal((await seen(7)).at(-1)![0], 'last')
  assert.equal(copied.length, 1)
})

test('a replica keeps the vectors of chunks, and takes chunks over that have none', async (t) => {
  const { replica, local, origin, seen, count } = newReplica(t)
  const dimensions = () =>
    local.reader
      .all<{ dimensions: number }>('SELECT dimensions FROM indexes ORDER BY id')
      .map((row) => row.dimensions)
  const texts = ['one', 'two', 'three']
  origin.publish(7, { texts })
  const collection = (await replica.collection(7))!
  const found = new Set<string>()
  for (const text of texts) {
    const nearest = { vector: hashVector(text, DIMENSIONS), metric: 'cosine', limit: 1 } as const
    const [candidate] = (await replica.engine.search(collection, nearest))!
    assert.equal(candidate!.vectorScore!.toFixed(6), '1.000000', text)
    found.add(candidate!.id)
  }
  assert.equal(found.size, texts.length)
  origin.publish(8, { texts: ['words alone'], vectors: false })
  assert.equal((await seen(8)).length, 1)
  assert.equal(count('vectors'), texts.length)
  assert.deepEqual(dimensions(), [DIMENSIONS, 0])
})

test('a replica keeps the fields of a copied index by field', async (t) => {
  const { replica, local, origin } = newReplica(t)
  const write = t.mock.method(local, 'write')
  origin.publish(7, { texts: ['one'] })
  const collection = await replica.collection(7)
  const kept = write.mock.calls.filter(({ arguments: [operation] }) => operation.name === 'keepValues')
  assert.deepEqual(
    kept.map(({ arguments: [, request] }) => request),
    [{ indexId: Number(collection) }],
  )
})

test('a replica sweeps what a run has removed, after the engine has followed that run', async (t) => {
  const { replica, origin, seen, count } = newReplica(t)
  const chunks: number[] = []
  const { follow } = replica.engine
  t.mock.method(replica.engine, 'follow', async (collection: string) => {
    chunks.push(count('chunks'))
    await follow(collection)
  })
  const [one] = origin.publish(7, { texts: ['one', 'two'] })
  await seen(7)
  origin.publish(7, { texts: ['three'] })
  await seen(7)
  assert.deepEqual(chunks, [])
  origin.publish(7, { removed: [one!] })
  assert.equal((await seen(7)).length, 2)
  assert.deepEqual(chunks, [3])
  assert.deepEqual([count('chunks'), count('passages'), count('vectors')], [2, 2, 2])
})
