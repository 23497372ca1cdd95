import assert from 'node:assert/strict'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import type { ChunkStore } from '../../src/contract/chunk-store.ts'
import { DATA_FILES } from '../../src/contract/data-files.ts'
import { VISIBLE } from '../../src/db/sqlite/chunks.ts'
import type { Database } from '../../src/db/sqlite/database.ts'
import { abandonOpenRuns, findIndex } from '../../src/db/sqlite/indexes.ts'
import { fingerprint } from '../../src/kit/hash.ts'
import { builtInStores } from '../../src/stores/built-in.ts'
import { ImageFiles } from '../../src/stores/built-in/image-files.ts'
import type { SavingRules } from '../../src/stores/built-in/image-saver.ts'
import { SearchImage } from '../../src/stores/built-in/search-image.ts'
import { ScanThreads } from '../../src/vector/scan-threads.ts'
import { hashVector } from '../support/hash-embedder.ts'
import { randomBelow } from '../support/random.ts'
import { temporaryData } from '../support/store.ts'

const NEVER: SavingRules = { leastBytes: Infinity, delayMs: 0, intervalMs: 0 }
const AT_ONCE: SavingRules = { leastBytes: 0, delayMs: 0, intervalMs: 0 }
const DIMENSIONS = hashVector('any').length
const NO_CHANGE = { removedChunkIds: [], files: [], updatedSources: [], invalidatedFiles: [] }
const { signal } = new AbortController()

/** A data directory with a namespace, whose process ends and begins again. */
class Place {
  readonly #data: ReturnType<typeof temporaryData>
  readonly #below: string
  database!: Database
  store!: ChunkStore

  constructor(data: ReturnType<typeof temporaryData>, below: string) {
    this.#data = data
    this.#below = below
  }

  get directory(): string {
    return path.join(this.#data.directory, this.#below)
  }

  get folder(): string {
    return path.join(this.directory, DATA_FILES.vectorImages)
  }

  get files(): string[] {
    return existsSync(this.folder) ? readdirSync(this.folder) : []
  }

  get indexId(): number {
    return findIndex(this.database.reader, 'n')!.id
  }

  async start(saving = NEVER): Promise<this> {
    this.database = this.#data.open(this.#below)
    await this.database.write(abandonOpenRuns, undefined)
    const stores = builtInStores(this.database, Date.now, { saving })
    this.store = stores.open('n')
    await stores.tidy()
    return this
  }

  end = (): Promise<void> => this.database.close()

  async restart(saving = NEVER): Promise<void> {
    await this.end()
    await this.start(saving)
  }

  /** Upserts texts into a source, each a chunk. Without a sweep the process was killed before it. */
  async put(source: string, texts: readonly string[], swept = true): Promise<void> {
    const run = await this.store.open('test')
    const known = await run.known(
      source,
      texts.map((text) => fingerprint(text)),
    )
    const fresh = texts.filter((_, at) => !known[at]!.embedded)
    await run.stage(
      texts.map((text, at) => ({
        source,
        hash: fingerprint(text),
        ...(known[at]!.embedded ? {} : { text }),
        metadata: '{}',
        metadataHash: fingerprint('{}'),
      })),
      Float32Array.from(fresh.flatMap((text) => [...hashVector(text)])),
      DIMENSIONS,
    )
    await run.publish({ ...NO_CHANGE, stagedCount: texts.length, updatedSources: [source] })
    if (swept) await run.sweep()
  }

  search(): Promise<unknown> {
    return this.store.search({ embedder: 'test', vector: hashVector('a question'), limit: 5 })
  }

  /** The image as a process has it that begins now. */
  async fresh(): Promise<SearchImage> {
    const image = new SearchImage(this.database.reader, this.indexId, {
      threads: new ScanThreads(),
      files: new ImageFiles(this.database),
    })
    await image.follow()
    return image
  }

  async save(): Promise<boolean> {
    return (await this.fresh()).save(signal)
  }

  /** Compares the image of a new process with the database. Returns how much of it did not come from the file. */
  async check(why: string): Promise<number> {
    const image = await this.fresh()
    const ids = this.database.reader
      .all<{ id: number; content: string }>(
        `SELECT DISTINCT passages.id, content FROM passages JOIN chunks ON passage_id = passages.id
         WHERE index_id = ? AND ${VISIBLE} ORDER BY passages.id`,
        this.indexId,
      )
      .map(({ id, content }) => ({ id, vector: hashVector(content) }))
    const found = (vector: Float32Array, k: number) => image.nearest(vector, { k, metric: 'dot' })
    assert.deepEqual(
      found(hashVector('any'), ids.length + 100).sort((a, b) => a - b),
      ids.map(({ id }) => id),
      why,
    )
    const best = (vector: Float32Array) => image.nearest(vector, { k: 1 })
    for (const { id, vector } of ids.filter((_, at) => at % 20 === 0))
      assert.deepEqual(best(vector), [id], `${why}: the vector of ${id}`)
    return image.extent.changes
  }
}

const placeIn = (t: TestContext, below = 'data') => new Place(temporaryData(t), below)

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
    const place = await placeIn(t, `${seed}`).start()
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
    await place.end()
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
  const data = temporaryData(t)
  const [place, other] = [new Place(data, 'one'), new Place(data, 'other')]
  for (const one of [place, other]) await one.start()
  await place.put('a', textsOf('a', 300))
  await other.put('a', textsOf('b', 300))
  await place.save()
  await other.save()
  const [name, foreign] = [place.files[0]!, other.files[0]!]
  const early = readFileSync(path.join(place.folder, name))
  await place.end()
  cpSync(path.join(place.directory, DATA_FILES.database), path.join(data.directory, 'copy.db'))
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
  cpSync(path.join(data.directory, 'copy.db'), path.join(place.directory, DATA_FILES.database))
  await place.start()
  assert.equal(await place.check('an older copy of the database beside a newer file'), 300)
  assert.deepEqual(place.files, [])
})

test('builtInStores() write files in the background, keep one per index, and delete those of removed namespaces', async (t) => {
  const place = await placeIn(t).start(AT_ONCE)
  const filesAre = async (isSo: (files: readonly string[]) => boolean) => {
    while (!isSo(place.files)) await setTimeout(5)
  }
  await place.put('a', textsOf('a', 300))
  await place.search()
  await filesAre(([name, more]) => name?.endsWith('.vectors') === true && more === undefined)
  const [first] = place.files
  await place.put('b', textsOf('b', 300))
  await place.search()
  await filesAre(
    ([name, more]) => name !== first && name?.endsWith('.vectors') === true && more === undefined,
  )
  assert.equal(await place.check('after both'), 0)

  writeFileSync(path.join(place.folder, `${place.indexId}-left.vectors.partial`), 'left by a crash')
  const [kept] = place.files.filter((name) => name.endsWith('.vectors'))
  await place.restart(AT_ONCE)
  assert.deepEqual(place.files, [kept])
  await place.search()
  await place.store.drop()
  assert.deepEqual(place.files, [])
})

test('ImageFiles writes no file for an index that is gone', async (t) => {
  const place = await placeIn(t).start()
  await place.put('a', textsOf('a', 100))
  const image = await place.fresh()
  await place.store.drop()
  assert.equal(await image.save(signal), false)
  assert.deepEqual(place.files, [])
})
