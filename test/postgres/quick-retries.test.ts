import assert from 'node:assert/strict'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { JobStore } from '../../src/contract/job.ts'
import { postgresJobStore } from '../../src/db/postgres/jobs.ts'
import { joinCluster } from '../../src/db/postgres/member.ts'
import { flowStore } from '../../src/db/repositories/flows.ts'
import { jobStore } from '../../src/db/repositories/jobs.ts'
import { createJobs } from '../../src/jobs/create-jobs.ts'
import type { Performer } from '../../src/jobs/performer.ts'
import { createClusterJobRunner } from '../../src/jobs/runners/cluster-runner.ts'
import { directoryShelf } from '../../src/jobs/shelves/upload-shelf.ts'
import { SluiceError } from '../../src/kit/errors.ts'
import { quietLog } from '../../src/kit/log.ts'
import { createSecretBox } from '../../src/kit/secret-box.ts'
import { createKeyedQueue } from '../../src/kit/keyed-queue.ts'
import { flowRow } from '../contract/repositories.ts'
import { needs } from '../support/needs.ts'
import { openedPostgres, preparedPostgres } from '../support/postgres.ts'
import { temporaryData } from '../support/store.ts'

await needs('PostgreSQL')

type Opened = Pick<Parameters<typeof createJobs>[0], 'store' | 'createRunner'>

/** Jobs whose first attempt fails, and whose first end is in the database before anybody hears of it. */
async function jobsThatFailOnce(t: TestContext, { store, createRunner }: Opened) {
  const stored = Promise.withResolvers<void>()
  /** The last reading of a job. */
  let read = Promise.resolve<unknown>(undefined)
  const told = Promise.withResolvers<void>()
  const late: JobStore = {
    ...store,
    find: (id) => {
      const found = store.find(id)
      read = found
      return found
    },
    async end(end) {
      const record = await store.end(end)
      stored.resolve()
      await told.promise
      return record
    },
  }
  let attempts = 0
  const performer: Performer = {
    async run() {
      if (++attempts === 1)
        throw new SluiceError('provider_failed', { provider: 'someone', reason: 'the first time' })
      return { attempts }
    },
    renew: async (_, request) => ({ request, namespace: 'space', description: [] }),
  }
  const jobs = createJobs({
    ...{ store: late, shelf: directoryShelf(path.join(temporaryData(t).directory, 'uploads')) },
    ...{ box: createSecretBox('key'), namespaceQueue: createKeyedQueue(), uploadBytes: 1000, log: quietLog },
    performers: {
      ...{ upsert: performer, reindex: performer, dryRun: performer },
      ...{ verify: performer, repair: performer, eval: performer, compare: performer },
    },
    ...(createRunner && { createRunner }),
  })
  t.after(() => jobs.close())
  await jobs.resume()
  return {
    jobs,
    stored: stored.promise,
    tell: () => told.resolve(),
    /** Who has read the job waits for its end. */
    async waits() {
      await read
      await setImmediate()
    },
  }
}

/** A client that sees the end in the database, and retries before the runner of the first attempt has told its end. */
async function retriesAtOnce(t: TestContext, opened: Opened): Promise<void> {
  const { jobs, stored, tell, waits } = await jobsThatFailOnce(t, opened)
  const request = { request: {}, namespace: 'space', description: [] }
  const { job } = await jobs.submit({ ...request, kind: 'dryRun', flowId: 'flow', owner: 'flow:flow' })
  const first = jobs.result(job.id)
  await waits()
  const failed = assert.rejects(first, { code: 'provider_failed' })
  await stored
  assert.equal((await jobs.find(job.id))!.state, 'failed')
  await jobs.retry(job.id)
  const second = jobs.result(job.id)
  await waits()
  tell()
  await failed
  assert.deepEqual(await second.then(({ attempts }) => attempts), 2)
}

test('a retry that is quicker than the end of the attempt before gets its own end, in SQLite', async (t) => {
  const database = temporaryData(t).open()
  t.after(() => database.close())
  await flowStore(database.sql).insert(flowRow('flow'))
  await retriesAtOnce(t, { store: jobStore(database.sql, database.whenRoom) })
})

test('a retry that is quicker than the end of the attempt before gets its own end, on a member over PostgreSQL', async (t) => {
  const address = await preparedPostgres(t)
  const database = await openedPostgres(t, address)
  const node = joinCluster({ database, address, log: quietLog, deadAfterMs: 20_000 })
  t.after(() => node.close())
  await node.ready()
  await flowStore(database.sql).insert(flowRow('flow'))
  await retriesAtOnce(t, {
    store: postgresJobStore(database),
    createRunner: (work) => createClusterJobRunner({ ...work, cluster: node, slots: 2 }),
  })
})
