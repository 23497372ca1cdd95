import { jobPath } from '../../job-answer.ts'
import { serverCommand } from '../../server-command.ts'

export const cancelJobCommand = serverCommand({
  summary: 'Cancels a job that is queued or running; nothing of it is stored',
  args: ['<id>'],
  async run({ world, client, args }) {
    await client.send('POST', `${jobPath(args[0]!)}/cancel`)
    world.stderr.write(`Job ${args[0]} is cancelled.\n`)
    return 0
  },
})
