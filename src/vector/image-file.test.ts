import assert from 'node:assert/strict'
import {
  copyFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import { randomBelow } from '../../test/support/random.ts'
import { BLOCK_SLOTS } from './blocks.ts'
import type { ImageFileState } from './file-places.ts'
import { type AtRest, type ImageFacts, readImageFile, writeImageFile } from './image-file.ts'
import { VectorImage } from './image.ts'

const FACTS = { index: 7, run: 5 }

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

const { signal } = new AbortController()

/** Calls at once, as if nothing changed meanwhile. */
const atOnce =
  (run = FACTS.run): AtRest =>
  async (take) =>
    take(run)

type Written = { token: string; run: number; state: ImageFileState; changed: Set<number> }

/** Writes all of an image, or what changed since an earlier state of the file. */
async function write(
  file: string,
  image: VectorImage,
  { atRest = atOnce(), before, version = 0 }: { atRest?: AtRest; before?: Written; version?: number } = {},
): Promise<Written | undefined> {
  const changed = before?.changed ?? new Set(image.slots.blocks.keys())
  image.slots.watch(changed)
  const token = (at: number) => `token-${at}-${version}`
  const made = await writeImageFile(file, image, {
    ...{ index: FACTS.index, token, changed, before: before?.state, atRest, signal },
  })
  return made && { ...made, changed }
}

/** Reads the image of a state. */
const read = async (file: string, { token, run, state }: Written, wanted: Partial<ImageFacts> = {}) =>
  (await readImageFile(file, state.trailer.at, { index: FACTS.index, token, run, ...wanted }, undefined))
    ?.image

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
    const written = (await write(file, image))!
    assert.equal(written.run, FACTS.run)
    const found = (await read(file, written))!
    assertSame(found, image, vectors)
    for (const [id, vector] of vectorsFor([1, 3, 4, 9000, 9001, 2 ** 41], dimensions)) {
      found.add(id, vector)
      image.add(id, vector)
      vectors.set(id, vector)
    }
    for (const id of [0, 3, 12]) assert.equal(found.remove(id), image.remove(id))
    assertSame(found, image, vectors)
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
  const written = (await write(file, image, { atRest }))!
  assert.equal(written.run, 1)
  assertSame((await read(file, written))!, image, vectors)
})

test('writeImageFile() gives up where the image is never at rest, and where that ends with an error', async (t) => {
  const file = temporaryFile(t)
  const { image } = imageWith(32)
  const never: AtRest = async () => undefined
  assert.equal(await write(file, image, { atRest: never }), undefined)
  rmSync(file)
  const ended: AtRest = async () => {
    throw new Error('ended')
  }
  await assert.rejects(write(file, image, { atRest: ended }), /ended/)
})

test('writeImageFile() adds what changed to a file, and the state before stays readable until the next', async (t) => {
  const file = temporaryFile(t)
  const { image, vectors } = imageWith(32)
  const fresh = vectorsFor(
    Array.from({ length: 3 * BLOCK_SLOTS }, (_, at) => 100_000 + at),
    32,
  )
  const ids = [...fresh.keys()]
  let written = (await write(file, image))!
  const full = statSync(file).size
  let partial = 0
  for (let round = 1; round <= 8; round++) {
    const before = (await read(file, written))!
    const earlier = new Map(vectors)
    for (const id of ids.splice(0, 200)) {
      image.add(id, fresh.get(id)!)
      vectors.set(id, fresh.get(id)!)
    }
    const gone = [...vectors.keys()][round]!
    image.remove(gone)
    vectors.delete(gone)
    if (written.changed.size < image.slots.blocks.length) partial++
    // A save that fails adds nothing, and the next one has all that changed.
    const failing: AtRest = async () => undefined
    assert.equal(
      await write(file, image, { before: written, atRest: failing, version: 100 + round }),
      undefined,
    )
    assertSame((await read(file, written))!, before, earlier)
    const next = (await write(file, image, { before: written, atRest: atOnce(5 + round), version: round }))!
    assertSame((await read(file, written))!, before, earlier)
    assertSame((await read(file, next))!, image, vectors)
    assert.equal(next.changed.size, 0)
    written = next
  }
  assert.ok(partial > 0)
  // What earlier states alone have is overwritten.
  assert.ok(statSync(file).size < 5 * full, `${statSync(file).size} after ${full}`)
})

test('readImageFile() refuses a file of another index, another token or another run, and one that is missing', async (t) => {
  const file = temporaryFile(t)
  const written = (await write(file, imageWith(32).image))!
  assert.ok(await read(file, written))
  for (const other of [{ index: 8 }, { token: 'other' }, { run: 4 }])
    assert.equal(await read(file, written, other), undefined)
  assert.equal(await read(`${file}-missing`, written), undefined)
})

test('readImageFile() refuses a file that was cut, or has one changed byte anywhere', async (t) => {
  const file = temporaryFile(t)
  const written = (await write(file, imageWith(32).image))!
  const whole = readFileSync(file)
  const damaged = `${file}-damaged`
  const random = randomBelow(5)
  const refuse = async (why: string) => assert.equal(await read(damaged, written), undefined, why)
  for (const length of [0, 1, 15, 16, 17, 4096, whole.length - 300, whole.length - 17, whole.length - 1]) {
    copyFileSync(file, damaged)
    truncateSync(damaged, length)
    await refuse(`cut to ${length}`)
  }
  const places = [
    ...Array.from({ length: 150 }, () => random(whole.length)),
    // The trailer, byte by byte.
    ...Array.from({ length: written.state.trailer.bytes }, (_, at) => whole.length - 1 - at),
  ]
  for (const place of places) {
    const changed = Buffer.from(whole)
    changed[place]! ^= 1 << random(8)
    writeFileSync(damaged, changed)
    await refuse(`byte ${place} of ${whole.length}`)
  }
})
