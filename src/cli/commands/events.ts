import { createLog } from '../../kit/log.ts'
import { announce } from '../announce.ts'
import { command } from '../command.ts'
import { listenForStop } from '../stop.ts'

export const events = command({
  summary: 'Starts the event service, which the tools of a flow can be tried on',
  about: 'It runs until Ctrl-C or SIGTERM. Its events live in memory.',
  settings: ['PORT', 'HOST', 'LOG_LEVEL'],
  examples: ['', '--port 8090'],
  async run({ world, config }) {
    const log = createLog(config.LOG_LEVEL, world.stderr)
    using stop = listenForStop(world.process)
    const { url, close } = await world.startEvents(config, log)
    announce(world, `The event service listens at ${url}`)
    await stop.asked
    await close()
    return 0
  },
})
