import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Lent, ResidentImages } from './resident-images.ts'

/** An image of so many bytes, once it is loaded. */
class TestImage {
  heldBytes = 0
  closed = 0

  load(bytes: number): void {
    this.heldBytes = bytes
  }

  close(): void {
    this.closed++
  }
}

function place(
  limit?: number,
  keep: (indexId: number) => Promise<void> | undefined = () => undefined,
  among?: Set<ResidentImages<TestImage>>,
) {
  const gone: number[] = []
  const images = new ResidentImages<TestImage>({ limit, keep, among, gone: (indexId) => gone.push(indexId) })
  const lend = (indexId: number): Lent<TestImage> =>
    images.lend(
      indexId,
      () => new TestImage(),
      () => 10,
    )
  const use = (indexId: number, bytes = 10): TestImage => {
    using lent = lend(indexId)
    lent.image.load(bytes)
    return lent.image
  }
  return { images, gone, lend, use }
}

test('ResidentImages evicts those that were not used for the longest time, where all together exceed the limit', () => {
  const { images, gone, use } = place(30)
  const first = use(1)
  for (const indexId of [2, 3, 1]) use(indexId)
  assert.deepEqual(images.memory, { images: 3, bytes: 30, evictions: 0 })
  use(4)
  use(5)
  assert.deepEqual(gone, [2, 3])
  assert.deepEqual(images.memory, { images: 3, bytes: 30, evictions: 2 })
  assert.equal(images.find(1), first)
  assert.equal(images.find(2), undefined)
  use(6, 25)
  assert.deepEqual(gone, [2, 3, 1, 4, 5])
})

test('ResidentImages makes room before an image is loaded, by the bytes that it is expected to have', () => {
  const { images, gone, lend, use } = place(30)
  for (const indexId of [1, 2, 3]) use(indexId)
  using lent = lend(4)
  assert.deepEqual(gone, [1])
  assert.equal(images.memory.bytes, 30)
  assert.equal(lent.image.heldBytes, 0)
})

test('ResidentImages keeps images that are used, and evicts them when they are not any more', () => {
  const { images, gone, lend, use } = place(10)
  const [one, again] = [lend(1), lend(1)]
  one.image.load(10)
  use(2)
  assert.deepEqual(gone, [2])
  one[Symbol.dispose]()
  one[Symbol.dispose]()
  use(3)
  assert.deepEqual([gone, one.image.closed], [[2, 3], 0])
  again[Symbol.dispose]()
  use(4)
  assert.deepEqual([gone, one.image.closed], [[2, 3, 1], 1])
  assert.deepEqual(images.memory, { images: 1, bytes: 10, evictions: 3 })
})

test('ResidentImages lets an image go after its file is written, and keeps it where it is used meanwhile', async () => {
  const written = Promise.withResolvers<void>()
  const { images, gone, lend, use } = place(10, (indexId) => (indexId < 3 ? written.promise : undefined))
  for (const indexId of [1, 2, 3]) use(indexId)
  assert.deepEqual([gone, images.memory.images], [[], 3])
  const used = lend(2)
  written.resolve()
  await written.promise
  assert.deepEqual([gone, images.memory.images], [[1], 2])
  assert.equal(images.find(2), used.image)
  used[Symbol.dispose]()
})

test('ResidentImages without a limit evicts nothing, and remove() counts as no eviction', () => {
  const { images, gone, use } = place()
  const first = use(1)
  for (let indexId = 2; indexId <= 100; indexId++) use(indexId, 1e9)
  images.remove(1)
  assert.deepEqual([gone, first.closed], [[], 1])
  assert.deepEqual(images.memory, { images: 99, bytes: 99e9, evictions: 0 })
})

test('ResidentImages of several databases have one limit, and the ones of any go that were not used for the longest time', () => {
  const among = new Set<ResidentImages<TestImage>>()
  const [one, two] = [place(30, undefined, among), place(30, undefined, among)]
  one.use(1)
  two.use(1)
  one.use(2)
  two.use(2)
  assert.deepEqual([one.gone, two.gone], [[1], []])
  one.use(1)
  assert.deepEqual([one.gone, two.gone], [[1], [1]])
  // A database that is closed leaves its room to the others.
  const last = one.use(2)
  one.images.close()
  assert.deepEqual([last.closed, one.images.memory.images], [1, 0])
  for (const indexId of [3, 4]) two.use(indexId)
  assert.deepEqual([two.images.memory, two.gone], [{ images: 3, bytes: 30, evictions: 1 }, [1]])
})
