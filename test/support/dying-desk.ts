import path from 'node:path'
import { openDatabase } from '../../src/db/sqlite/database.ts'
import { hashEmbedder } from './hash-embedder.ts'
import { openDesk, until } from './job-desk.ts'

/** When the process kills itself: before the job is noted as done, while texts are embedded, or never. */
export type Moment = 'end' | 'middle' | 'never'

const [directory, kind, moment] = process.argv.slice(2) as [string, 'upsert' | 'reindex', Moment]
const die = () => process.kill(process.pid, 'SIGKILL')
let calls = 0

const desk = await openDesk(openDatabase(directory), path.join(directory, 'uploads'), {
  embedder: hashEmbedder({
    id: kind,
    dimensions: kind === 'upsert' ? 8 : 4,
    limits: { texts: 1, bytes: 1000 },
    async before() {
      if (moment !== 'middle' || ++calls < 30) return
      const job = async () => (await desk.jobs.list({ offset: 0, limit: 1 })).rows[0]!
      await until(async () => (await job()).progress!.chunks.written > 0)
      die()
    },
  }),
  store: (store) => (moment === 'end' ? { ...store, end: async () => void die() as undefined } : store),
})
const id = await desk.submit({ 'a.txt': Array.from({ length: 100 }, (_, i) => `text ${i}`) }, { kind })
await desk.jobs.result(id)
await desk.close()
