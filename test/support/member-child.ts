import { setTimeout as pause } from 'node:timers/promises'
import type { ClaimedJob } from '../../src/contract/job-queue.ts'
import { chunkIdOf } from '../../src/documents/chunk-id.ts'
import { openPostgres } from '../../src/db/postgres/database.ts'
import { postgresJobStore } from '../../src/db/postgres/jobs.ts'
import { postgresLedger } from '../../src/db/postgres/ledger.ts'
import { joinCluster } from '../../src/db/postgres/member.ts'
import { SluiceError } from '../../src/kit/errors.ts'
import { fingerprint, randomId } from '../../src/kit/hash.ts'
import { quietLog } from '../../src/kit/log.ts'

/*
 * A member that works: it claims jobs, and for each brings one chunk into the namespace of the job. `member-child.ts ADDRESS STAGE` waits at a
 * stage for a message. It never looks whether its lease is lost, as a process that is frozen between the look and the work. With
 * `unfenced` as third argument, the ledger does not ask for its lease. The fourth is after how many milliseconds without a word members are dead.
 */
const [address = '', hold, fence, deadAfterMs] = process.argv.slice(2)

const say = (stage: string, job = '') => process.send!({ stage, job })

async function at(stage: string, job: string): Promise<void> {
  const told = stage === hold ? new Promise((resume) => process.once('message', resume)) : undefined
  say(stage, job)
  await told
}

const database = await openPostgres(address)
const member = joinCluster({ database, address, log: quietLog, deadAfterMs: Number(deadAfterMs) })
const jobs = postgresJobStore(database)
const ledger = postgresLedger(database, Date.now, fence === 'unfenced' ? undefined : member.leases)
await member.ready()
say('ready')

while (true) {
  const claimed = await member.queue.claim(Date.now()).catch(() => undefined)
  if (!claimed) {
    await pause(20)
    continue
  }
  await perform(claimed).catch((error: unknown) =>
    say(error instanceof SluiceError ? error.code : String(error), claimed.job.id),
  )
  await claimed.lease.release()
}

async function perform({ job: { id, namespace, changes } }: ClaimedJob): Promise<void> {
  await at('begun', id)
  if (!(await jobs.receipt(id))) await publish(id, namespace)
  await at('published', id)
  const history = { id: randomId(), result: {} }
  const end = { id, changes, state: 'done', progress: null, result: {}, error: null, history } as const
  say((await jobs.end({ ...end, now: Date.now() })) ? 'ended' : 'too late', id)
}

async function publish(id: string, namespace: string): Promise<void> {
  const run = await ledger.open({ namespace, embedder: 'e', engine: 'some engine' })
  await at('opened', id)
  const hashes = { source: id, hash: fingerprint(id), metadataHash: fingerprint('{}') }
  await run.stage([{ ...hashes, metadata: '{}', text: id, pointId: chunkIdOf(hashes) }], 2)
  await at('staged', id)
  const progress = {
    stage: 'publish',
    files: { total: 1, done: 1, failed: 0, known: true },
    chunks: { seen: 1, embedded: 1, written: 1, due: 1 },
  } as const
  await run.publish({
    ...{ stagedCount: 1, removedChunkIds: [], files: [], updatedSources: [id], invalidatedFiles: [] },
    receipt: { job: id, result: {}, progress },
  })
}
