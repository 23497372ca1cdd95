import { runCli, type World } from './cli/run.ts'
import type { LocalComparison } from './evaluate/comparison/local-comparison.ts'
import type { EvaluationRequest } from './evaluate/run.ts'
import { releaseRoom } from './kit/collect-garbage.ts'
import type { OpenEgress } from './kit/egress/client.ts'
import { type Config, processEnvironment, standingIn } from './kit/config.ts'
import type { Log } from './kit/log.ts'
import { keepHeapSmall } from './kit/small-heap.ts'
import { offline } from './offline.ts'

const packageRoot = new URL('../', import.meta.url)

/** How long the process may go on after its command has ended, in milliseconds. */
const LINGER_MS = 2000

/**
 * When the room that a start took is given back, in milliseconds after it. While hundreds of modules are loaded, V8 takes 30 MB for new
 * objects, more quickly than `keepHeapSmall` can stop it. After an ordinary collection it keeps that space, or not: it depends on what runs.
 */
const SETTLED_MS = 2000

/**
 * Starts the server. Its modules are loaded here, because most commands do not need them.
 *
 * @param openEgress makes the client of all outgoing calls
 */
export async function startPlatform(config: Config, log: Log, openEgress?: OpenEgress) {
  const platform = await import('./platform/open-platform.ts')
  return platform.openPlatform(config, log, packageRoot, openEgress)
}

/** Starts the server of this process, which then is small again. */
async function startAlone(config: Config, log: Log) {
  const running = await startPlatform(config, log)
  setTimeout(releaseRoom, SETTLED_MS).unref()
  return running
}

async function startEvents(config: Config, log: Log) {
  const events = await import('./events/main.ts')
  return events.startEvents({ ...events.eventAddress(config), log })
}

async function evaluateFlow(config: Config, request: EvaluationRequest) {
  const evaluation = await import('./evaluation.ts')
  return evaluation.evaluateFlow(config, request)
}

async function compareFlow(config: Config, request: LocalComparison) {
  const evaluation = await import('./evaluation.ts')
  return evaluation.compareFlow(config, request)
}

/** Runs a command line and sets the exit code of the process. */
export async function main(argv: string[]): Promise<void> {
  keepHeapSmall()
  const world: World = {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    environment: processEnvironment,
    directory: standingIn(packageRoot),
    settingsDirectory: process.cwd(),
    process,
    startPlatform: startAlone,
    startEvents,
    evaluateFlow,
    compareFlow,
    offline,
    packageRoot,
  }
  process.exitCode = await runCli(argv, world)
  // What could not be closed, as a connection on which nothing comes any more, does not keep the process.
  setTimeout(() => process.exit(), LINGER_MS).unref()
}
