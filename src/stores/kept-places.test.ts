import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChunkStore } from '../contract/chunk-store.ts'
import type { EnginePlace } from '../contract/engine-place-store.ts'
import type { EngineSource } from '../contract/engine-source.ts'
import { quietLog } from '../kit/log.ts'
import { keptPlaces } from './kept-places.ts'

const HOUR_MS = 3_600_000

const sourceOf = (byRequest: boolean, key = 'the-key-of-it'): EngineSource => ({
  ...{ name: 'scan a', key, recipe: { card: 'chroma', inputs: { chromaURL: 'http://a' }, byRequest } },
  create: () => assert.fail('no engine is needed'),
})

function keeper(fails = false) {
  const state = { now: 1_000_000, fails }
  const kept: EnginePlace[] = []
  const opened: string[] = []
  const store = { open: async (embedder: string) => void opened.push(embedder) } as unknown as ChunkStore
  const open = keptPlaces(() => store, {
    clock: () => state.now,
    log: quietLog,
    places: {
      async keep(place) {
        if (state.fails) throw new Error('the disk is full')
        kept.push(place)
      },
    },
  })
  return { state, kept, opened, open: (source: EngineSource) => open('x', source) }
}

test('keptPlaces() stores how an engine is reached when it is named, and again after an hour', async () => {
  const { state, kept, open } = keeper()
  open(sourceOf(false))
  await open(sourceOf(false)).open('e')
  assert.equal(kept.length, 1)
  assert.deepEqual([kept[0]!.engine, kept[0]!.recipe.card], ['scan a', 'chroma'])
  assert.ok(!JSON.stringify(kept[0]!.place).includes('the-key'), 'the key is not stored')
  await open(sourceOf(false, 'another key')).open('e')
  assert.equal(kept.length, 2)
  state.now += HOUR_MS
  await open(sourceOf(false)).open('e')
  assert.equal(kept.length, 3)
})

test('keptPlaces() stores an address of a request only before an upsert', async () => {
  const { kept, open } = keeper()
  const store = open(sourceOf(true))
  assert.equal(kept.length, 0)
  await store.open('e')
  assert.equal(kept.length, 1)
})

test('keptPlaces() begins no run where it cannot store the place, and tries again', async () => {
  const { state, kept, opened, open } = keeper(true)
  await assert.rejects(open(sourceOf(true)).open('e'), { message: 'the disk is full' })
  assert.deepEqual(opened, [])
  state.fails = false
  await open(sourceOf(true)).open('e')
  assert.deepEqual([kept.length, opened.length], [1, 1])
})
