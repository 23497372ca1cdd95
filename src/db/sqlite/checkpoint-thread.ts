import { parentPort, workerData } from 'node:worker_threads'
import { Connection } from './connection.ts'

/*
 * Copies pages from the log into the database file whenever it gets a message, and answers how many pages are left. A
 * checkpoint of the kind PASSIVE waits for no reader and no writer, and no writer waits for it.
 */
const port = parentPort!
const connection = new Connection((workerData as { file: string }).file)

port.on('message', (message: 'copy' | 'close') => {
  if (message === 'close') {
    connection.close()
    port.close()
    return
  }
  const { log, checkpointed } = connection.get<{ log: number; checkpointed: number }>(
    'PRAGMA wal_checkpoint(PASSIVE)',
  )!
  port.postMessage(log - checkpointed)
})
