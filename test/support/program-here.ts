import { Readable } from 'node:stream'
import type { TestContext } from 'node:test'
import type { World } from '../../src/cli/world.ts'
import { startPlatform } from '../../src/main.ts'
import { type Run, Signals, sluice } from './command-line.ts'
import { type Given, run, start } from './program.ts'

/*
 * The command line in the process of the test: what a test shows of answers, messages and files is the same as with a process of its
 * own, which would load all modules again. What is about the process itself (kills, what keeps it, what it leaves) takes
 * `program.ts`.
 */

const evaluateFlow: World['evaluateFlow'] = async (config, request) =>
  (await import('../../src/evaluation.ts')).evaluateFlow(config, request)
const compareFlow: World['compareFlow'] = async (config, request) =>
  (await import('../../src/evaluation.ts')).compareFlow(config, request)

/** The world of a command that stands in a directory. */
const worldOf = ({ directory, environment, input = '' }: Given) => ({
  directory,
  // Where it is unless told, which this process decided when it started.
  environment: { DATA_DIR: 'sluice-data', ...environment },
  stdin: Readable.from([input]),
  startPlatform,
  evaluateFlow,
  compareFlow,
})

/** Runs a command to its end. */
export const runHere = (argv: string[], given: Given): Promise<Run> => sluice(argv, worldOf(given))

/** Starts a server on a free port, and gives its address and how to end it; the exit code comes from `ended`. */
export async function startHere(t: TestContext, argv: string[], given: Given) {
  const signals = new Signals()
  const kill = (signal: 'SIGINT' | 'SIGTERM') => signals.emit(signal)
  const log: string[] = []
  const listening = Promise.withResolvers<string>()
  const stderr = {
    write(text: string) {
      log.push(...text.trimEnd().split('\n'))
      const [, url] = /-listening","url":"([^"]+)"/.exec(text) ?? []
      if (url) listening.resolve(url)
    },
  }
  const process = signals as unknown as NodeJS.Process
  const ended = sluice([...argv, '--port', '0'], { ...worldOf(given), process, stderr }).then(
    ({ code }) => code,
  )
  t.after(() => {
    kill('SIGTERM')
    return ended
  })
  const started = await Promise.race([listening.promise, ended])
  if (typeof started === 'number') throw new Error(`ended with ${started}: ${log.join('\n')}`)
  return { url: started, log, ended, kill }
}

/** How a test runs commands and starts servers: with the program, or here. */
export type CommandLine = { run: typeof run; start: typeof start | typeof startHere }
export const PROGRAM: CommandLine = { run, start }
export const HERE: CommandLine = { run: runHere, start: startHere }
