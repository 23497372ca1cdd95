import { command } from '../../command.ts'
import { jobPath, readJob } from '../../job-answer.ts'
import { flag } from '../../options.ts'
import { paintFor } from '../../paint.ts'
import { printable } from '../../printable.ts'
import { jobLine } from '../../progress.ts'
import { SERVER_OPTIONS, SERVER_SETTINGS, serverOf } from '../../server-options.ts'
import { type UpsertAnswer, upsertReport } from '../../upsert-report.ts'

export const show = command({
  summary: 'Shows a job: how far it is, what came out',
  args: ['<id>'],
  options: { ...SERVER_OPTIONS, json: flag('prints the server’s answer as it is') },
  settings: SERVER_SETTINGS,
  async run({ world, config, args, options }) {
    const answer = await readJob(serverOf(options, config, world).send('GET', jobPath(args[0]!)))
    const { stdout, environment } = world
    if (options.json) {
      stdout.write(`${JSON.stringify(answer)}\n`)
      return 0
    }
    const paint = paintFor(stdout, environment)
    const { id, flowId, result, error } = answer
    stdout.write(`${paint('bold', id)}  flow ${flowId}  ${jobLine(answer)}\n`)
    if (error) stdout.write(`${paint('red', printable(`${error.message} (${error.code})`))}\n`)
    if (result) stdout.write(`\n${upsertReport(result as unknown as UpsertAnswer, paint)}`)
    return 0
  },
})
