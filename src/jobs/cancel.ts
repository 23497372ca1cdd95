import { hasEnded } from './has-ended.ts'
import type { JobStore } from '../contract/job.ts'
import { SluiceError } from '../kit/errors.ts'
import { stillView } from './active/job-view.ts'
import type { JobEnvelope } from './envelope.ts'
import type { Jobs } from './jobs.ts'
import type { KnownJobs } from './known-jobs.ts'
import type { JobRunner } from './runners/runner.ts'

export type CancellingOptions = {
  store: JobStore
  envelope: JobEnvelope
  runner: JobRunner
  known: KnownJobs
  removeUploads(folder: string): Promise<void>
}

/** How clients end jobs: one, those of a kind of request, or all of a flow. */
export function cancellingJobs(options: CancellingOptions): Pick<Jobs, 'cancel' | 'cancelMatching' | 'drop'> {
  const { store, envelope, runner, known } = options
  const activeOf = (flowId: string) =>
    [...runner.active.values()].filter((job) => job.record.flowId === flowId)

  return {
    async cancel(id) {
      const job = await known.openJob(id)
      const record = job ? await runner.cancel(job) : await known.findRecord(id)
      if (!record) throw new SluiceError('job_not_found', { id })
      if (!job && !hasEnded(record.state)) throw new SluiceError('stopping')
      if (!job || record.state !== 'cancelled')
        throw new SluiceError('job_ended', { id: record.id, state: record.state })
      return stillView(record)
    },

    async cancelMatching(flowId, matches) {
      await runner.current()
      for (const job of activeOf(flowId)) {
        const sealed = await store.request(job.id)
        if (sealed !== undefined && matches(envelope.open(sealed).request)) await runner.cancel(job)
      }
    },

    async drop(flowId, remove) {
      const folders = await store.folders(flowId)
      await remove()
      await runner.current()
      await Promise.all(activeOf(flowId).map((job) => runner.cancel(job)))
      for (const folder of folders) await options.removeUploads(folder)
    },
  }
}
