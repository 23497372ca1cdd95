import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { runMove } from '../../src/db/move/run-move.ts'
import { openPostgres } from '../../src/db/postgres/database.ts'
import { Connection } from '../../src/db/sqlite/connection.ts'
import { openDatabase } from '../../src/db/sqlite/database.ts'
import { verifyDirectory } from '../../src/db/sqlite/verify.ts'
import { builtInStores } from '../../src/stores/built-in.ts'
import { replicaStores } from '../../src/stores/replica-stores.ts'
import {
  engineWordsSuite,
  foundByWords,
  WORDS_EMBEDDER,
  wordChunks,
  wordOf,
  wordsSource,
} from '../contract/engine-words.ts'
import { temporaryDirectory } from '../support/command-line.ts'
import { newPreparedPostgres, preparedPostgres } from '../support/postgres.ts'
import { publishChunks } from '../support/publish-chunks.ts'
import { needs } from '../support/needs.ts'

await needs('PostgreSQL')

/** How many texts a database in a folder finds by their words. */
function heldIn(folder: string): number {
  const connection = new Connection(path.join(folder, 'sluice.db'), { readOnly: true })
  try {
    return connection.get<{ n: number }>(
      'SELECT coalesce(sum(passages - gone_count), 0) AS n FROM text_segments',
    )!.n
  } finally {
    connection.close()
  }
}

const { address, drop } = await newPreparedPostgres()
const database = await openPostgres(address)
const folder = mkdtempSync(path.join(tmpdir(), 'sluice-words-'))
const stores = replicaStores(database, folder)
after(async () => {
  await stores.close()
  await database.close()
  await drop()
  rmSync(folder, { recursive: true, force: true })
})

let namespaces = 0
// In PostgreSQL there are no words: those of a namespace that is searched by word here are in the replica.
engineWordsSuite('a member over PostgreSQL', () => ({
  stores,
  newNamespace: () => `namespace ${++namespaces}`,
  held: () => heldIn(folder),
}))

test('a move into a directory makes words for all namespaces, and a sweep deletes those that an engine has', async (t) => {
  const from = await preparedPostgres(t)
  const database = await openPostgres(from)
  const replica = temporaryDirectory(t)
  const stores = replicaStores(database, replica)
  const [apart, left] = [wordsSource('apart', true), wordsSource('left', false)]
  await publishChunks(stores.openSeparate('apart', apart), WORDS_EMBEDDER, wordChunks('a', 30))
  await publishChunks(stores.openSeparate('left', left), WORDS_EMBEDDER, wordChunks('b', 7))
  await stores.close()
  await database.close()

  const directory = path.join(temporaryDirectory(t), 'data')
  const request = {
    into: 'directory',
    directory,
    address: from,
    secretKey: undefined,
    restart: false,
  } as const
  await runMove(request, () => {})
  assert.equal(heldIn(directory), 37)
  const here = openDatabase(directory)
  const moved = builtInStores(here)
  const store = moved.openSeparate('apart', apart)
  await store.sweep(() => true)
  assert.equal(heldIn(directory), 7)
  assert.deepEqual(await foundByWords(store, wordOf('a', 7)), [`harbour ${wordOf('a', 7)}`])
  const other = moved.openSeparate('left', left)
  await other.sweep(() => true)
  assert.deepEqual(await foundByWords(other, wordOf('b', 3)), [`harbour ${wordOf('b', 3)}`])
  await moved.close()
  await here.close()
  assert.deepEqual(
    (await verifyDirectory(directory)).flatMap(({ findings }) => findings),
    [],
  )
})
