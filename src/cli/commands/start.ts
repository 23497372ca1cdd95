import { existsSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Config, isLoopback } from '../../kit/config.ts'
import { createLog, type Log } from '../../kit/log.ts'
import { announce, invocation } from '../announce.ts'
import { command } from '../command.ts'
import { ALL_SETTINGS } from '../options.ts'
import { Failure } from '../failure.ts'
import { listenForStop, type Stop } from '../stop.ts'
import type { World } from '../world.ts'

/** How long a start that is under way may take after a stop was asked for, in milliseconds. */
const START_MS = 8000

export const start = command({
  summary: 'Starts the server',
  about:
    'It runs until Ctrl-C or SIGTERM. Then it finishes the running requests and closes its database. After SIGTERM it goes on for DRAIN_SECONDS before, while /readyz answers 503.',
  settings: ALL_SETTINGS,
  examples: ['', '--port 8080 --data-dir /var/lib/sluice'],
  async run({ world, config }) {
    const log = createLog(config.LOG_LEVEL, world.stderr)
    using stop = listenForStop(world.process)
    const firstStart = !existsSync(path.join(config.DATA_DIR, 'sluice.db'))
    const starting = world.startPlatform(config, log)
    const { url, openFlows, newSignInCode, drain, close } = await Promise.race([starting, tooLate(stop)])
    announce(world, `Sluice listens at ${url}, its API is described at ${url}/docs`)
    // A link signs in whoever reads it first, and logs are read, copied and kept: it is only for a person at a terminal. A log has the
    // command that makes one, which needs write access to the data directory.
    if (world.stderr.isTTY && isLoopback(config.HOST))
      announce(world, `Studio: ${url}/#sign-in=${await newSignInCode()} (works once, for five minutes)`)
    else hintAtStudio(world, config, log)
    if (firstStart && config.ADMIN_KEY === undefined) hintAtKey(world, config, log)
    if (!isLoopback(config.HOST) && openFlows.length > 0) warnOfOpenFlows(world, config, log, openFlows)
    // Who presses Ctrl-C sits before the server, and no proxy sends them others' requests.
    if ((await stop.asked) === 'SIGTERM' && config.DRAIN_SECONDS > 0) {
      drain()
      const seconds = `${config.DRAIN_SECONDS} ${config.DRAIN_SECONDS === 1 ? 'second' : 'seconds'}`
      announce(world, `Taking requests for ${seconds} more, not ready; another signal ends it at once`)
      await pause(config.DRAIN_SECONDS * 1000)
    }
    announce(world, 'Stopping; press Ctrl-C again to stop at once')
    await close()
    return 0
  },
})

/** Fails where a stop was asked for and the server has not started in time, as where its database does not answer. */
async function tooLate(stop: Stop): Promise<never> {
  await stop.asked
  await pause(START_MS, undefined, { ref: false })
  throw new Failure('It was stopped before it had started')
}

function hintAtKey(world: World, config: Config, log: Log): void {
  log.info('management-key-missing', {
    message: `ADMIN_KEY is not set; to make a management key: ${invocation(world)} key new --scope manage${dataDirectory(config)}`,
  })
}

function hintAtStudio(world: World, config: Config, log: Log): void {
  log.info('studio-link', {
    message: `for a link that opens the studio: ${invocation(world)} sign-in${dataDirectory(config)}`,
  })
}

/** The option that a command needs to find the data of this server. */
const dataDirectory = (config: Config): string =>
  config.origins.DATA_DIR === 'default' ? '' : ` --data-dir ${config.DATA_DIR}`

function warnOfOpenFlows(world: World, config: Config, log: Log, openFlows: string[]): void {
  const { HOST, ALLOW_OPEN_UPSERT } = config
  const close = `${invocation(world)} key new NAME --bind ${openFlows[0]!}${dataDirectory(config)}`
  log.warn('open-flows', {
    message: `other machines can reach ${HOST}, where these flows answer without an API key${ALLOW_OPEN_UPSERT ? ' and take documents without one' : ' (they take no documents)'}. To require a key: ${close}`,
    flows: openFlows.join(', '),
  })
}
