import type { FlowStore } from '../../contract/flow-store.ts'
import { questionWatchOf } from '../../flow/settings/question-watch.ts'
import { jobOwner } from '../../callers/job-owner.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import type { Performer } from '../../jobs/performer.ts'
import { reasonOf, SluiceError } from '../../kit/errors.ts'
import { flowFacts } from '../../kit/flow-facts.ts'
import type { Log } from '../../kit/log.ts'
import type { QuestionJobs } from './question-jobs.ts'

export type WatchOptions = {
  flows: Pick<FlowStore, 'find'>
  jobs: Pick<Jobs, 'submit' | 'list'>
  evaluations: Pick<QuestionJobs, 'prepare'>
  log: Log
}

/**
 * Upserts after which the questions of the flow are asked, where its setting `questions` says so. That is a job of its own: it never
 * fails the upsert, and upserts one after another have at most one of it waiting.
 */
export function watchedUpserts(upserts: Performer, options: () => WatchOptions): Performer {
  return {
    ...upserts,
    async run(request, task) {
      const result = await upserts.run(request, task)
      const { flow, chatId } = request as { flow?: { id?: unknown }; chatId?: unknown }
      // Files of a conversation are found by nobody else.
      const isForAll = chatId === undefined && result.dryRun !== true
      if (typeof flow?.id === 'string' && isForAll) await askAfter(flow.id, options())
      return result
    },
  }
}

async function askAfter(id: string, { flows, jobs, evaluations, log }: WatchOptions): Promise<void> {
  try {
    const flow = await flows.find(id)
    if (!flow || questionWatchOf(flow.config.apiConfig) === 'off') return
    const waiting = await jobs.list({ flowId: id, kind: 'eval', state: 'queued', offset: 0, limit: 1 })
    if (waiting.total > 0) return
    const prepared = await evaluations.prepare(flow, { cause: 'upsert' })
    await jobs.submit({ ...prepared, kind: 'eval', flowId: id, owner: jobOwner({ flow: id }) })
  } catch (error) {
    if (error instanceof SluiceError && error.code === 'questions_missing') return
    log.warn('questions-not-asked', { ...flowFacts({ id }), reason: reasonOf(error) })
  }
}
