import { FILE_STATES_ENDED, FILE_STATES_RUNNING, hasEnded, type Job, type JobFile } from '../server/jobs.ts'
import { countText, durationText, numberText } from './units.ts'

const STAGES = {
  ...{ parse: 'Reading', embed: 'Embedding', publish: 'Publishing' },
  ...{ compare: 'Comparing', repair: 'Repairing', check: 'Comparing again', ask: 'Asking' },
} as const

/** Where a job is, in a few words. A further attempt is named: its figures begin anew. */
export function stageText({ state, stage, attempt, waitsFor, waiting }: Job, now = Date.now()): string {
  const again = attempt > 1 ? `, attempt ${attempt}` : ''
  if (state === 'queued')
    return waitsFor === undefined ? `Waiting for its turn${again}` : `Waiting for the ${waitsFor}`
  if (state !== 'running') return { done: 'Done', failed: 'Failed', cancelled: 'Cancelled' }[state]
  if (waiting) {
    const seconds = Math.max(0, (now - Date.parse(waiting.since)) / 1000)
    return `Waiting for ${waiting.server}: ${waiting.reason}, ${durationText(seconds)}${again}`
  }
  return `${stage === null ? 'Starting' : STAGES[stage]}${again}`
}

/**
 * How much of a job is done, from 0 to 1: by the time that is left where the server knows it, else by files. Undefined
 * where neither is known.
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
export function progressFacts({ files, chunks, points, questions, rate, etaSeconds }: Job): string[] {
  if (questions)
    return [
      `${numberText(questions.done)} of ${countText(questions.total, 'question')}`,
      ...(etaSeconds === null ? [] : [`about ${durationText(etaSeconds)} left`]),
    ]
  if (points)
    return [
      `${numberText(points.compared)} of ${countText(points.total, 'point')}`,
      ...(points.found > 0 ? [`${numberText(points.found)} to mend`] : []),
      ...(chunks.embedded > 0 ? [`${countText(chunks.embedded, 'text')} embedded`] : []),
      ...(etaSeconds === null ? [] : [`about ${durationText(etaSeconds)} left`]),
    ]
  return [
    ...(files.total > 0 ? [`${numberText(files.done)} of ${countText(files.total, 'file')}`] : []),
    ...(files.failed > 0 ? [`${numberText(files.failed)} failed`] : []),
    ...(chunks.seen > 0 ? [`${countText(chunks.seen, 'chunk')} read`] : []),
    ...(chunks.written > 0 ? [`${numberText(chunks.written)} written`] : []),
    ...(rate !== null && rate > 0 ? [`${numberText(Math.round(rate))} chunks per second`] : []),
    ...(etaSeconds === null ? [] : [`about ${durationText(etaSeconds)} left`]),
  ]
}

/** The text of the green button while a job runs. */
export function buttonText(job: Job): string {
  const part = partDone(job)
  return part === undefined ? 'Upserting…' : `Upserting ${Math.min(99, Math.round(part * 100))} %`
}

/** How long a job has run or ran, in seconds; undefined where it has not begun. */
export function secondsOf({ startedAt, finishedAt }: Job, now = Date.now()): number | undefined {
  if (startedAt === null) return undefined
  const end = finishedAt === null ? now : Date.parse(finishedAt)
  return Math.max(0, (end - Date.parse(startedAt)) / 1000)
}

/** The states that files of a running or ended job may have. */
export const fileStates = (running: boolean): readonly JobFile['state'][] =>
  running ? FILE_STATES_RUNNING : FILE_STATES_ENDED

/** How long a file took. */
export function fileTimeText(ms: number | null): string {
  if (ms === null) return '–'
  return ms < 1000 ? `${numberText(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
}

/** What a job is, by its kind. */
export const kindText = ({ kind }: Pick<Job, 'kind'>): string =>
  ({
    upsert: 'Upsert',
    reindex: 'Reindex',
    dryRun: 'Dry run',
    verify: 'Check',
    repair: 'Repair',
    eval: 'Questions',
    compare: 'Comparison',
  })[kind]

type Loc = { pageNumber?: unknown; lines?: { from?: unknown; to?: unknown } }

/** The place of a chunk in its source, and the headings above it. */
export const placeText = (metadata: unknown): string =>
  [linesText(metadata), headingsText(metadata)].filter(Boolean).join(' · ')

/** The headings above a chunk; empty for none. */
export function headingsText(metadata: unknown): string {
  const headings = (metadata as { headings?: unknown } | null)?.headings
  return Array.isArray(headings) ? headings.join(' › ') : ''
}

/** Where a chunk was in its source, by its metadata: the page, else the lines; empty where they have neither. */
function linesText(metadata: unknown): string {
  const loc = (metadata as { loc?: Loc } | null)?.loc
  if (typeof loc?.pageNumber === 'number') return `page ${loc.pageNumber}`
  const { from, to } = loc?.lines ?? {}
  if (typeof from !== 'number' || typeof to !== 'number') return ''
  return from === to ? `line ${from}` : `lines ${from}–${to}`
}

/** The figures of a node in a job, in the order of the work. */
export function nodeFacts({
  files,
  documents,
  chunks,
  embedded,
  reused,
  errors,
}: Job['nodes'][number]): string[] {
  return [
    ...(files > 0 ? [countText(files, 'file')] : []),
    ...(documents > 0 ? [countText(documents, 'document')] : []),
    ...(chunks > 0 ? [countText(chunks, 'chunk')] : []),
    ...(embedded > 0 ? [`${numberText(embedded)} embedded`] : []),
    ...(reused > 0 ? [`${numberText(reused)} reused`] : []),
    ...(errors > 0 ? [countText(errors, 'error')] : []),
  ]
}
