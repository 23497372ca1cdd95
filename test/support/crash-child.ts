import { openDatabase } from '../../src/db/sqlite/database.ts'
import { abandonOpenRuns } from '../../src/db/ledger/indexes.ts'
import { createFileParser } from '../../src/formats/pool.ts'
import { builtInStores } from '../../src/stores/built-in.ts'
import { type BoundaryName, inTurns, notingEmbedder, notingStore } from './crash-journal.ts'
import type { Order } from './crash-children.ts'
import { load, uploadsOf } from './loading.ts'

/** Loads the given files, as the platform would from its start on, and kills itself at the given stage. */

const [readable, first] = process.argv.slice(2) as [string, string]
const parser = createFileParser({ readable: [readable], size: 1 })

// The pool starts its process before the order comes: the run is to be killed, not the start.
for await (const _ of parser.parse({ path: first, name: first, type: 'text' }));
process.once('message', (order: Order) => void obey(order))
process.send!('ready')

async function obey({ data, files, cleanup, journal, dieAt }: Order): Promise<void> {
  let left = dieAt?.times ?? 0
  const boundary = (name: BoundaryName) => {
    if (name === dieAt?.boundary && --left === 0) process.kill(process.pid, 'SIGKILL')
  }
  const database = openDatabase(data)
  await database.sql.write(abandonOpenRuns, undefined)
  const store = notingStore(builtInStores(database).open('ours'), journal, boundary)
  const embedder = notingEmbedder(journal, boundary)
  await load({
    ...(dieAt?.boundary.endsWith('stage') ? inTurns(embedder, store) : { embedder, store }),
    parser,
    uploads: uploadsOf(files),
    cleanup,
  })
  await database.close()
  await parser.close()
  process.disconnect()
}
