import assert from 'node:assert/strict'
import { once } from 'node:events'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import type { Cluster } from '../../src/contract/cluster.ts'
import { postgresJobStore } from '../../src/db/postgres/jobs.ts'
import { joinCluster } from '../../src/db/postgres/member.ts'
import { flowStore } from '../../src/db/repositories/flows.ts'
import { createJobs } from '../../src/jobs/create-jobs.ts'
import type { Performer } from '../../src/jobs/performer.ts'
import { createClusterJobRunner } from '../../src/jobs/runners/cluster-runner.ts'
import { directoryShelf } from '../../src/jobs/shelves/upload-shelf.ts'
import type { JsonObject } from '../../src/kit/json.ts'
import { createKeyedQueue } from '../../src/kit/keyed-queue.ts'
import { quietLog } from '../../src/kit/log.ts'
import { createSecretBox } from '../../src/kit/secret-box.ts'
import { flowRow } from '../contract/repositories.ts'
import { needs } from '../support/needs.ts'
import { openedPostgres, preparedPostgres } from '../support/postgres.ts'
import { temporaryData } from '../support/store.ts'
import { until } from '../support/until.ts'

await needs('PostgreSQL')

/** Answers at once, but a request with `held`, which ends when it is cancelled. */
const performer: Performer = {
  async run(request, { signal }) {
    if ('held' in request) await once(signal, 'abort').then(() => signal.throwIfAborted())
    return {}
  },
  renew: async (_, request) => ({ request, namespace: 'space', description: [] }),
}

/** A member of the cluster of a database. */
async function member(t: TestContext, address: string, change: (cluster: Cluster) => Cluster = (it) => it) {
  const database = await openedPostgres(t, address)
  const joined = joinCluster({ database, address, log: quietLog, deadAfterMs: 20_000 })
  t.after(() => joined.close())
  await joined.ready()
  const cluster = change(joined)
  const jobs = createJobs({
    store: postgresJobStore(database),
    shelf: directoryShelf(path.join(temporaryData(t).directory, 'uploads')),
    ...{ box: createSecretBox('key'), namespaceQueue: createKeyedQueue(), uploadBytes: 1000, log: quietLog },
    performers: {
      ...{ upsert: performer, reindex: performer, dryRun: performer },
      ...{ verify: performer, repair: performer, eval: performer, compare: performer },
    },
    createRunner: (work) => createClusterJobRunner({ ...work, cluster, slots: 2 }),
  })
  t.after(() => jobs.close())
  await jobs.resume()
  return { jobs, database }
}

test('changes() tells of a job that began and ended on another member between two readings of the open jobs [jobs:stream]', async (t) => {
  const address = await preparedPostgres(t)
  /** The jobs that the reader has seen open. */
  const known = new Set<string>()
  /** How many readings have begun; each does so when the one before has ended. */
  let readings = 0
  /** Holds readings. */
  let gate: { arrived: PromiseWithResolvers<void>; opened: PromiseWithResolvers<void> } | undefined
  const reader = await member(t, address, (cluster) => ({
    ...cluster,
    queue: {
      ...cluster.queue,
      claim: async () => undefined,
      async open() {
        readings++
        gate?.arrived.resolve()
        await gate?.opened.promise
        const jobs = await cluster.queue.open()
        for (const { job } of jobs) known.add(job.id)
        return jobs
      },
    },
  }))
  const runner = await member(t, address)
  await flowStore(runner.database.sql).insert(flowRow('flow'))
  const submit = async (name: string, request: JsonObject) =>
    (
      await runner.jobs.submit({
        ...{ request, namespace: name, description: [] },
        ...{ kind: 'dryRun', flowId: 'flow', owner: 'flow:flow' },
      })
    ).job.id
  const before = await submit('before', { held: true })
  await until(() => known.has(before))
  await runner.jobs.cancel(before)
  // An end that the reader did not know of would be told below.
  const begun = readings
  await until(() => readings > begun + 1)
  const stop = new AbortController()
  const seen = reader.jobs.changes({ signal: stop.signal })[Symbol.asyncIterator]()
  const shown = await submit('shown', { held: true })
  assert.equal((await seen.next()).value?.id, shown)

  const held = { arrived: Promise.withResolvers<void>(), opened: Promise.withResolvers<void>() }
  gate = held
  // None is on its way to the database any more.
  await held.arrived.promise
  const quick = await submit('quick', {})
  await runner.jobs.result(quick)
  held.opened.resolve()
  await runner.jobs.cancel(shown)
  const last = await submit('last', { held: true })
  const told: string[] = []
  while (told.at(-1) !== last) {
    const { value } = await seen.next()
    assert.ok(value)
    if (value.id === shown) continue
    told.push(value.id)
    if (value.id === quick) assert.equal(value.state, 'done')
  }
  assert.deepEqual(told, [quick, last])
  stop.abort()
  await runner.jobs.cancel(last)
})
