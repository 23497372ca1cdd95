import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import { fingerprint } from '../../kit/hash.ts'
import { Connection } from './connection.ts'
import { migrate } from './migrations.ts'
import { passageHashes } from './passage-hashes.ts'

const INDEX = 1

function openHashes(t: TestContext): Connection {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-hashes-'))
  const file = path.join(folder, 'hashes.db')
  const connection = new Connection(file)
  migrate(connection, file)
  connection.exec(
    "INSERT INTO indexes (id, namespace, embedder, created_at) VALUES (1, 'a', 'e', 1), (2, 'b', 'e', 1)",
  )
  t.after(() => {
    connection.close()
    rmSync(folder, { recursive: true })
  })
  return connection
}

/** Adds passages with these ids as one write does, in batches. */
function addAll(connection: Connection, ids: readonly number[], batch: number): void {
  for (let from = 0; from < ids.length; from += batch)
    connection.transaction(() => {
      const hashes = passageHashes(connection, INDEX)
      const added = ids.slice(from, from + batch)
      for (const id of added) assert.ok(hashes.add(fingerprint(`${id}`), id))
      hashes.tend(added[0]!, added.at(-1)! + 1)
    })
}

const idsFrom = (first: number, count: number) => Array.from({ length: count }, (_, at) => first + at)

const levelsOf = (connection: Connection) =>
  connection
    .all<{ n: number }>('SELECT count(*) AS n FROM passage_hashes GROUP BY index_id, level')
    .map(({ n }) => n)

test('passageHashes() finds every passage and refuses its hash again, in whichever level it is', (t) => {
  const connection = openHashes(t)
  const ids = idsFrom(1, 50_000)
  addAll(connection, ids, 1000)
  const [first, second] = levelsOf(connection)
  assert.ok(first! > 0 && second! > 0, 'both levels have hashes')
  const hashes = passageHashes(connection, INDEX)
  for (const id of ids) {
    assert.equal(hashes.find(fingerprint(`${id}`)), id)
    assert.equal(hashes.add(fingerprint(`${id}`), 999_999), false)
  }
  assert.equal(hashes.find(fingerprint('another')), undefined)
  assert.equal(passageHashes(connection, 2).find(fingerprint('1')), undefined)
})

test('passageHashes() keeps level 0 small, for batches of any size, and moves slices of level 1 on', (t) => {
  const connection = openHashes(t)
  for (const [first, batch] of [
    [1, 700],
    [60_001, 4096],
    [120_001, 1],
  ] as const)
    addAll(connection, idsFrom(first, batch === 1 ? 1100 : 42_000), batch)
  assert.ok(levelsOf(connection)[0]! <= 40_000, `${levelsOf(connection)[0]}`)
  // Every hash of one slice of level 1: it moves on when its block is added.
  connection.exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2048)
    INSERT INTO passage_hashes SELECT 1, 1, '-' || char(45) || printf('%020d', i), 5000000 + i FROM n`)
  connection.transaction(() => passageHashes(connection, INDEX).tend(512 * 1024, 512 * 1024 + 1))
  assert.equal(levelsOf(connection).length, 3)
  assert.equal(passageHashes(connection, INDEX).find(`--${'7'.padStart(20, '0')}`), 5_000_007)
})

test('a passage that is deleted has no hash any more', (t) => {
  const connection = openHashes(t)
  connection.exec(`INSERT INTO passages (id, index_id, hash, content) VALUES (1, 1, 'h', 'text'), (2, 1, 'i', 'text');
    INSERT INTO passage_hashes VALUES (1, 0, 'h', 1), (1, 2, 'i', 2);
    DELETE FROM passages WHERE id = 2`)
  const hashes = passageHashes(connection, INDEX)
  assert.equal(hashes.find('h'), 1)
  assert.equal(hashes.find('i'), undefined)
  assert.equal(hashes.add('i', 3), true)
})
