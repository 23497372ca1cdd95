import type { JobAnswer } from '../../../api/job.ts'
import type { JsonObject } from '../../../kit/json.ts'
import { command } from '../../command.ts'
import { jobPath, readJob } from '../../job-answer.ts'
import { flag } from '../../options.ts'
import { type Paint, paintFor } from '../../paint.ts'
import { printable } from '../../printable.ts'
import { jobLine } from '../../progress.ts'
import { readAnswer } from '../../read-answer.ts'
import { SERVER_OPTIONS, SERVER_SETTINGS, serverOf } from '../../server-options.ts'
import { reindexReport } from '../../reindex-report.ts'
import { upsertReport } from '../../upsert-report.ts'

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
    if (result) stdout.write(`\n${await outcome(answer.kind, result, paint)}`)
    return 0
  },
})

/** What came out of a job, for people. */
async function outcome(kind: JobAnswer['kind'], result: JsonObject, paint: Paint): Promise<string> {
  const { reindexShape, upsertCounters } = await import('../../../api/upsert.ts')
  return kind === 'reindex'
    ? reindexReport(await readAnswer(result, async () => reindexShape, 'that of a reindex'), paint)
    : upsertReport(await readAnswer(result, async () => upsertCounters, 'that of an upsert'), paint)
}
