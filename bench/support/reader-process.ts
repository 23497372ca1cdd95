import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { ReaderAnswer } from './reader-child.ts'

const CHILD = fileURLToPath(new URL('./reader-child.ts', import.meta.url))

/** How long a file may take, the start of a process included: ten times what a usual reader needs. */
const LONGEST_MS = 15_000

export type ReaderProcess = { read(file: string): Promise<ReaderAnswer>; close(): void }

/** A reader in a process of its own, so that its crash or hang is a result too. */
export function readerProcess(name: string): ReaderProcess {
  let child: ChildProcess | undefined

  function start(): ChildProcess {
    const started = fork(CHILD, [name], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
      execArgv: ['--max-old-space-size=1024'],
    })
    return started.once('exit', () => {
      if (child === started) child = undefined
    })
  }

  return {
    async read(file) {
      child ??= start()
      const asked = child
      const { promise, resolve } = Promise.withResolvers<ReaderAnswer>()
      const lose = (failed: string) => {
        child = undefined
        asked.kill('SIGKILL')
        resolve({ failed })
      }
      const crashed = () => lose('crashed')
      const timer = setTimeout(lose, LONGEST_MS, `no answer in ${LONGEST_MS / 1000} s`)
      asked.once('message', resolve).once('exit', crashed)
      asked.send(file, () => {})
      const answer = await promise
      clearTimeout(timer)
      asked.off('exit', crashed)
      return answer
    },
    close: () => void child?.kill('SIGKILL'),
  }
}
