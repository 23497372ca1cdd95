import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import type { Metadata } from '../../src/contract/document.ts'
import { VISIBLE } from '../../src/db/ledger/visible.ts'
import { Connection } from '../../src/db/sqlite/connection.ts'
import { findIndex } from '../support/find-index.ts'
import { type BlockRule, keepValues } from '../../src/db/sqlite/value-blocks.ts'
import { MetadataImage } from '../../src/stores/built-in/metadata-image.ts'
import type { Filter } from '../../src/contract/filter.ts'
import { builtInStores } from '../../src/stores/built-in.ts'
import { parseFilter } from '../../src/vector/filter.ts'
import { matches, metadataValueAt } from '../../src/vector/matches.ts'
import { pathsOf } from '../../src/vector/metadata-columns.ts'
import { ImagePlace } from '../support/image-place.ts'
import { hashVector } from '../support/hash-embedder.ts'
import { publishChunks } from '../support/publish-chunks.ts'
import { randomBelow } from '../support/random.ts'
import { until } from '../support/until.ts'

function placeIn(t: TestContext): ImagePlace {
  const place = new ImagePlace(mkdtempSync(path.join(tmpdir(), 'sluice-values-')))
  t.after(async () => {
    await place.end()
    rmSync(place.directory, { recursive: true, force: true })
  })
  return place
}

/** Small blocks, so that few chunks fill many. */
const RULE: BlockRule = { chunks: 40, span: 90, least: 20, leastNew: 20 }

const keepAll = async ({ database, indexId }: ImagePlace, rule = RULE) => {
  while (await database.write(keepValues, { indexId, rule }));
}

const FILTERS = [
  { group: 3 },
  { group: { $ne: 3 } },
  { 'loc.page': { $gte: 2 } },
  { 'loc.page': { $exists: false } },
  { 'a.b': 1 },
  { tags: { $contains: 'red' } },
  { nowhere: { $exists: true } },
  { $or: [{ number: { $lt: 3 } }, { version: 2 }] },
].map((raw) => parseFilter(raw))

/** No block has the values of one. */
const WITH_LONG = [...FILTERS, parseFilter({ $and: [{ long: { $exists: true } }, { group: 2 }] })]

const metadataOf =
  (version: number) =>
  (at: number): string =>
    JSON.stringify({
      ...(at % 5 === 4 ? {} : { group: at % 7 === 0 ? '3' : at % 6 }),
      ...(at % 2 === 0 ? { loc: { page: at % 4 } } : {}),
      ...(at % 6 === 0 ? { 'a.b': 1 } : at % 6 === 1 ? { a: { b: 1 } } : {}),
      ...(at % 4 === 0 ? { tags: ['red', at] } : {}),
      ...(at % 50 === 0 ? { long: `${at} ${'x'.repeat(9000)}` } : {}),
      ...{ number: at, version },
    })

/** Compares what a new process finds by each filter with the rows of the database. Returns how many chunks it read one by one. */
async function check({ database, indexId }: ImagePlace, why: string): Promise<MetadataImage> {
  const image = new MetadataImage(database.reader, indexId, FILTERS.flatMap(pathsOf))
  await image.follow()
  const within = { connection: database.reader, indexId }
  compare(image, within, why)
  const long = new MetadataImage(database.reader, indexId, WITH_LONG.flatMap(pathsOf))
  await long.follow()
  compare(long, within, `${why}, with long values`, WITH_LONG)
  return image
}

