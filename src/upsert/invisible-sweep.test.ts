import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { until } from '../../test/support/until.ts'
import { counters, upsertHouses } from '../../test/support/upsert-house.ts'
import { onlyMember } from '../kit/only-member.ts'
import { quietLog } from '../kit/log.ts'
import { type InvisibleSweepOptions, startInvisibleSweep } from './invisible-sweep.ts'

const { engine, stores, namespaceQueue, house, removeNamespace } = upsertHouses()

const KEPT_MS = 20_000

/** A sweep of one namespace until the end of the test, with a clock that stands still, and the jobs that it is told of. */
function sweepOf(t: TestContext, namespace: string, options: Partial<InvisibleSweepOptions> = {}) {
  const state = { now: 0, isBusy: false, rounds: 0 }
  const alone: typeof onlyMember = async (name, work) => {
    await onlyMember(name, work)
    state.rounds++
  }
  const { soon, close } = startInvisibleSweep({
    reach: { sources: async () => [], failed() {} },
    ...{ stores, engine, alone, log: quietLog, everyMs: 1, keptMs: KEPT_MS },
    clock: () => state.now,
    ...options,
    isBusy: (of) => of !== namespace || state.isBusy || (options.isBusy?.(of) ?? false),
  })
  t.after(close)
  /** Resolves when a round has begun and ended after the call. */
  const round = async () => {
    const seen = state.rounds
    await until(() => state.rounds >= seen + 2, 'two rounds')
  }
  return { state, round, soon, close }
}

/** A load of some texts that fails after it has staged them. */
async function failedLoad({ upsert, file, broken }: ReturnType<typeof house>, texts: string[]) {
  const uploads = [file('left', ...texts), broken('bad', new Error('the provider is away'))]
  await assert.rejects(upsert(uploads, { strict: true }))
}

const unswept = async (namespace: string) => (await stores.invisible()).get(namespace)?.unswept ?? 0
const texts = (count: number) => Array.from({ length: count }, (_, i) => `text ${i}`)

test('what a failed load left is swept after its time, and nothing else [jobs:swept]', async (t) => {
  const home = house()
  const { namespace } = home.store
  const { state, round } = sweepOf(t, namespace)
  await home.upsert([home.file('kept', 'one', 'two')])
  await failedLoad(home, texts(5))
  assert.equal(await unswept(namespace), 5)
  await round()
  state.now += KEPT_MS - 1
  await round()
  assert.equal(await unswept(namespace), 5)
  state.now += 1
  await until(async () => (await unswept(namespace)) === 0)
  assert.deepEqual(await home.seen(), ['kept: one', 'kept: two'])
  // And what was swept can be loaded again.
  assert.equal(counters(await home.upsert([home.file('left', ...texts(5))])), '5 0 0 0')
  assert.equal(home.embedder.embedded().length, 12)
})

test('a load that is tried again in time embeds no text twice; a job keeps what it may use [jobs:swept]', async (t) => {
  const home = house()
  const { namespace } = home.store
  const { state, round } = sweepOf(t, namespace)
  await failedLoad(home, texts(5))
  // The job is queued again, and waits for longer than the rest would have been kept.
  state.isBusy = true
  await round()
  state.now += 10 * KEPT_MS
  await round()
  assert.equal(await unswept(namespace), 5)
  state.isBusy = false
  await round()
  // Its time begins after the job.
  assert.equal(await unswept(namespace), 5)
  assert.equal(counters(await home.upsert([home.file('left', ...texts(5))])), '5 0 0 0')
  assert.equal(home.embedder.embedded().length, 5)
})

test('a job that comes while a namespace is swept gets its turn between two steps [jobs:swept]', async (t) => {
  const home = house()
  await failedLoad(home, texts(1200))
  const { namespace } = home.store
  let asked = 0
  // Asked before the lease, in it, and after the first step, of 500 chunks.
  const { round } = sweepOf(t, namespace, { keptMs: 0, isBusy: () => ++asked >= 3 })
  await until(() => asked >= 3)
  await namespaceQueue.run(namespace, async () => {})
  await round()
  assert.equal(await unswept(namespace), 700)
})

test('a namespace is swept under its lease, and a server that stops does not wait for it', async (t) => {
  const home = house()
  await failedLoad(home, texts(3))
  const held = Promise.withResolvers<void>()
  const lease = namespaceQueue.run(home.store.namespace, () => held.promise)
  const { close } = sweepOf(t, home.store.namespace, { keptMs: 0 })
  await until(() => namespaceQueue.keys > 0)
  assert.equal(await unswept(home.store.namespace), 3)
  await close()
  assert.equal(await unswept(home.store.namespace), 3)
  held.resolve()
  await lease
})

test('a failure is logged with its namespace and does not end the sweeps', async (t) => {
  const home = house()
  await failedLoad(home, texts(3))
  const { namespace } = home.store
  const lines: object[] = []
  let failures = 1
  const { round } = sweepOf(t, namespace, {
    keptMs: 0,
    log: { ...quietLog, warn: (event, facts) => void lines.push({ event, ...facts }) },
    engine: {
      async sweep(...given) {
        if (failures-- > 0) throw new Error('the disk is away')
        return engine.sweep(...given)
      },
    },
  })
  await until(async () => (await unswept(namespace)) === 0)
  await round()
  assert.deepEqual(lines, [{ event: 'invisible-not-swept', namespace, reason: 'the disk is away' }])
})

test('removed namespaces are deleted as soon as somebody says so [flows:removed-for-good]', async (t) => {
  const home = house()
  const { namespace } = home.store
  await home.upsert([home.file('a', 'one', 'two')])
  const { soon } = sweepOf(t, namespace, { everyMs: 3_600_000 })
  await removeNamespace(namespace)
  assert.equal((await stores.unswept()).removed, true)
  soon()
  await until(async () => !(await stores.unswept()).removed)
  assert.deepEqual(await home.seen(), [])
})
