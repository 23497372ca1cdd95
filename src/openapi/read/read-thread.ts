import { parentPort, workerData } from 'node:worker_threads'
import { reasonOf } from '../../kit/errors.ts'
import { type ReadOptions, readApi } from './operations.ts'

/** The thread that reads one description and ends. */

const { texts, options } = workerData as { texts: Record<string, string>; options: ReadOptions }

try {
  parentPort!.postMessage({ api: readApi(texts, options) })
} catch (error) {
  parentPort!.postMessage({ reason: reasonOf(error) })
}
