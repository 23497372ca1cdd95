import { countText, durationText, numberText } from '../../../parts/units.ts'
import { hasEnded, type Job } from '../../../server/jobs.ts'

const STAGES = { parse: 'Reading', embed: 'Embedding', publish: 'Publishing' } as const

/** Where a job is, in a few words. */
export function stageText({ state, stage }: Job): string {
  if (state === 'queued') return 'Waiting for its turn'
  if (state !== 'running') return { done: 'Done', failed: 'Failed', cancelled: 'Cancelled' }[state]
  return stage === null ? 'Starting' : STAGES[stage]
}

/**
 * How much of a job is done, from 0 to 1: by the time that is left where the server knows it, else by files. Undefined
 * where neither says anything.
 */
export function partDone(job: Job, now = Date.now()): number | undefined {
  if (hasEnded(job)) return 1
  const { startedAt, etaSeconds, files } = job
  if (startedAt !== null && etaSeconds !== null) {
    const elapsed = Math.max(0, (now - Date.parse(startedAt)) / 1000)
    return elapsed + etaSeconds === 0 ? undefined : elapsed / (elapsed + etaSeconds)
  }
  return files.total > 1 ? files.done / files.total : undefined
}

/** Files, chunks, rate and the time left. */
export function progressFacts({ files, chunks, rate, etaSeconds }: Job): string[] {
  return [
    ...(files.total > 0 ? [`${numberText(files.done)} of ${countText(files.total, 'file')}`] : []),
    ...(files.failed > 0 ? [`${numberText(files.failed)} failed`] : []),
    ...(chunks.seen > 0 ? [`${countText(chunks.seen, 'chunk')} read`] : []),
    ...(chunks.written > 0 ? [`${numberText(chunks.written)} written`] : []),
    ...(rate !== null && rate > 0 ? [`${numberText(Math.round(rate))} chunks per second`] : []),
    ...(etaSeconds === null ? [] : [`about ${durationText(etaSeconds)} left`]),
  ]
}

/** What the green button says while a job runs. */
export function buttonText(job: Job): string {
  const part = partDone(job)
  return part === undefined ? 'Upserting…' : `Upserting ${Math.min(99, Math.round(part * 100))} %`
}
