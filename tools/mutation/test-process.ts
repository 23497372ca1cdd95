import { type ChildProcess, fork } from 'node:child_process'
import path from 'node:path'
import type { TestRequest } from './test-child.ts'

export type Verdict = 'killed' | 'survived' | 'out of time'

/** Runs test files in a process of its own, which is started again where it hangs or ends. */
export class TestProcess {
  #child: ChildProcess | undefined
  #run = 0
  readonly #scratch: string

  /** @param scratch a folder for what the tests write */
  constructor(scratch: string) {
    this.#scratch = scratch
  }

  /** Runs the tests of a file, until one fails. @param timeLimit in milliseconds */
  async verdict(request: Omit<TestRequest, 'run'>, timeLimit: number): Promise<Verdict> {
    this.#child ??= this.#start()
    const child = this.#child
    const { promise, resolve } = Promise.withResolvers<Verdict>()
    const timer = setTimeout(resolve, timeLimit, 'out of time')
    const onExit = () => resolve('killed')
    const onMessage = (passed: boolean) => resolve(passed ? 'survived' : 'killed')
    child.on('exit', onExit).on('message', onMessage)
    child.send({ ...request, run: ++this.#run } satisfies TestRequest)
    const verdict = await promise
    clearTimeout(timer)
    child.off('exit', onExit).off('message', onMessage)
    if (verdict === 'out of time') this.end()
    return verdict
  }

  end(): void {
    this.#child?.kill('SIGKILL')
    this.#child = undefined
  }

  #start(): ChildProcess {
    const env = { ...process.env, TMPDIR: this.#scratch }
    const child = fork(path.join(import.meta.dirname, 'test-child.ts'), { env, stdio: 'ignore' })
    child.on('exit', () => {
      if (this.#child === child) this.#child = undefined
    })
    return child
  }
}
