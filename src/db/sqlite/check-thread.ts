import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { isUnreadable } from '../../kit/storage-failure.ts'
import { Connection } from './connection.ts'
import { contentSteps } from './contents.ts'

/** How long the contents are read without a pause, in milliseconds: some 400 MB. */
const UNPACED_MS = 1000
/** After that, pauses are three times as long as the work between them: a quarter of a processor. */
const PAUSE_RATIO = 3

/** Whether a database is sound: first its pages, in one statement, then its contents, in turns. */
async function isSound(file: string): Promise<boolean> {
  let connection: Connection | undefined
  try {
    connection = new Connection(file, { readOnly: true })
    connection.exec('PRAGMA cache_size = -2000')
    if (connection.get('PRAGMA integrity_check(1)')!.integrity_check !== 'ok') return false
    let spentMs = 0
    let began = performance.now()
    for (const { damaged } of contentSteps(connection)) {
      if (damaged > 0) return false
      const workMs = performance.now() - began
      spentMs += workMs
      if (spentMs > UNPACED_MS) await pause(workMs * PAUSE_RATIO)
      began = performance.now()
    }
    return true
  } catch (error) {
    if (isUnreadable(error)) return false
    throw error
  } finally {
    connection?.close()
  }
}

parentPort!.postMessage(await isSound((workerData as { file: string }).file))
