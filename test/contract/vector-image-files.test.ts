import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { DATA_FILES } from '../../src/contract/data-files.ts'
import { findIndex } from '../support/find-index.ts'
import { AT_ONCE, ImagePlace } from '../support/image-place.ts'
import { hashVector } from '../support/hash-embedder.ts'
import { randomBelow } from '../support/random.ts'
import { untilEqual } from '../support/until.ts'

const { signal } = new AbortController()
const DIMENSIONS = hashVector('any').length

/** A data directory that is closed and gone after the test. */
function placeIn(t: TestContext): ImagePlace {
  const place = new ImagePlace(mkdtempSync(path.join(tmpdir(), 'sluice-images-')))
  t.after(async () => {
    await place.end()
    rmSync(place.directory, { recursive: true, force: true })
  })
  return place
}

const textsOf = (name: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${name} has ${at} herons`)

test('SearchImage is loaded from its file, then brought up to the last publication', async (t) => {
  const place = await placeIn(t).start()
  await place.put('a', textsOf('a', 300))
  await place.put('b', textsOf('b', 200))
  assert.equal(await place.check('without a file'), 500)
  assert.equal(await place.save(), true)
  assert.equal(await place.check('from the file'), 0)
  await place.restart()
  assert.equal(await place.check('after a restart'), 0)
  await place.put('c', textsOf('c', 30))
  await place.store.remove({ sources: ['b'] })
  await place.restart()
  assert.equal(await place.check('an older file'), 230)
  assert.equal(place.files.length, 1)
})

test('SearchImage from a file is that of the database after any upserts, removals, restores and crashes', async (t) => {
  for (const seed of [3, 14, 159]) {
    const place = await placeIn(t).start()
    const random = randomBelow(seed)
    await place.put('s0', textsOf('s0', 400))
    let fromFile = 0
    for (let round = 0; round < 40; round++) {
      const source = `s${random(6)}`
      const what = random(9)
      if (what === 0) await place.save()
      else if (what === 1) await place.restart()
      else if (what === 2) await place.store.remove({ sources: [source] })
      else if (what === 3) await place.store.remove({ sources: [source], restorableUntil: Date.now() + 1e9 })
      else if (what === 4) await place.store.restore([source], Date.now())
      else if (what === 5) await place.search()
      else {
        // The same texts in several sources, so that passages lose some of their chunks, and come back.
        const texts = textsOf(`t${random(4)}`, 20 + random(150))
        await place.put(source, texts, what !== 6)
      }
      if (findIndex(place.database.reader, 'n')?.chunks === 0) await place.put(source, textsOf('again', 9))
      const loaded = await place.check(`seed ${seed}, round ${round}, step ${what}`)
      if (place.files.length === 1 && loaded < 400) fromFile++
    }
    assert.ok(fromFile > 5, `the file was used ${fromFile} times`)
  }
})

test('SearchImage is loaded from the database, and the file deleted, where it is damaged or missing', async (t) => {
  const place = await placeIn(t).start()
  await place.put('a', textsOf('a', 300))
  for (const damage of [
    (file: string) => writeFileSync(file, readFileSync(file).subarray(0, 5000)),
    (file: string) => {
      const bytes = readFileSync(file)
      bytes[4711]! ^= 4
      writeFileSync(file, bytes)
    },
    (file: string) => writeFileSync(file, ''),
    (file: string) => rmSync(file),
  ]) {
    assert.equal(await place.save(), true)
    const [name] = place.files
    await place.restart()
    damage(path.join(place.folder, name!))
    assert.equal(await place.check('damaged'), 300)
    assert.deepEqual(place.files, [])
  }
})

test('SearchImage takes no file of another data directory, of an earlier save or of a restored copy', async (t) => {
  const [place, other] = [await placeIn(t).start(), await placeIn(t).start()]
  const copy = path.join(other.directory, 'copy.db')
  await place.put('a', textsOf('a', 300))
  await other.put('a', textsOf('b', 300))
  await place.save()
  await other.save()
  const [name, foreign] = [place.files[0]!, other.files[0]!]
  const early = readFileSync(path.join(place.folder, name))
  await place.end()
  cpSync(path.join(place.directory, DATA_FILES.database), copy)
  await place.start()

  cpSync(path.join(other.folder, foreign), path.join(place.folder, name))
  assert.equal(await place.check('of another directory'), 300)

  await place.put('b', textsOf('b', 200))
  await place.save()
  writeFileSync(path.join(place.folder, place.files[0]!), early)
  assert.equal(await place.check('of an earlier save'), 500)

  await place.save()
  await place.end()
  for (const suffix of ['', '-wal', '-shm'])
    rmSync(path.join(place.directory, `${DATA_FILES.database}${suffix}`), { force: true })
  cpSync(copy, path.join(place.directory, DATA_FILES.database))
  await place.start()
  assert.equal(await place.check('an older copy of the database beside a newer file'), 300)
  assert.deepEqual(place.files, [])
})

test('builtInStores() write files in the background, keep one per index, and delete those of removed namespaces', async (t) => {
  const place = await placeIn(t).start(AT_ONCE)
  await place.put('a', textsOf('a', 300))
  await place.search()
  const first = await place.saved()
  await place.put('b', textsOf('b', 300))
  await place.search()
  await place.saved(first)
  assert.equal(await place.check('after both'), 0)

  writeFileSync(path.join(place.folder, `${place.indexId}-left.vectors.partial`), 'left by a crash')
  const [kept] = place.files.filter((name) => name.endsWith('.vectors'))
  await place.restart(AT_ONCE)
  assert.deepEqual(place.files, [kept])
  await place.search()
  await place.store.drop()
  assert.deepEqual(place.files, [])
})

test('builtInStores() make the image of a large index after its upserts, and write its file, without a query', async (t) => {
  const place = await placeIn(t).start(AT_ONCE, 1000 * DIMENSIONS)
  await place.put('small', textsOf('a small file', 900))
  await place.put('more', textsOf('more', 200))
  const first = await place.saved()
  assert.equal(await place.check('after two upserts'), 0)

  await place.put('again', textsOf('again', 400))
  await place.store.remove({ sources: ['more'] })
  await place.saved(first)
  await place.restart()
  await place.check('after an upsert and a removal')
})

test('builtInStores() make no image before a query where the index is small', async (t) => {
  const place = await placeIn(t).start(AT_ONCE, 1000 * DIMENSIONS)
  await place.put('a', textsOf('a', 999))
  await setTimeout(50)
  assert.deepEqual(place.files, [])
})

test('builtInStores() write the file of an image that grows when it has doubled, or does not change any more', async (t) => {
  const place = await placeIn(t).start({ ...AT_ONCE, quietMs: 1e9, latestMs: 1e9 }, 1)
  await place.put('a', textsOf('a', 300))
  const first = await place.saved()
  await place.put('b', textsOf('b', 200))
  await place.search()
  await setTimeout(50)
  assert.equal(place.token, first)
  await place.put('c', textsOf('c', 200))
  await place.search()
  const second = await place.saved(first)
  assert.equal(await place.check('after it has doubled'), 0)

  await place.restart({ ...AT_ONCE, quietMs: 100, latestMs: 1e9 })
  await place.search()
  await place.put('d', textsOf('d', 100))
  await place.search()
  await place.saved(second)
  assert.equal(await place.check('after it was quiet'), 0)
})

test('ImageFiles writes no file for an index that is gone', async (t) => {
  const place = await placeIn(t).start()
  await place.put('a', textsOf('a', 100))
  const image = await place.fresh()
  await place.store.drop()
  assert.equal(await image.save(signal), false)
  assert.deepEqual(place.files, [])
})

/** How often the file of the index was brought up to date; 0 where there is none. */
const savesOf = (place: ImagePlace): number => Number(place.token?.split('.').at(-1) ?? 0)

test('builtInStores() add what a load brings to the file of an image, so that a start after a kill reads little from the database', async (t) => {
  const place = await placeIn(t).start({ ...AT_ONCE, quietMs: 1e9, latestMs: 1e9, denseChanges: 600 }, 1)
  await place.put('a', textsOf('a', 20_000))
  await untilEqual(() => savesOf(place), 1)
  const [file] = place.files
  for (let more = 0; more < 4; more++) {
    // Too few for a file of their own: a twentieth has not changed.
    await place.put(`more ${more}`, textsOf(`more ${more}`, 900))
    await untilEqual(() => savesOf(place), 2 + more)
  }
  await place.put('last', textsOf('last', 500))
  assert.deepEqual(place.files, [file])
  const left = await place.check('as after a kill')
  assert.equal(left, 500)
  assert.equal(savesOf(place), 5)
})

const CHILD = fileURLToPath(new URL('../support/image-child.ts', import.meta.url))

test('SearchImage is that of the database after a process was killed while it wrote files and upserted', async (t) => {
  const place = placeIn(t)
  const random = randomBelow(8)
  let fromFile = 0
  let inParts = 0
  const hasSeenAll = () => fromFile > 3 && inParts > 3
  // On a busy machine a process may be killed before it has written any file.
  for (let kill = 0; kill < 12 || (kill < 100 && !hasSeenAll()); kill++) {
    if (kill > 0) await place.end()
    const child = fork(CHILD, [place.directory, `${kill}`])
    await once(child, 'message')
    await setTimeout(random(300))
    child.kill('SIGKILL')
    await once(child, 'exit')
    await place.start()
    const size = findIndex(place.database.reader, 'n')!.chunks
    const loaded = await place.check(`kill ${kill}`)
    if (loaded < size) fromFile++
    if (savesOf(place) > 1) inParts++
    assert.ok(place.files.length <= 1, `${place.files.join()}`)
  }
  assert.ok(fromFile > 3, `the file was used ${fromFile} times`)
  assert.ok(inParts > 3, `the file had several states ${inParts} times`)
})
