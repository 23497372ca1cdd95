import type { EvalAnswer } from '../api/question.ts'
import { evalReport, runTable } from './eval-report.ts'
import { resultOf } from './follow-job.ts'
import { type Client, jsonBody } from './http.ts'
import { paintFor } from './paint.ts'
import { showProgress } from './progress.ts'
import { readAnswer } from './read-answer.ts'
import type { World } from './world.ts'

/**
 * Has the server ask a flow its own questions, and prints what came of it. The server does it as a job, which continues when the command
 * is interrupted.
 *
 * @returns the exit code: 1 when a question failed that passed before
 */
export async function askOwnQuestions(
  world: World,
  client: Client,
  { flow, json }: { flow: string; json: boolean },
): Promise<number> {
  const { stdout, stderr, environment } = world
  const path = `eval/${encodeURIComponent(flow)}`
  const shapes = () => import('../api/question.ts')
  const progress = showProgress(world, 0, paintFor(stderr, environment))
  try {
    progress.uploaded()
    const first = await client.send('POST', path, jsonBody({}), { prefer: 'respond-async' })
    const answer = await readAnswer(
      resultOf(client, first, progress),
      async () => (await shapes()).evalShape,
      'the result of an eval',
    )
    const run = await readAnswer(
      client.send('GET', `${path}/runs/${encodeURIComponent(answer.run)}`),
      async () => (await shapes()).evalRunShape,
      'a run of questions',
    )
    progress.end()
    const paint = paintFor(stdout, environment)
    stdout.write(
      json
        ? `${JSON.stringify({ ...(answer as EvalAnswer), results: run.results })}\n`
        : evalReport(answer, paint) + runTable(run, paint),
    )
    return answer.failing.length === 0 ? 0 : 1
  } finally {
    progress.end()
  }
}
