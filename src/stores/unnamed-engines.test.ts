import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { EngineReach } from '../contract/chunk-store.ts'
import type { EngineSource } from '../contract/engine-source.ts'
import type { SeparateEngine } from '../contract/vector-engine.ts'
import { SluiceError } from '../kit/errors.ts'
import { publishChunks } from '../../test/support/publish-chunks.ts'
import { hashVector } from '../../test/support/hash-embedder.ts'
import { scanEngine } from '../../test/support/scan-engine.ts'
import { temporaryData } from '../../test/support/store.ts'
import { sqliteLedger } from '../db/sqlite/ledger.ts'
import { builtInStores } from './built-in.ts'

const NAME = 'scan a'

const chunksOf = (...texts: string[]) =>
  texts.map((text) => ({ source: 's', text, metadata: {}, vector: hashVector(text) }))

const sourceOf = (engine: SeparateEngine, key = ''): EngineSource => ({
  ...{ name: NAME, key },
  create: () => engine,
})

/** Fails when it is opened. */
const lost = (code: 'credential_not_found' | 'engine_failed'): EngineSource => ({
  ...{ name: NAME, key: code },
  create() {
    throw new SluiceError(code, { id: 'gone', engine: NAME, reason: 'it is away' })
  },
})

/** An engine that counts its calls, and fails at one of them where told. */
function countedEngine() {
  const engine = scanEngine(':memory:', { keywords: false })
  const state = { dropped: 0, closed: 0, away: false }
  const counted = {
    ...engine,
    async drop(collection: string) {
      if (state.away) throw new SluiceError('engine_failed', { engine: NAME, reason: 'it is away' })
      state.dropped++
      await engine.drop(collection)
    },
    async close() {
      state.closed++
    },
  }
  return { engine: counted, state }
}

/** A namespace whose flow was removed for good, and stores of a later process, which no card has told its engine. */
async function removedFlow(t: TestContext, engine: SeparateEngine) {
  const data = temporaryData(t)
  const before = data.open()
  const stores = builtInStores(before)
  await publishChunks(stores.openSeparate('x', sourceOf(engine)), 'e', chunksOf('one', 'two'))
  await sqliteLedger(before).remove('x')
  const database = data.open()
  const failures: unknown[] = []
  const reach = (...sources: EngineSource[]): EngineReach => ({
    sources: async (name) => (name === NAME ? sources : []),
    failed: (name, error) => void failures.push([name, (error as SluiceError).code]),
  })
  const left = () => database.reader.all('SELECT engine FROM indexes').length
  return { later: builtInStores(database), reach, failures, left }
}

test('sweepRemoved() deletes the points of removed namespaces in an engine that no card has named, and closes it', async (t) => {
  const { engine, state } = countedEngine()
  const { later, reach, failures, left } = await removedFlow(t, engine)
  await later.sweepRemoved()
  assert.deepEqual([state, left()], [{ dropped: 0, closed: 0, away: false }, 1])
  await later.sweepRemoved(reach(sourceOf(engine)))
  assert.deepEqual([failures, left()], [[], 0])
  assert.deepEqual(state, { dropped: 1, closed: 1, away: false })
})

test('sweepRemoved() keeps what is left of an engine that is away, in any of its places, and goes on later', async (t) => {
  const { engine, state } = countedEngine()
  const { later, reach, failures, left } = await removedFlow(t, engine)
  await later.sweepRemoved(reach(sourceOf(engine), lost('engine_failed')))
  assert.deepEqual([failures, left()], [[[NAME, 'engine_failed']], 1])
  state.away = true
  await later.sweepRemoved(reach(sourceOf(engine)))
  assert.deepEqual([failures.length, left()], [2, 1])
  // Now it waits before it tries again.
  await later.sweepRemoved(reach(sourceOf(engine)))
  assert.equal(failures.length, 2)
  state.away = false
  const next = await removedFlow(t, engine)
  await next.later.sweepRemoved(next.reach(sourceOf(engine)))
  assert.equal(next.left(), 0)
})

test('sweepRemoved() needs one place whose credential is there', async (t) => {
  const { engine, state } = countedEngine()
  const { later, reach, failures, left } = await removedFlow(t, engine)
  await later.sweepRemoved(reach(lost('credential_not_found')))
  assert.deepEqual([failures, left()], [[[NAME, 'credential_not_found']], 1])
  await later.sweepRemoved(reach(lost('credential_not_found'), sourceOf(engine)))
  assert.deepEqual([state.dropped, left()], [1, 0])
})

test('sweepRemoved() says so where nobody knows how the engine is reached', async (t) => {
  const { later, reach, failures, left } = await removedFlow(t, countedEngine().engine)
  await later.sweepRemoved(reach())
  assert.deepEqual([failures, left()], [[[NAME, 'engine_not_connected']], 1])
})
