import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { Connection } from './connection.ts'
import { openDatabase } from './database.ts'

test('a database that was closed with one chunk plans for many at its next open', async (t) => {
  const directory = mkdtempSync(path.join(tmpdir(), 'sluice-statistics-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  const first = openDatabase(directory)
  await first.close()
  const file = path.join(directory, 'sluice.db')
  const raw = new Connection(file)
  raw.exec(`
    INSERT INTO indexes (id, namespace, embedder, created_at) VALUES (1, 'n', 'e', 0);
    INSERT INTO sources (id, index_id, name, updated_at) VALUES (1, 1, 'a', 0);
    INSERT INTO passages (id, index_id, hash, content) VALUES (1, 1, 'h', 'c');
    INSERT INTO chunks (source_id, passage_id, hash, metadata, metadata_hash, born) VALUES (1, 1, 'h', '{}', 'm', 1);
    ANALYZE`)
  raw.close()

  const again = openDatabase(directory)
  t.after(() => again.close())
  assert.equal(again.reader.get<{ n: number }>('SELECT count(*) AS n FROM chunks')!.n, 1)
  const plan = again.reader
    .all<{ detail: string }>(
      'EXPLAIN QUERY PLAN SELECT count(*) FROM sources JOIN chunks ON source_id = sources.id WHERE index_id = ?',
      1,
    )
    .map(({ detail }) => detail)
  assert.ok(
    plan.some((step) => /^SEARCH chunks USING .*INDEX chunks_by_source \(source_id=\?\)/.test(step)),
    plan.join('\n'),
  )
})
