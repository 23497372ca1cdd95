import assert from 'node:assert/strict'
import { test } from 'node:test'
import { temporaryDatabase } from '../../../test/support/store.ts'
import { fingerprint } from '../../kit/hash.ts'
import { openRun } from './indexes.ts'
import { SourceMemory } from './source-memory.ts'
import { stageChunks } from './stage.ts'

test('SourceMemory of a run knows without a query that an empty index lacks a text, until the run has staged it', async (t) => {
  const database = temporaryDatabase(t)
  const { index, run } = await database.write(openRun, {
    ...{ namespace: 'n', embedder: 'none', engine: 'built-in', now: 1 },
  })
  const [mine, other] = [fingerprint('mine'), fingerprint('other')]
  const memory = new SourceMemory(database.reader, index.id, true)
  assert.deepEqual(memory.recall('a', mine), { embedded: false, chunks: [] })
  memory.noteStaged('a', mine)
  // Undefined: it must be read.
  assert.equal(memory.recall('a', mine), undefined)
  assert.equal(memory.recall('b', mine), undefined)
  assert.deepEqual(memory.recall('a', other), { embedded: false, chunks: [] })

  const chunk = { source: 'a', hash: mine, metadata: '{}', metadataHash: 'm', text: 'mine' }
  await database.write(stageChunks, {
    ...{ indexId: index.id, run, chunks: [chunk], dimensions: 1, vectors: Float32Array.of(1), now: 1 },
  })
  // A crash or an earlier run may have left texts.
  assert.equal(new SourceMemory(database.reader, index.id, true).recall('a', other), undefined)
  // Without a run, others may stage texts at any time.
  const { index: empty } = await database.write(openRun, {
    ...{ namespace: 'empty', embedder: 'none', engine: 'built-in', now: 1 },
  })
  assert.equal(new SourceMemory(database.reader, empty.id).recall('a', other), undefined)
})
