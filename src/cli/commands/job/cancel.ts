import { command } from '../../command.ts'
import { jobPath } from '../../job-answer.ts'
import { SERVER_OPTIONS, SERVER_SETTINGS, serverOf } from '../../server-options.ts'

export const cancel = command({
  summary: 'Ends a job that is queued or running; nothing of it becomes visible',
  args: ['<id>'],
  options: SERVER_OPTIONS,
  settings: SERVER_SETTINGS,
  async run({ world, config, args, options }) {
    await serverOf(options, config, world).send('POST', `${jobPath(args[0]!)}/cancel`)
    world.stderr.write(`Job ${args[0]} is cancelled.\n`)
    return 0
  },
})
