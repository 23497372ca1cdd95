import assert from 'node:assert/strict'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import { randomBelow } from '../../test/support/random.ts'
import { BLOCK_SLOTS } from './blocks.ts'
import { type AtRest, readImageFile, writeImageFile } from './image-file.ts'
import { VectorImage } from './image.ts'

const FACTS = { index: 7, token: 'token', run: 5 }

function temporaryFile(t: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-image-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return path.join(folder, 'image')
}

function vectorsFor(ids: Iterable<number>, dimensions: number): Map<number, Float32Array> {
  const random = randomBelow(11)
  return new Map(
    Array.from(ids, (id) => [id, Float32Array.from({ length: dimensions }, () => random(2000) / 1000 - 1)]),
  )
}

/** An image with two blocks and a part of a third, some slots of them empty. */
function imageWith(dimensions: number) {
  const image = new VectorImage({ dimensions })
  const vectors = vectorsFor(
    Array.from({ length: 2 * BLOCK_SLOTS + 300 }, (_, at) => at * 3),
    dimensions,
  )
  for (const [id, vector] of vectors) image.add(id, vector)
  for (const id of [...vectors.keys()].filter((_, at) => at % 10 === 3)) {
    image.remove(id)
    vectors.delete(id)
  }
  return { image, vectors }
}

const atOnce: AtRest = async (take) => take(FACTS.run)
const { signal } = new AbortController()
const names = { index: FACTS.index, token: FACTS.token }

function assertSame(found: VectorImage, wanted: VectorImage, vectors: ReadonlyMap<number, Float32Array>) {
  assert.equal(found.size, wanted.size)
  for (const [at, query] of [...vectors.values()].entries()) {
    if (at % 50 !== 0) continue
    assert.deepEqual(found.search(query, { k: 20 }), wanted.search(query, { k: 20 }))
  }
}

for (const dimensions of [5, 256])
  test(`readImageFile() reads what writeImageFile() wrote, ready for changes: ${dimensions} dimensions`, async (t) => {
    const file = temporaryFile(t)
    const { image, vectors } = imageWith(dimensions)
    assert.equal(await writeImageFile(file, image, { ...names, atRest: atOnce, signal }), FACTS.run)
    const read = (await readImageFile(file, FACTS, undefined))!
    assertSame(read, image, vectors)
    for (const [id, vector] of vectorsFor([1, 3, 4, 9000, 9001, 2 ** 41], dimensions)) {
      read.add(id, vector)
      image.add(id, vector)
      vectors.set(id, vector)
    }
    for (const id of [0, 3, 12]) assert.equal(read.remove(id), image.remove(id))
    assertSame(read, image, vectors)
  })

test('writeImageFile() writes blocks again that change meanwhile, and takes the facts of a moment at rest', async (t) => {
  const file = temporaryFile(t)
  const { image, vectors } = imageWith(32)
  const fresh = vectorsFor([...vectors.keys()].slice(0, 500).concat([50_001, 50_002]), 32)
  let moments = 0
  const atRest: AtRest = async (take) => {
    // A run is published while the blocks are written.
    if (moments++ === 0)
      for (const [id, vector] of fresh) {
        image.add(id, vector)
        vectors.set(id, vector)
      }
    return take(moments)
  }
  assert.equal(await writeImageFile(file, image, { ...names, atRest, signal }), 1)
  assertSame((await readImageFile(file, { ...FACTS, run: 1 }, undefined))!, image, vectors)
})

test('writeImageFile() gives up where the image is never at rest, and where it is aborted', async (t) => {
  const file = temporaryFile(t)
  const { image } = imageWith(32)
  const never: AtRest = async () => undefined
  assert.equal(await writeImageFile(file, image, { ...names, atRest: never, signal }), undefined)
  assert.equal(await readImageFile(file, FACTS, undefined), undefined)
  rmSync(file)
  const aborted = AbortSignal.abort(new Error('ended'))
  await assert.rejects(writeImageFile(file, image, { ...names, atRest: atOnce, signal: aborted }), /ended/)
})

test('readImageFile() refuses a file of another index, another token or another run, and one that is missing', async (t) => {
  const file = temporaryFile(t)
  await writeImageFile(file, imageWith(32).image, { ...names, atRest: atOnce, signal })
  assert.ok(await readImageFile(file, FACTS, undefined))
  for (const other of [{ index: 8 }, { token: 'other' }, { run: 4 }])
    assert.equal(await readImageFile(file, { ...FACTS, ...other }, undefined), undefined)
  assert.equal(await readImageFile(`${file}-missing`, FACTS, undefined), undefined)
})

test('readImageFile() refuses a file that was cut, made longer, or has one changed byte anywhere', async (t) => {
  const file = temporaryFile(t)
  await writeImageFile(file, imageWith(32).image, { ...names, atRest: atOnce, signal })
  const whole = readFileSync(file)
  const damaged = `${file}-damaged`
  const random = randomBelow(5)
  const refuse = async (why: string) =>
    assert.equal(await readImageFile(damaged, FACTS, undefined), undefined, why)
  for (const length of [0, 1, 15, 16, 17, 4096, whole.length - 300, whole.length - 17, whole.length - 1]) {
    copyFileSync(file, damaged)
    truncateSync(damaged, length)
    await refuse(`cut to ${length}`)
  }
  writeFileSync(damaged, Buffer.concat([whole, Buffer.alloc(8)]))
  await refuse('longer')
  const places = [
    ...Array.from({ length: 150 }, () => random(whole.length)),
    // The trailer, byte by byte.
    ...Array.from({ length: 160 }, (_, at) => whole.length - 1 - at),
  ]
  for (const place of places) {
    const changed = Buffer.from(whole)
    changed[place]! ^= 1 << random(8)
    writeFileSync(damaged, changed)
    await refuse(`byte ${place} of ${whole.length}`)
  }
})
