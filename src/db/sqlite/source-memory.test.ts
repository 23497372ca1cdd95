import assert from 'node:assert/strict'
import { test } from 'node:test'
import { temporaryDatabase } from '../../../test/support/store.ts'
import { fingerprint } from '../../kit/hash.ts'
import { openRun } from './indexes.ts'
import { SourceMemory } from './source-memory.ts'
import { stageChunks } from './stage.ts'

test('SourceMemory of a run knows without a query that a small index lacks a text, until the run has staged it', async (t) => {
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

  const chunks = Array.from({ length: 1001 }, (_, at) => {
    const text = at === 0 ? 'mine' : `text ${at}`
    return { source: 'a', hash: fingerprint(text), metadata: '{}', metadataHash: 'm', text }
  })
  const stage = (some: typeof chunks) =>
    database.write(stageChunks, {
      ...{ indexId: index.id, run, chunks: some, now: 1 },
      ...{ dimensions: 1, vectors: new Float32Array(some.length) },
    })
  await stage(chunks.slice(0, 1000))
  const next = new SourceMemory(database.reader, index.id, true)
  for (const { hash } of chunks.slice(0, 1000)) assert.equal(next.recall('b', hash), undefined)
  assert.deepEqual(next.recall('b', other), { embedded: false, chunks: [] })

  // Without a run, others may stage texts at any time.
  assert.equal(new SourceMemory(database.reader, index.id).recall('b', other), undefined)
  await stage(chunks.slice(1000))
  assert.equal(new SourceMemory(database.reader, index.id, true).recall('b', other), undefined)
})
