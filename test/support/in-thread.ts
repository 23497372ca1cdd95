import { once } from 'node:events'
import { parentPort, Worker, workerData } from 'node:worker_threads'

type Call = { module: string; name: string; given: readonly unknown[] }

/**
 * Calls an exported function of a module in a thread of its own. The test runner follows every promise of its thread: where a library
 * waits for millions of them, that takes longer than its work.
 *
 * @param module its address
 * @param given what can be copied to a thread
 * @throws what the function throws
 */
export async function inThread<Result>(
  module: string,
  name: string,
  ...given: readonly unknown[]
): Promise<Result> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { module, name, given } satisfies Call })
  const [result] = await once(worker, 'message')
  return result as Result
}

if (parentPort && (workerData as Partial<Call> | null)?.module) {
  const { module, name, given } = workerData as Call
  const functions = (await import(module)) as Record<string, (...given: readonly unknown[]) => unknown>
  parentPort.postMessage(await functions[name]!(...given))
}
