import { parentPort, workerData } from 'node:worker_threads'
import { reasonOf, SluiceError } from '../../kit/errors.ts'
import { Connection } from './connection.ts'
import type { ThrownThere, WriteAnswer, WriteFailure } from './database.ts'
import { isDamage, isFull } from '../../kit/storage-failure.ts'
import { vacuumStep } from './vacuum.ts'
import { dropSmallStatistics } from './statistics.ts'
import { WRITES } from './writes.ts'

/** `name` is that of a write, or `ping`, `vacuumStep`, `carryOver` or `close`. */
type Message = { id: number; name: string; request: never }

const port = parentPort!
const connection = new Connection((workerData as { file: string }).file)
// Another thread copies the log into the file (`log-copier.ts`). Where it falls behind, this thread does so at 128 MB of log.
connection.exec('PRAGMA wal_autocheckpoint = 16000')
// In WAL mode NORMAL never corrupts; only with FULL does a commit survive a power cut. See `staged` in write.ts.
let synchronous = ''

function run({ name, request }: Message): unknown {
  if (name === 'carryOver') return carryOver()
  if (name === 'close') return connection.close()
  if (name === 'ping') return undefined
  if (name === 'vacuumStep') return vacuumStep(connection)
  const write = WRITES.get(name)!
  const wanted = write.staged ? 'NORMAL' : 'FULL'
  if (wanted !== synchronous) {
    connection.exec(`PRAGMA synchronous = ${wanted}`)
    synchronous = wanted
  }
  return connection.awaitedTransaction(() => write.run(connection, request))
}

/** Writes the log into the database file. Returns whether the log is empty now. */
function carryOver(): boolean {
  connection.exec('PRAGMA optimize')
  dropSmallStatistics(connection)
  // Another process may have the database open: then the log stays.
  connection.exec('PRAGMA busy_timeout = 0')
  return connection.get('PRAGMA wal_checkpoint(TRUNCATE)')!.busy === 0
}

function described(error: unknown): WriteFailure {
  const thrown = thrownHere(error)
  if (error instanceof SluiceError) return { known: { code: error.code, facts: error.facts }, thrown }
  if (isFull(error)) return { known: { code: 'storage_full', facts: {} }, thrown }
  if (isDamage(error)) return { known: { code: 'database_damaged', facts: {} }, thrown }
  return { thrown }
}

function thrownHere(error: unknown): ThrownThere {
  const { name, stack, code } = (error instanceof Error ? error : {}) as Partial<NodeJS.ErrnoException>
  return { name: name ?? 'Error', message: reasonOf(error), stack, code }
}

async function answerTo(message: Message): Promise<void> {
  let answer: WriteAnswer
  try {
    answer = { id: message.id, result: await run(message) }
  } catch (error) {
    answer = { id: message.id, error: described(error) }
  }
  port.postMessage(answer)
}

// One after another: a write that awaits its statements is whole before the next one begins.
let last = Promise.resolve()
port.on('message', (message: Message) => {
  last = last.then(() => answerTo(message))
})
