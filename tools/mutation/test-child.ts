import { registerHooks } from 'node:module'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { importersOf } from './importers.ts'
import { beginFile, endFile, noteFailure } from './test-shim.ts'

/*
 * Runs test files again and again in one process, each time with the modules loaded anew that import the changed file: a process for
 * each change would spend most of its time on its start. A change that hangs is ended by the parent, with this process.
 */

/** What the parent asks for: one run, whose number is not that of an earlier one, with the processor time that it may take. */
export type TestRequest = {
  run: number
  directory: string
  file: string
  tests: readonly string[]
  processorMs: number
}

/** Whether all tests passed, and the processor time that they took. */
export type TestAnswer = { passed: boolean; processorMs: number }

const LOOK_MS = 100
const limit = new Worker(path.join(import.meta.dirname, 'processor-limit.ts'), {
  execArgv: [],
  workerData: LOOK_MS,
})
const limited = new Promise((resolve) => limit.once('online', resolve))

const SHIM = pathToFileURL(path.join(import.meta.dirname, 'test-shim.ts')).href

let run = 0
let copy = ''
let fresh: ReadonlySet<string> = new Set()

registerHooks({
  resolve(specifier, context, next) {
    // Also what helpers of the tests clean up belongs to the file.
    if (specifier === 'node:test' && context.parentURL?.startsWith(copy))
      return { url: SHIM, shortCircuit: true }
    const resolved = next(specifier, context)
    if (!resolved.url.startsWith('file:') || !fresh.has(fileURLToPath(resolved.url))) return resolved
    return { ...resolved, url: `${resolved.url}?run=${run}` }
  },
})

process.on('uncaughtException', noteFailure)
process.on('unhandledRejection', noteFailure)
process.on('message', (request: TestRequest) => void answer(request))

async function answer({ directory, file, tests, ...request }: TestRequest): Promise<void> {
  await limited
  const before = process.cpuUsage()
  limit.postMessage(request.processorMs)
  copy = pathToFileURL(`${directory}/`).href
  let passed = true
  for (const [at, test] of tests.entries()) {
    if (!passed) break
    run = request.run * 1000 + at
    fresh = importersOf(directory, test, file)
    beginFile()
    await import(pathToFileURL(path.join(directory, test)).href).catch(noteFailure)
    passed = await endFile()
  }
  const { user, system } = process.cpuUsage(before)
  process.send!({ passed, processorMs: (user + system) / 1000 } satisfies TestAnswer)
}
