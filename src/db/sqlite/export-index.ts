import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { besideModule, threadSource } from '../../kit/module.ts'
import { openDatabase } from './database.ts'

/** `namespace`: of the index. `folder`: gets the database, with this index alone. */
export type IndexExport = { source: string; folder: string; namespace: string }

/** What was exported: the job of the last run of the index, its id, and the token of its image file; undefined without one. */
export type ExportedIndex = { job: string; index: number; image: string | undefined }

/** An upgrade of it makes no backup. */
const NOT_KEPT = { backup: false }

/**
 * Writes an index of a database with all that its searches read into a database of its own, as of one moment, on another thread. Ids
 * stay as they are. The new database has one file, without a log. It names the image file of the index, which stays where it is.
 *
 * @returns undefined where the index has a run that is not published, or none at all
 */
export async function exportIndex(
  { source, folder, namespace }: IndexExport,
  signal: AbortSignal,
): Promise<ExportedIndex | undefined> {
  const made = openDatabase(folder, undefined, NOT_KEPT)
  const { file } = made
  await made.close()
  const worker = new Worker(threadSource(besideModule(import.meta.url, './export-thread')), {
    eval: true,
    workerData: { source: path.resolve(source), target: file, namespace } satisfies ExportTask,
    execArgv: ['--no-warnings'],
  })
  const end = () => void worker.terminate()
  signal.addEventListener('abort', end)
  const exported = await new Promise<ExportedIndex | null>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`the thread that exports an index ended with ${code}`)))
    if (signal.aborted) end()
  }).finally(() => signal.removeEventListener('abort', end))
  await worker.terminate()
  return exported ?? undefined
}

/** What the thread is given: two files, the second one with the tables alone. */
export type ExportTask = { source: string; target: string; namespace: string }
