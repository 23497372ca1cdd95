import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SeparateEngine } from '../contract/vector-engine.ts'
import { publishChunks } from '../../test/support/publish-chunks.ts'
import { hashVector } from '../../test/support/hash-embedder.ts'
import { scanEngine } from '../../test/support/scan-engine.ts'
import { temporaryData } from '../../test/support/store.ts'
import { builtInStores } from './built-in.ts'
import { removedOf } from './removed-points.ts'

/** An engine that notes the calls about collections of removed points. */
function notedEngine() {
  const asked: string[] = []
  const engine = scanEngine(':memory:', { keywords: false })
  const noted = new Proxy(engine, {
    get(target, name: keyof SeparateEngine) {
      const method = target[name]
      if (typeof method !== 'function') return method
      return (collection: string, ...rest: unknown[]) => {
        if (collection.endsWith(removedOf(''))) asked.push(name)
        return (method as (...all: unknown[]) => unknown).call(target, collection, ...rest)
      }
    },
    // Wrappers copy the methods.
    ownKeys: (target) => Reflect.ownKeys(target),
  })
  const methods = Object.fromEntries(
    Object.keys(engine).map((name) => [name, noted[name as keyof SeparateEngine]]),
  ) as SeparateEngine
  return { engine: methods, asked }
}

const chunksOf = (source: string, ...texts: string[]) =>
  texts.map((text) => ({ source, text, metadata: {}, vector: hashVector(text) }))

test('an engine is asked for its collection of removed points only where there is one, and loses it when nothing can be restored', async (t) => {
  const data = temporaryData(t)
  const { engine, asked } = notedEngine()
  const open = () =>
    builtInStores(data.open()).openSeparate('x', { name: 'scan a', key: '', create: () => engine })
  const store = open()
  await publishChunks(store, 'e', [...chunksOf('kept', 'one'), ...chunksOf('other', 'two', 'three')])
  await store.remove({ source: 'other' })
  await open().sweep(() => true)
  assert.equal(asked.join(), '', 'nothing was removed that can be restored')

  await publishChunks(store, 'e', chunksOf('soon', 'four', 'five'))
  const until = Date.now() + 100_000
  await store.remove({ source: 'soon', restorableUntil: until })
  assert.ok(asked.includes('upsert'), asked.join())
  asked.length = 0
  // Another process still knows of it.
  assert.equal((await open().restore(['soon'], Date.now())).chunks, 2)
  assert.ok(asked.includes('vectors'), asked.join())
  await open().sweep(() => true)
  assert.ok(asked.includes('drop'), asked.join())
  asked.length = 0
  await open().sweep(() => true)
  assert.equal(asked.join(), '')
})
