import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { Ledger } from '../contract/ledger.ts'
import type { SeparateEngine } from '../contract/vector-engine.ts'
import { SluiceError } from '../kit/errors.ts'
import { scanEngine } from '../../test/support/scan-engine.ts'
import { engineReadiness } from './engine-readiness.ts'

/** A dependency over namespaces whose collections have these faults, by a clock that the test moves. */
function looking(faults: Record<string, string | undefined>, { lookMs = 0 } = {}) {
  const clock = { ms: 0 }
  const asked: string[] = []
  const engine: SeparateEngine = {
    ...scanEngine(':memory:'),
    async fault(collection) {
      asked.push(collection)
      clock.ms += lookMs
      return faults[collection]
    },
  }
  const ledger: Pick<Ledger, 'contents' | 'find'> = {
    contents: async () => new Map(Object.keys(faults).map((name) => [name, { chunks: 1, sources: 1 }])),
    find: async (namespace) => ({
      ...{ namespace, collection: namespace, embedder: 'e', engine: engine.name },
      ...{ dimensions: 3, chunks: 1 },
    }),
  }
  const options = { isUsed: () => true, engineOf: () => engine, now: () => clock.ms }
  const dependency = engineReadiness(ledger, options)
  return {
    clock,
    asked,
    /** What a probe is told, and what the look that it began has found. */
    async check() {
      const told = await dependency.check()
      await setImmediate()
      return told
    },
  }
}

test('engineReadiness() tells what the last look has found, and looks again after 15 seconds [engines:lost]', async () => {
  const faults: Record<string, string | undefined> = { a: undefined, b: 'the index b is missing' }
  const { clock, asked, check } = looking(faults)
  assert.equal(await check(), 'checking')
  const failure = await check()
  assert.ok(failure instanceof SluiceError)
  assert.equal(failure.code, 'collection_unusable')
  assert.deepEqual(asked, ['a', 'b'])
  faults.b = undefined
  clock.ms = 15_000
  await check()
  assert.equal(await check(), undefined)
  assert.deepEqual(asked, ['a', 'b', 'a', 'b'])
})

test('engineReadiness() asks engines of many collections less often: a look takes a twentieth of the time at most', async () => {
  const { clock, asked, check } = looking({ a: undefined, b: undefined }, { lookMs: 1000 })
  await check()
  clock.ms = 2000 + 39_999
  await check()
  assert.equal(asked.length, 2)
  clock.ms = 2000 + 40_000
  await check()
  assert.equal(asked.length, 4)
})

test('engineReadiness() looks again soon after a look that has waited for a silent engine [engines:waits]', async () => {
  const faults: Record<string, string | undefined> = { a: 'it is silent' }
  const { clock, check } = looking(faults, { lookMs: 60_000 })
  await check()
  assert.ok((await check()) instanceof SluiceError)
  faults.a = undefined
  clock.ms += 60_000
  await check()
  assert.equal(await check(), undefined)
})
