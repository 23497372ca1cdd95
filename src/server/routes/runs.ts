import { setTimeout as pause } from 'node:timers/promises'
import { idParams } from '../../api/params.ts'
import {
  type RunAnswer,
  runAgainBody,
  runAgainShape,
  runList,
  runListQuery,
  runShape,
} from '../../api/run.ts'
import { findFlow } from '../../flow/find-flow.ts'
import { SluiceError } from '../../kit/errors.ts'
import { MANAGER, type PrepareTurn } from '../chat/turn.ts'
import { MANAGEMENT } from '../management.ts'
import type { Platform } from '../platform.ts'
import { type Route, route } from '../route.ts'
import { drawingAt } from '../runs/drawing-of-run.ts'
import { headOfAnswer, recordOfAnswer } from '../runs/record-of-answer.ts'
import { headOfJob, recordOfJob } from '../runs/record-of-job.ts'
import { requestAgain } from '../runs/repeat-run.ts'
import { type SentEvent, sendEvents } from '../sse.ts'

/** How often the record of a run that goes on is read, in milliseconds: it is stored about as often. */
const WATCH_MS = 1000

/**
 * The records of runs: answers and jobs in one form. They contain texts of users and documents: only managers read them.
 *
 * @param stopping aborts when the server stops; clients that follow a run reconnect after the next start
 */
export function runRoutes(platform: Platform, prepareTurn: PrepareTurn, stopping: AbortSignal): Route[] {
  const { executions, flows, jobs, mask, messages } = platform

  /** The record of an answer or a job. Secrets that became known after the run are masked too. */
  async function find(id: string): Promise<RunAnswer> {
    const execution = await executions.find(id)
    if (execution) {
      const found = await drawingAt(flows, execution.flowId, execution.createdAt)
      return mask.json(recordOfAnswer(execution, found))
    }
    const job = await jobs.find(id)
    if (!job) throw new SluiceError('run_not_found', { id })
    return mask.json(recordOfJob(job, await drawingAt(flows, job.flowId, job.createdAt)))
  }

  /** The record as it is, and again whenever it has changed. Any member of a cluster reads it where all store it. */
  async function* changes(first: RunAnswer, signal: AbortSignal): AsyncGenerator<SentEvent> {
    let sent = ''
    let run = first
    for (let number = 1; ; number++) {
      const text = JSON.stringify(run)
      if (text !== sent) yield { id: String(number), event: 'run', data: run }
      sent = text
      if (run.state !== 'INPROGRESS') return
      await pause(WATCH_MS, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return
      run = await find(run.id)
    }
  }

  return [
    route({
      ...MANAGEMENT,
      method: 'GET',
      url: '/api/v1/runs',
      summary: 'The last runs of a flow, newest first: answers and jobs',
      query: runListQuery,
      answer: { description: 'The runs', shape: runList },
      async handle({ query: { flowId, limit } }) {
        const flow = await findFlow(flows, flowId)
        const range = { offset: 0, limit }
        const [answers, loads] = await Promise.all([
          executions.summaries({ flowId: flow.id }, range),
          jobs.list({ flowId: flow.id, ...range }),
        ])
        const heads = [...answers.rows.map(headOfAnswer), ...loads.rows.map(headOfJob)]
        const newestFirst = heads.toSorted((one, other) => (one.startedAt < other.startedAt ? 1 : -1))
        return { data: newestFirst.slice(0, limit) }
      },
    }),
    route({
      ...MANAGEMENT,
      method: 'GET',
      url: '/api/v1/runs/:id',
      summary:
        'The record of a run, that goes on or has ended: its steps on one time axis, and what passed its drawing',
      params: idParams,
      answer: { description: 'The record, which is also a file that opens elsewhere', shape: runShape },
      handle: async ({ params }) => find(params.id),
    }),
    route({
      ...MANAGEMENT,
      method: 'GET',
      url: '/api/v1/runs/:id/events',
      summary:
        'An event for each change of the record of a run, at most one a second, until the run has ended',
      params: idParams,
      answer: {
        description: 'Events with the name run; the data is the record',
        type: 'text/event-stream',
      },
      async handle({ params, reply, clientGone }) {
        const first = await find(params.id)
        const signal = AbortSignal.any([clientGone(), stopping])
        return sendEvents(reply, changes(first, signal), signal)
      },
    }),
    route({
      ...MANAGEMENT,
      method: 'POST',
      url: '/api/v1/runs/:id/again',
      summary:
        'Do an answer again from one of its steps, with the recorded answers of its tools unless asked otherwise',
      params: idParams,
      body: runAgainBody,
      answer: { description: 'The new answer, and the id of its run', shape: runAgainShape },
      async handle({ params, body, clientGone }) {
        const execution = await executions.find(params.id)
        if (!execution) {
          if (!(await jobs.find(params.id))) throw new SluiceError('run_not_found', { id: params.id })
          throw new SluiceError('run_not_repeatable', {
            reason: 'it is a job, which is started again as a whole',
            hint: 'Retry the job, or load its files again',
          })
        }
        const flow = await findFlow(flows, execution.flowId)
        const request = await requestAgain(execution, flow, messages, body)
        const gone = clientGone()
        const turn = await prepareTurn(flow, request, MANAGER)
        await turn.begin()
        const { prediction } = await turn.run(gone)
        const { executionId, chatId, text } = prediction
        return { runId: String(executionId ?? ''), chatId, text }
      },
    }),
  ]
}
