import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { type HungReport, hungReport } from './hung-process.ts'
import { LONGEST_MS, resultOf, runFile, type TestResult } from './run-file.ts'
import type { FileReport } from './shared-process.ts'
import type { TestRun } from './test-runs.ts'

const PROGRAM = path.join(import.meta.dirname, 'shared-process.ts')

/** Above this, in bytes, a process is replaced: it keeps the modules of each file, and what their tests left. */
const ENOUGH_MEMORY = 700 * 2 ** 20

/** `files`: those that it has begun. */
type Shared = { child: ChildProcess; hung: HungReport; postgres: boolean; files: string[]; written: string }

/** Runs files one after another in a process that they share; files of another database, or after a failure, in a new one. */
export class SharedRuns {
  readonly #env: NodeJS.ProcessEnv
  readonly #longestMs: number
  #shared: Shared | undefined

  /** @param longestMs after which a file has failed */
  constructor({ NODE_TEST_CONTEXT: _, ...env }: NodeJS.ProcessEnv, longestMs = LONGEST_MS) {
    // Below `node --test` that variable would make the test runner of a process do nothing.
    this.#env = env
    this.#longestMs = longestMs
  }

  async run(given: TestRun): Promise<TestResult> {
    const begun = performance.now()
    if (this.#shared?.postgres !== given.postgres) await this.end()
    const shared = this.#shared ?? this.#start(given.postgres)
    this.#shared = shared
    const answer = await this.#ask(shared, path.resolve(given.file))
    // A file that lacks what it needs leaves the process in this way.
    if (answer === 'ended with 0') {
      this.#shared = undefined
      return runFile(given, this.#env)
    }
    const [output, fault] = typeof answer === 'string' ? ['', answer] : [answer.output, '']
    const seconds = (performance.now() - begun) / 1000
    const result = resultOf([output, shared.written, fault], fault === '', seconds)
    shared.written = ''
    if (typeof answer === 'string') this.#shared = undefined
    else if (!result.passed || answer.memory > ENOUGH_MEMORY) await this.end()
    return result
  }

  async end(): Promise<void> {
    const child = this.#shared?.child
    this.#shared = undefined
    if (!child?.connected) return
    const ended = once(child, 'exit')
    child.disconnect()
    await ended
  }

  #start(postgres: boolean): Shared {
    const hung = hungReport()
    const child = spawn(process.execPath, [...hung.args, PROGRAM], {
      env: { ...this.#env, ...(postgres ? { SLUICE_TEST_DATABASE: 'postgres' } : {}) },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    const shared: Shared = { child, hung, postgres, files: [], written: '' }
    for (const stream of [child.stdout!, child.stderr!])
      stream.setEncoding('utf8').on('data', (piece: string) => {
        shared.written += piece
      })
    return shared
  }

  /** What a process reports of a file, or how it ended instead. */
  #ask({ child, hung, files }: Shared, file: string): Promise<FileReport | string> {
    const before = files.map((one) => path.basename(one)).join(', ')
    files.push(file)
    return new Promise((resolve) => {
      let why = ''
      const late = setTimeout(async () => {
        why = `: it did not end${before && ` after ${before}`}\n${await hung.read(child)}`
        child.kill('SIGKILL')
      }, this.#longestMs)
      const settle = (answer: FileReport | string) => {
        clearTimeout(late)
        child.removeAllListeners('message').removeAllListeners('exit').removeAllListeners('error')
        resolve(answer)
      }
      child.once('message', (report) => settle(report as FileReport))
      child.once('exit', (code, signal) => settle(`ended with ${code ?? signal}${why}`))
      child.once('error', (error) => settle(error.message))
      child.send(file)
    })
  }
}
