import { parentPort, workerData } from 'node:worker_threads'
import { Connection } from './connection.ts'
import { isDamage } from '../kit/storage-failure.ts'

/** Answers whether a database is sound. */
function isSound(file: string): boolean {
  let connection: Connection | undefined
  try {
    connection = new Connection(file, { readOnly: true })
    connection.exec('PRAGMA cache_size = -2000')
    return connection.get('PRAGMA quick_check(1)')!.quick_check === 'ok'
  } catch (error) {
    if (isDamage(error)) return false
    throw error
  } finally {
    connection?.close()
  }
}

parentPort!.postMessage(isSound((workerData as { file: string }).file))
