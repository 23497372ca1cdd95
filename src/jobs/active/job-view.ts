import { JOB_STAGES, type JobProgress, type JobRecord, type WaitsFor } from '../../contract/job.ts'

/** A job for clients: its record, and its progress at this moment. */
export type JobView = JobRecord & {
  /** Chunks per second over the last seconds. */
  rate: number | null
  etaSeconds: number | null
  /** Of a waiting job its place in the queue, from 1; absent for any other. */
  place?: number
  /** What a waiting job waits for besides its turn: its files are in a bucket that is away. */
  waitsFor?: WaitsFor
  /** Differs whenever anything has changed, also across restarts. */
  version: string
}

/** The view of a job by its record alone. */
export const stillView = (record: JobRecord): JobView => ({
  ...record,
  rate: null,
  etaSeconds: null,
  version: versionOf(record, record.progress),
})

/** The version of a view: the same for the same state and counts on every member, since counts only grow: their sum. */
export const versionOf = ({ changes, state }: JobRecord, progress: JobProgress | null | undefined): string =>
  `${changes}.${state === 'running' && progress ? sumOf(progress) : 0}`

/** The sum of all counts of a progress, and of its stage: it only grows while a job runs. */
export function sumOf(progress: JobProgress): number {
  const { files, chunks, nodes = [], points, questions, stage, waits } = progress
  let sum = JOB_STAGES.indexOf(stage) + files.total + files.done + files.failed + Number(files.known)
  sum += (files.bytes?.total ?? 0) + (files.bytes?.done ?? 0)
  for (const count of Object.values(chunks)) sum += count
  sum += waits?.count ?? 0
  if (questions) sum += questions.total + questions.done
  if (points) sum += points.total + points.found + points.passes
  for (const { files, documents, chunks, embedded, reused, errors } of nodes)
    sum += files + documents + chunks + embedded + reused + errors
  return sum
}
