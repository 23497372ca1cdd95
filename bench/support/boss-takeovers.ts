import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { PgBoss } from 'pg-boss'
import { newPostgres } from '../../test/support/postgres.ts'

const WORKER = fileURLToPath(new URL('./boss-worker.ts', import.meta.url))

/** The shortest that pg-boss takes, in seconds: a worker without a sign of life for so long is dead. */
const HEARTBEAT_SECONDS = 10

/** How long after a kill pg-boss gives the job to another worker, in milliseconds: so many kills at a time, with two workers each. */
export async function bossTakeovers(kills: number): Promise<number[]> {
  const { address, drop } = await newPostgres()
  const boss = new PgBoss({ connectionString: address, supervise: false, schedule: false })
  boss.on('error', () => {})
  await boss.start()
  const workers: ChildProcess[] = []
  async function takeover(queue: string): Promise<number> {
    await boss.createQueue(queue, {
      heartbeatSeconds: HEARTBEAT_SECONDS,
      retryLimit: 5,
      expireInSeconds: 3600,
    })
    const pair = [fork(WORKER, [address, queue]), fork(WORKER, [address, queue])]
    workers.push(...pair)
    const begun = pair.map(
      (worker) =>
        new Promise<ChildProcess>((resolve) =>
          worker.on('message', (said) => said === 'begun' && resolve(worker)),
        ),
    )
    await Promise.all(pair.map((worker) => once(worker, 'message')))
    await boss.send(queue, {})
    const first = await Promise.race(begun)
    const killedAt = performance.now()
    first.kill('SIGKILL')
    await begun[first === pair[0] ? 1 : 0]
    return performance.now() - killedAt
  }
  try {
    return await Promise.all(Array.from({ length: kills }, (_, at) => takeover(`queue-${at}`)))
  } finally {
    for (const worker of workers) worker.kill('SIGKILL')
    await boss.stop({ graceful: false })
    await drop()
  }
}
