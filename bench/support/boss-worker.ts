import { PgBoss } from 'pg-boss'

/*
 * A worker of pg-boss in a process of its own: `boss-worker.ts ADDRESS QUEUE`. It looks for dead workers as often as pg-boss can, says
 * when it is ready and when it has begun a job, and ends none.
 */
const [address = '', queue = ''] = process.argv.slice(2)
const boss = new PgBoss({
  connectionString: address,
  superviseIntervalSeconds: 1,
  monitorIntervalSeconds: 1,
  maintenanceIntervalSeconds: 1,
})
boss.on('error', () => {})
process.on('disconnect', () => process.exit())
await boss.start()
await boss.work(queue, { pollingIntervalSeconds: 0.5, heartbeatRefreshSeconds: 3 }, async () => {
  process.send!('begun')
  await new Promise(() => {})
})
process.send!('ready')
