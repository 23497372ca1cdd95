import { type ChildProcess, fork } from 'node:child_process'
import path from 'node:path'
import type { TestAnswer, TestRequest } from './test-child.ts'

export type Verdict = 'killed' | 'survived' | 'out of time'

/** `processorMs`: the processor time that the tests took; 0 where their process ended. */
export type Run = { verdict: Verdict; processorMs: number }

/** In milliseconds, for a run: of the processor, for what never ends, and by the clock, for what waits for ever. */
export type Limits = { processorMs: number; clockMs: number }

/** Runs test files in a process of its own, which is started again where it hangs or ends. */
export class TestProcess {
  #child: ChildProcess | undefined
  #run = 0
  readonly #scratch: string

  /** @param scratch a folder for what the tests write */
  constructor(scratch: string) {
    this.#scratch = scratch
  }

  /** Runs the tests of a file, until one fails. */
  async run(
    request: Omit<TestRequest, 'run' | 'processorMs'>,
    { processorMs, clockMs }: Limits,
  ): Promise<Run> {
    this.#child ??= this.#start()
    const child = this.#child
    const { promise, resolve } = Promise.withResolvers<Run>()
    const timer = setTimeout(resolve, clockMs, { verdict: 'out of time', processorMs: 0 })
    const onExit = (_: number | null, signal: string | null) =>
      resolve({ verdict: signal === 'SIGKILL' ? 'out of time' : 'killed', processorMs: 0 })
    const onMessage = ({ passed, processorMs }: TestAnswer) =>
      resolve({ verdict: passed ? 'survived' : 'killed', processorMs })
    child.on('exit', onExit).on('message', onMessage)
    child.send({ ...request, processorMs, run: ++this.#run } satisfies TestRequest)
    const run = await promise
    clearTimeout(timer)
    child.off('exit', onExit).off('message', onMessage)
    if (run.verdict === 'out of time') this.end()
    return run
  }

  end(): void {
    this.#child?.kill('SIGKILL')
    this.#child = undefined
  }

  #start(): ChildProcess {
    const env = { ...process.env, TMPDIR: this.#scratch }
    const child = fork(path.join(import.meta.dirname, 'test-child.ts'), {
      env,
      execArgv: [],
      stdio: 'ignore',
    })
    child.on('exit', () => {
      if (this.#child === child) this.#child = undefined
    })
    return child
  }
}
