import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openPostgres } from '../../src/db/postgres/database.ts'
import { postgresLedger } from '../../src/db/postgres/ledger.ts'
import { assertOneIndex, explainedDatabase } from '../support/explained-database.ts'
import { administer, postgresServer } from '../support/postgres.ts'
import { ledgerSuites } from './ledger-suites.ts'
import { needs } from '../support/needs.ts'
import { ENGINE, idsOf, newChunk, publication } from './ledger-parts.ts'

await needs('PostgreSQL')

const server = await postgresServer()
await administer(server, 'CREATE DATABASE ledger')
const database = await openPostgres(server.address('ledger'))
after(() => database.close())
const ledger = postgresLedger(database)
let made = 0

ledgerSuites('the ledger in PostgreSQL', () => ({
  ledger,
  namespace: `namespace ${made++}`,
  other: `namespace ${made++}`,
}))

/** What looks at all namespaces, or at two: a rebuild asks for the texts of the old index that the new one does not have. */
const LOOKS_AT_ALL =
  /SELECT namespace FROM indexes WHERE state = 'live' AND|AS unswept|^SELECT content FROM .* WHERE id = \?\s+AND NOT EXISTS/

const single: string[] = []
const splitLedger = postgresLedger(
  explainedDatabase(database, (statement) => {
    if (LOOKS_AT_ALL.test(statement.sql)) return
    assertOneIndex(statement)
    single.push(statement.sql)
  }),
  Date.now,
  undefined,
  { ownTables: { from: 1, most: 1000 } },
)

// From its second load on each namespace has tables of its own. That the first would make some too is not what these suites ask.
ledgerSuites('the ledger in PostgreSQL with tables of large namespaces', () => ({
  ledger: { ...splitLedger, unswept: ledger.unswept, sweeper: ledger.sweeper },
  namespace: `split namespace ${made++}`,
  other: `split namespace ${made++}`,
}))

test('no statement of these suites reads tables of two namespaces', async () => {
  const own = await database.reader.all('SELECT 1 FROM indexes WHERE has_tables')
  assert.ok(own.length > 1)
  assert.ok(single.length > 100)
})

test('the ledger in PostgreSQL sweeps nothing while a run is open, of any server: the run may use a text that no other chunk has', async () => {
  const request = { namespace: 'open run', embedder: 'e', engine: ENGINE }
  const text = 'one'
  const { text: _, ...chunk } = newChunk('a', text)
  const first = await ledger.open(request)
  await first.stage([{ ...chunk, text }], 2)
  await first.publish(publication(1))
  const removal = await ledger.open(request)
  const removedChunkIds = await idsOf(ledger, request.namespace, 'a')
  await removal.publish(publication(0, { removedChunkIds }))
  const run = await ledger.open(request)
  assert.equal((await run.known('a', [chunk.hash]))[0]!.embedded, true)
  const sweeper = (await ledger.sweeper(request.namespace))!
  await sweeper.sweep(async () => assert.fail('a point is gone'))
  // Its text is there: the index knows it.
  await run.stage([chunk], 2)
  await run.publish(publication(1))
  const found = await ledger.read(run.index.collection, [chunk.pointId], {})
  assert.equal(found?.documents.get(chunk.pointId)?.pageContent, text)
  const gone: string[] = []
  await sweeper.sweep(async (ids) => void gone.push(...ids))
  assert.deepEqual(gone, [])
  assert.equal((await ledger.invisible()).get(request.namespace), undefined)
})
