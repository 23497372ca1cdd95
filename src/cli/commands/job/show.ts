import type { JobAnswer } from '../../../api/job.ts'
import type { JsonObject } from '../../../kit/json.ts'
import { jobPath, readJob } from '../../job-answer.ts'
import { flag } from '../../options.ts'
import { type Paint, paintFor } from '../../paint.ts'
import { printable } from '../../printable.ts'
import { jobLine } from '../../progress.ts'
import { readAnswer } from '../../read-answer.ts'
import { serverCommand } from '../../server-command.ts'
import { compareReport, type ReportedComparison } from '../../compare-report.ts'
import { evalReport } from '../../eval-report.ts'
import { repairReport } from '../../repair-report.ts'
import { reindexReport } from '../../reindex-report.ts'
import { upsertReport } from '../../upsert-report.ts'

export const showJobCommand = serverCommand({
  summary: 'Shows a job: its progress, and its result',
  args: ['<id>'],
  options: { json: flag('prints the server’s answer as it is') },
  async run({ world, client, args, options }) {
    const answer = await readJob(client.send('GET', jobPath(args[0]!)))
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

/** The result of a job as a report. */
async function outcome(kind: JobAnswer['kind'], result: JsonObject, paint: Paint): Promise<string> {
  if (kind === 'repair' || kind === 'verify') {
    const { repairShape } = await import('../../../api/repair.ts')
    return repairReport(await readAnswer(result, async () => repairShape, 'the result of a repair'), paint)
  }
  if (kind === 'eval') {
    const { evalShape } = await import('../../../api/question.ts')
    return evalReport(await readAnswer(result, async () => evalShape, 'the result of an eval'), paint)
  }
  if (kind === 'compare') {
    const { comparisonOutcome } = await import('../../../api/compare.ts')
    const whole = { ...result, rows: [], uncounted: [] }
    const told = await readAnswer(whole, async () => comparisonOutcome, 'the result of a comparison')
    return compareReport(told as unknown as ReportedComparison, paint, 0)
  }
  const { reindexShape, upsertCounters } = await import('../../../api/upsert.ts')
  return kind === 'reindex'
    ? reindexReport(await readAnswer(result, async () => reindexShape, 'the result of a reindex'), paint)
    : upsertReport(await readAnswer(result, async () => upsertCounters, 'the result of an upsert'), paint)
}
