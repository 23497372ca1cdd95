import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedStores } from '../../../test/support/store.ts'
import type { ChunkStore } from '../../contract/chunk-store.ts'
import { fingerprint } from '../../kit/hash.ts'

const { stores, newNamespace } = sharedStores()
const EMBEDDER = 'compass'

/** Publishes the texts of a source; its other chunks are removed. */
async function publish(store: ChunkStore, source: string, texts: readonly string[]): Promise<void> {
  const run = await store.open(EMBEDDER)
  const known: number[] = []
  for await (const ids of run.visible(source)) known.push(...ids)
  const chunks = texts.map((text, at) => ({
    source,
    text,
    hash: fingerprint(text),
    metadata: '{}',
    metadataHash: fingerprint('{}'),
    range: { start: at * 1000, end: at * 1000 + text.length },
  }))
  await run.stage(chunks, Float32Array.from(texts.flatMap(() => [1, 0])), 2)
  await run.publish({
    stagedCount: chunks.length,
    removedChunkIds: known,
    files: [],
    updatedSources: [],
    invalidatedFiles: [],
  })
  await run.sweep()
}

async function headOf(store: ChunkStore, text: string): Promise<string | undefined> {
  const request = { vector: Float32Array.of(1, 0), text, limit: 10, withHeads: 10 }
  const { ranked } = await store.searchRanked!(request, { mode: 'keyword', fusion: 'convex', weight: 0.5 })
  return ranked.find(({ candidate }) => candidate.pageContent === text)!.candidate.head
}

test('SourceHeads gives the beginning of a source, and follows each publication', async () => {
  const store = stores.open(newNamespace())
  const long = `${'heron '.repeat(20)}end`
  await publish(store, 'a', [long, 'otter'])
  await publish(store, 'b', ['badger'])
  assert.equal(await headOf(store, 'otter'), 'heron '.repeat(13).trimEnd())
  assert.equal(await headOf(store, 'badger'), 'badger')

  await publish(store, 'a', ['a beaver', 'otter', 'mole'])
  for (const text of ['otter', 'mole']) assert.equal(await headOf(store, text), 'a beaver')
})

test('SourceHeads gives the oldest passage of a source with very many chunks', async () => {
  const store = stores.open(newNamespace())
  const texts = Array.from({ length: 2000 }, (_, at) => `word${at}`)
  await publish(store, 'long', texts)
  assert.equal(await headOf(store, 'word1234'), 'word0')
})
