import { createLog } from '../../kit/log.ts'
import { announce } from '../announce.ts'
import { command } from '../command.ts'
import { listenForStop } from '../stop.ts'

export const events = command({
  summary: 'Starts the event service, an example API for agents',
  about: 'It runs until Ctrl-C or SIGTERM. It keeps its events in memory.',
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
