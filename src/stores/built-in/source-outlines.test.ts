import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedStores } from '../../../test/support/store.ts'
import type { ChunkStore } from '../../contract/chunk-store.ts'
import type { SourceOutline } from '../../contract/search.ts'
import { fingerprint } from '../../kit/hash.ts'

const { stores, newNamespace } = sharedStores()
const EMBEDDER = 'compass'

/** Publishes texts of a source, each with the vector of an angle in degrees; other chunks of it are removed. */
async function publish(store: ChunkStore, source: string, texts: Record<string, number>): Promise<void> {
  const run = await store.open(EMBEDDER)
  const known: number[] = []
  for await (const ids of run.visible(source)) known.push(...ids)
  const chunks = Object.keys(texts).map((text, at) => ({
    source,
    text,
    hash: fingerprint(text),
    metadata: '{}',
    metadataHash: fingerprint('{}'),
    range: { start: at * 1000, end: at * 1000 + text.length },
  }))
  await run.stage(chunks, Float32Array.from(Object.values(texts).flatMap(direction)), 2)
  await run.publish({
    stagedCount: chunks.length,
    removedChunkIds: known,
    files: [],
    updatedSources: [],
    invalidatedFiles: [],
  })
  await run.sweep()
}

const direction = (angle: number) => [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)]

async function outlineOf(store: ChunkStore, text: string): Promise<SourceOutline | undefined> {
  const request = { vector: Float32Array.of(1, 0), text, limit: 10, outlined: 10 }
  const { ranked } = await store.searchRanked!(request, { mode: 'keyword', fusion: 'convex', weight: 0.5 })
  return ranked.find(({ candidate }) => candidate.pageContent === text)!.candidate.outline
}

function assertAngle({ direction: [x, y] }: SourceOutline, angle: number): void {
  const [wantedX, wantedY] = direction(angle)
  assert.ok(Math.abs(x! - wantedX!) < 1e-6 && Math.abs(y! - wantedY!) < 1e-6, `${x}, ${y}`)
}

test('SourceOutlines gives the beginning of a source and the mean direction of its chunks, and follows each publication', async () => {
  const store = stores.open(newNamespace())
  const long = `${'heron '.repeat(20)}end`
  await publish(store, 'a', { [long]: 0, otter: 90 })
  await publish(store, 'b', { badger: 180 })
  const first = (await outlineOf(store, 'otter'))!
  assert.equal(first.head, 'heron '.repeat(13).trimEnd())
  assertAngle(first, 45)
  assertAngle((await outlineOf(store, 'badger'))!, 180)

  await publish(store, 'a', { 'a beaver': 180, mole: 90 })
  const second = (await outlineOf(store, 'mole'))!
  assert.equal(second.head, 'a beaver')
  assertAngle(second, 135)
})

test('SourceOutlines reads a part of a source with very many chunks, from all over it', async () => {
  const store = stores.open(newNamespace())
  const texts = Array.from({ length: 2000 }, (_, at) => [`word${at}`, (at / 2000) * 90] as const)
  await publish(store, 'long', Object.fromEntries(texts))
  const outline = (await outlineOf(store, 'word1234'))!
  const [x, y] = outline.direction
  const angle = (Math.atan2(y!, x!) * 180) / Math.PI
  assert.ok(Math.abs(angle - 45) < 3, `${angle}`)
})