function compare(
  image: MetadataImage,
  { connection, indexId }: { connection: Connection; indexId: number },
  why: string,
  filters = FILTERS,
): void {
  const chunks = connection
    .all<{ passage: number; metadata: string }>(
      `SELECT passage_id AS passage, metadata FROM chunks JOIN sources ON sources.id = source_id
       WHERE index_id = ? AND ${VISIBLE}`,
      indexId,
    )
    .map(({ passage, metadata }) => ({ passage, metadata: JSON.parse(metadata) as Metadata }))
  for (const filter of filters) {
    const met = chunks.filter(({ metadata }) => matches(filter, metadata)).map(({ passage }) => passage)
    const label = `${why}: ${JSON.stringify(filter)}`
    assert.deepEqual([...image.allowed(filter)].sort(order), [...new Set(met)].sort(order), label)
    const absent = pathsOf(filter)
      .filter((one) => chunks.every(({ metadata }) => metadataValueAt(metadata, one) === undefined))
      .map((one) => one.join('.'))
    assert.deepEqual(image.absent(filter), absent, label)
  }
}

const order = (one: number, other: number) => one - other
const textsOf = (name: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${name} has ${at} herons`)

test('MetadataImage from blocks is that of the database after any upserts, changes of metadata, removals, restores and crashes [search:stored-values]', async (t) => {
  for (const seed of [2, 71, 828]) {
    const place = await placeIn(t).start()
    const random = randomBelow(seed)
    await place.put('s0', textsOf('s0', 300), true, metadataOf(0))
    let fewest = Infinity
    for (let round = 0; round < 30; round++) {
      const source = `s${random(5)}`
      // Ids of chunks of another namespace lie between.
      await publishChunks(builtInStores(place.database).open('other'), 'test', [
        { source, text: `other ${round}`, metadata: { group: 3 }, vector: hashVector(`${round}`) },
      ])
      const what = random(9)
      if (what === 0) await keepAll(place)
      else if (what === 1) await place.restart()
      else if (what === 2) await place.store.remove({ sources: [source] })
      else if (what === 3) await place.store.remove({ sources: [source], restorableUntil: Date.now() + 1e9 })
      else if (what === 4) await place.store.restore([source], Date.now())
      else {
        // The same texts in several sources and with other metadata, so that passages keep some of their chunks.
        const texts = textsOf(`t${random(4)}`, 20 + random(120))
        await place.put(source, texts, what !== 5, metadataOf(random(3)))
      }
      if (findIndex(place.database.reader, 'n')?.chunks === 0)
        await place.put(source, textsOf('again', 9), true, metadataOf(1))
      const image = await check(place, `seed ${seed}, round ${round}, step ${what}`)
      fewest = Math.min(fewest, image.readByChunk)
    }
    assert.ok(fewest < 100, `${fewest} chunks were read one by one`)
  }
})

test('MetadataImage follows publications from blocks that were made meanwhile, and from a run that was abandoned [search:stored-values]', async (t) => {
  const place = await placeIn(t).start()
  await place.put('a', textsOf('a', 200), true, metadataOf(0))
  await keepAll(place)
  const image = await check(place, 'at first')
  const run = await place.store.open('test')
  const text = 'left by an abandoned run'
  await run.stage(
    [{ source: 'x', hash: 'h', text, metadata: metadataOf(9)(0), metadataHash: 'm' }],
    hashVector(text),
    hashVector(text).length,
  )
  await keepAll(place, { ...RULE, leastNew: 1 })
  const within = { connection: place.database.reader, indexId: place.indexId }
  await image.follow()
  compare(image, within, 'with an open run')
  await check(place, 'loaded with an open run')
  await run.abandon()
  await check(place, 'loaded with an abandoned run')
  await place.put('b', textsOf('b', 100), true, metadataOf(1))
  // A sweep waits for the images of the server alone.
  await place.store.remove({ sources: ['a'], restorableUntil: Date.now() + 1e9 })
  await keepAll(place)
  await image.follow()
  compare(image, within, 'after a removal')
  await check(place, 'loaded after a removal')
})

test('a damaged or lost block changes no answer, and is made again [search:stored-values]', async (t) => {
  const place = await placeIn(t).start()
  await place.put('a', textsOf('a', 400), true, metadataOf(0))
  const damages = {
    'a changed column': `UPDATE value_columns SET content = CAST(replace(content, '3', '4') AS BLOB) WHERE name = 'group'`,
    'a column that is gone': `DELETE FROM value_columns WHERE name = 'version'`,
    'changed ids':
      'UPDATE value_blocks SET chunks = zeroblob(length(chunks)) WHERE id = (SELECT max(id) FROM value_blocks)',
    'ids that were cut': 'UPDATE value_blocks SET chunks = zeroblob(7)',
    'a wrong range':
      'UPDATE value_blocks SET last_chunk = last_chunk + 5 WHERE id = (SELECT min(id) FROM value_blocks)',
    'names that are gone': `UPDATE value_blocks SET names = '[]'`,
    'bits of removed chunks': `UPDATE value_blocks SET gone = x'ff'`,
    'a block that is gone': 'DELETE FROM value_blocks WHERE id = (SELECT 1 + min(id) FROM value_blocks)',
  }
  for (const [damage, sql] of Object.entries(damages)) {
    await keepAll(place)
    assert.equal((await check(place, 'sound')).isDamaged, false)
    await place.end()
    const connection = new Connection(place.database.file)
    connection.exec(sql)
    connection.close()
    await place.start()
    assert.equal((await check(place, damage)).isDamaged, true, damage)
    // The blocks are made anew by the first filter of a server.
    const filter: Filter = { op: 'or', all: FILTERS }
    await place.store.search({ vector: hashVector('x'), limit: 1, filter })
    await until(() => blocksOf(place) === 0)
  }
  // A sweep over damaged blocks removes what it has to.
  await keepAll(place)
  await place.end()
  const connection = new Connection(place.database.file)
  connection.exec('UPDATE value_blocks SET chunks = zeroblob(9)')
  connection.close()
  await place.start()
  await place.put('b', textsOf('b', 10), true, metadataOf(0))
  await place.store.remove({ sources: ['a'] })
  await check(place, 'after a sweep')
})

const blocksOf = ({ database, indexId }: ImagePlace): number =>
  database.reader.get<{ n: number }>('SELECT count(*) AS n FROM value_blocks WHERE index_id = ?', indexId)!.n

test('the first filter on any field, also on one that no chunk has, reads few chunks one by one after an upsert [search:stored-values]', async (t) => {
  const place = await placeIn(t).start()
  await place.put('a', textsOf('a', 9000), true, metadataOf(0))
  assert.ok((await check(place, 'after an upsert')).readByChunk < 4096)
  for (const raw of [{ group: 3 }, { 'loc.page': 1 }, { nowhere: 1 }]) {
    const image = new MetadataImage(place.database.reader, place.indexId, pathsOf(parseFilter(raw)))
    await image.follow()
    assert.ok(image.readByChunk < 4096, JSON.stringify(raw))
  }
  assert.deepEqual(await place.store.absentFields(parseFilter({ nowhere: 1, group: 3 })), ['nowhere'])
  await place.store.drop()
  assert.equal(place.database.reader.get<{ n: number }>('SELECT count(*) AS n FROM value_blocks')!.n, 0)
  assert.equal(place.database.reader.get<{ n: number }>('SELECT count(*) AS n FROM value_columns')!.n, 0)
})

test('an index of an earlier version gets blocks with its first filter [search:stored-values]', async (t) => {
  const place = await placeIn(t).start()
  await place.put('a', textsOf('a', 9000), true, metadataOf(0))
  await place.end()
  const connection = new Connection(place.database.file)
  connection.exec('DELETE FROM value_columns; DELETE FROM value_blocks; UPDATE indexes SET valued_to = 0')
  connection.close()
  await place.start()
  const image = await check(place, 'as it was')
  assert.deepEqual([image.readByChunk, image.isDamaged], [9000, false])
  await place.store.search({ vector: hashVector('x'), limit: 1, filter: FILTERS[0]! })
  await until(() => blocksOf(place) === 2)
  assert.ok((await check(place, 'from blocks')).readByChunk < 4096)
})
