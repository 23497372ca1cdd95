import { existsSync } from 'node:fs'
import path from 'node:path'
import { type Config, isLoopback } from '../../kit/config.ts'
import { createLog, type Log } from '../../kit/log.ts'
import { announce, invocation } from '../announce.ts'
import { command } from '../command.ts'
import { ALL_SETTINGS } from '../options.ts'
import { listenForStop } from '../stop.ts'
import type { World } from '../world.ts'

export const start = command({
  summary: 'Starts the platform: upserts, queries, management',
  about: 'It runs until Ctrl-C or SIGTERM, lets the requests under way finish, and closes its database.',
  settings: ALL_SETTINGS,
  examples: ['', '--port 8080 --data-dir /var/lib/sluice'],
  async run({ world, config }) {
    const log = createLog(config.LOG_LEVEL, world.stderr)
    using stop = listenForStop(world.process)
    const firstStart = !existsSync(path.join(config.DATA_DIR, 'sluice.db'))
    const { url, openFlows, close } = await world.startPlatform(config, log)
    announce(world, `Sluice listens at ${url}, its description is at ${url}/docs`)
    if (firstStart && config.ADMIN_KEY === undefined) hintAtKey(world, config, log)
    if (!isLoopback(config.HOST) && openFlows.length > 0) warnOfOpenFlows(world, config, log, openFlows)
    await stop.asked
    announce(world, 'Stopping; once more ends it at once')
    await close()
    return 0
  },
})

function hintAtKey(world: World, config: Config, log: Log): void {
  log.info('management-key-missing', {
    message: `ADMIN_KEY is not set; a management key is made with: ${invocation(world)} key new --scope manage${dataDirectory(config)}`,
  })
}

/** What a command needs to find this server's keys. */
const dataDirectory = (config: Config): string =>
  config.origins.DATA_DIR === 'flag' ? ` --data-dir ${config.DATA_DIR}` : ''

function warnOfOpenFlows(world: World, config: Config, log: Log, openFlows: string[]): void {
  const { HOST, ALLOW_OPEN_UPSERT } = config
  const close = `${invocation(world)} key new NAME --bind ${openFlows[0]!}${dataDirectory(config)}`
  log.warn('open-flows', {
    message: `${HOST} is reached from other machines, where these flows answer anybody${ALLOW_OPEN_UPSERT ? ' and take anybody’s documents' : ', and take no documents'}: an API key closes one, ${close}`,
    flows: openFlows.join(', '),
  })
}
