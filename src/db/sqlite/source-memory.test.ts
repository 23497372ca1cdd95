import assert from 'node:assert/strict'
import { test } from 'node:test'
import { temporaryDatabase } from '../../../test/support/store.ts'
import { fingerprint } from '../../kit/hash.ts'
import { openRun } from '../ledger/indexes.ts'
import { indexTexts } from './index-texts.ts'
import { SourceMemory } from './source-memory.ts'
import { stageChunks } from './run-writes.ts'

test('SourceMemory of a run knows without a query that an index lacks a text, until the run has staged it', async (t) => {
  const database = temporaryDatabase(t)
  const { index, run } = await database.sql.write(openRun, {
    ...{ namespace: 'n', embedder: 'none', engine: 'built-in', now: 1 },
  })
  const [mine, other] = [fingerprint('mine'), fingerprint('other')]
  const texts = indexTexts(database.reader, index.id)
  const memory = new SourceMemory(database.reader, index.id, texts)
  assert.deepEqual(memory.recall('a', mine), { embedded: false, chunks: [] })
  assert.equal(texts.note(mine), true)
  memory.noteStaged('a', mine)
  // Undefined: it must be read.
  assert.equal(memory.recall('a', mine), undefined)
  assert.equal(memory.recall('b', mine), undefined)
  assert.deepEqual(memory.recall('a', other), { embedded: false, chunks: [] })

  const text = { source: 'a', hash: mine, metadata: '{}', metadataHash: 'm', text: 'mine' }
  await database.write(stageChunks, {
    ...{ indexId: index.id, run, chunks: [text], now: 1 },
    ...{ dimensions: 1, vectors: new Float32Array(1) },
  })
  const next = new SourceMemory(database.reader, index.id, indexTexts(database.reader, index.id))
  assert.equal(next.recall('b', mine), undefined)
  assert.deepEqual(next.recall('b', other), { embedded: false, chunks: [] })

  // Without a run, others may stage texts at any time.
  assert.equal(new SourceMemory(database.reader, index.id).recall('b', other), undefined)
})
