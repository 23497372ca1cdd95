import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyDirectory } from '../../src/db/sqlite/verify.ts'
import type { Database } from '../../src/db/sqlite/database.ts'
import { sqliteLedger } from '../../src/db/sqlite/ledger.ts'
import { builtInStores } from '../../src/stores/built-in.ts'
import { publishChunks } from '../support/publish-chunks.ts'
import { sharedStores, temporaryData } from '../support/store.ts'
import { idsOf, newChunk, publication } from './ledger-parts.ts'
import {
  engineWordsSuite,
  foundByWords,
  WORDS_EMBEDDER,
  wordChunks,
  wordOf,
  wordsSource,
} from './engine-words.ts'

const heldBy = ({ reader }: Database): number =>
  reader.get<{ n: number }>('SELECT coalesce(sum(passages - gone_count), 0) AS n FROM text_segments')!.n

const { database, stores, newNamespace } = sharedStores()
engineWordsSuite('a server with SQLite', () => ({ stores, newNamespace, held: () => heldBy(database) }))

/** The rows of all tables that only words need. */
const rowsOfWords = ({ reader }: Database): number[] =>
  ['text_segments', 'text_segment_bodies', 'text_pages', 'text_leftovers'].map(
    (table) => reader.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)!.n,
  )

test('words that an earlier version has stored are deleted by the next sweep, step by step', async (t) => {
  const { directory, open } = temporaryData(t)
  const database = open()
  const stores = builtInStores(database)
  const source = wordsSource('words', true)
  const store = stores.openSeparate('space', source)
  await publishChunks(store, WORDS_EMBEDDER, wordChunks('a', 30))
  // As an earlier version wrote it: the ledger is not told that the engine searches words.
  const ledger = sqliteLedger(database)
  const run = await ledger.open({ namespace: 'space', embedder: WORDS_EMBEDDER, engine: 'words' })
  const older = Array.from({ length: 5000 }, (_, n) => newChunk('old', `quay ${n}`))
  for (let from = 0; from < older.length; from += 500) await run.stage(older.slice(from, from + 500), 8)
  await run.publish(publication(older.length))
  assert.equal(heldBy(database), 5000)

  const sweeper = (await ledger.sweeper('space', true))!
  assert.equal(
    await sweeper.sweep(
      async () => {},
      () => false,
    ),
    false,
  )
  assert.ok(rowsOfWords(database).some((rows) => rows > 0))
  // A removal among passages with words, and one among those without.
  const removed = (await idsOf(ledger, 'space', 'old')).slice(10)
  await (
    await ledger.open({ namespace: 'space', embedder: WORDS_EMBEDDER, engine: 'words', engineWords: true })
  ).publish(publication(0, { removedChunkIds: removed }))
  await store.sweep(() => true)
  assert.deepEqual(rowsOfWords(database), [0, 0, 0, 0])
  assert.equal((await ledger.find('space'))!.chunks, 40)
  assert.deepEqual(await foundByWords(store, wordOf('a', 7)), [`harbour ${wordOf('a', 7)}`])
  const again = await ledger.view(await ledger.find('space')).known('old', [newChunk('old', 'quay 3').hash])
  assert.equal(again[0]!.embedded, true)
  await stores.close()
  await database.close()
  const findings = (await verifyDirectory(directory)).flatMap(({ findings }) => findings)
  assert.deepEqual(findings, [])
})
