import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openBucket } from '../../../src/blobs/open-bucket.ts'
import { onlyMember } from '../../../src/kit/only-member.ts'
import { postgresJobStore } from '../../../src/db/postgres/jobs.ts'
import { readConfig } from '../../../src/kit/config.ts'
import { quietLog } from '../../../src/kit/log.ts'
import { blobUploadShelf } from '../../../src/jobs/shelves/blob-upload-shelf.ts'
import { createJobSweep } from '../../../src/jobs/job-sweep.ts'
import { randomBelow } from '../random.ts'
import { objectsOf } from '../s3-server.ts'
import { untilEqual } from '../until.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { type Fault, inflict, nameOf, type Takeover } from './faults.ts'
import { makeFlows, type Progress, submitAll } from './load.ts'
import { judge, type Verdict } from './verdict.ts'

/** How often the jobs are counted, in milliseconds. */
const LOOK_MS = 25

/** How long all jobs may take, in milliseconds: they would take ten seconds without faults. */
const LONGEST_MS = 240_000

/** How much later the uploads without a job are removed, in milliseconds: they are kept for an hour. */
const AHEAD_MS = 2 * 3_600_000

export type ChaosOptions = {
  seed: number
  jobs: number
  flows: number
  plan: readonly Fault[]
  hasFence?: boolean
  longestMs?: number
  note?: (line: string) => void
}

export type ChaosReport = Verdict & { seconds: number; takeovers: Takeover[]; happened: string[] }

/** Runs jobs on three members while faults happen, one after every few jobs; then judges what is there. */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const { seed, jobs, plan, hasFence = true, longestMs = LONGEST_MS, note = () => {} } = options
  const random = randomBelow(seed)
  const cluster = await startCluster({ members: 3, hasFence })
  const watched = watchJobs(cluster)
  try {
    const flows = await makeFlows(cluster, options.flows)
    const began = performance.now()
    const { progress } = watched
    const late = AbortSignal.timeout(longestMs)
    const takeovers: Takeover[] = []
    const happened: string[] = []
    // Where jobs are quicker than faults, as on a slow machine, more jobs follow.
    const isEnough = () => happened.length === plan.length
    const submitting = submitAll({
      ...{ cluster, flows, jobs, isEnough, mostOpen: 18, progress, signal: late, random },
    })
    const mending: Promise<void>[] = []
    const over = new AbortController()
    late.addEventListener('abort', () => over.abort())
    void submitting.then(async () => {
      while (progress.open > 0 && !late.aborted) await pause(LOOK_MS)
      over.abort()
    })
    const step = Math.floor((jobs * 0.9) / plan.length)
    for (const [place, fault] of plan.entries()) {
      while (progress.ended < (place + 1) * step && !over.signal.aborted) await pause(LOOK_MS)
      // One member at least has to go on.
      while (cluster.up().length < 2 && !late.aborted) await pause(LOOK_MS)
      const up = cluster.up()
      const member = up[random(Math.max(1, up.length))]
      if (over.signal.aborted || !member) break
      note(`${progress.ended} ended, ${progress.open} open: ${nameOf(fault)} on member ${member.place}`)
      const mend = await inflict(fault, member, {
        cluster,
        signal: over.signal,
        noteTakeover: (takeover) => void takeovers.push(takeover),
      })
      happened.push(nameOf(fault))
      mending.push(mend())
    }
    const submitted = await submitting
    await Promise.all(mending)
    while (progress.ended < submitted.length && !late.aborted) await pause(LOOK_MS)
    const seconds = (performance.now() - began) / 1000
    const verdict = await judge(cluster, flows, submitted)
    if (submitted.length < jobs || progress.ended < submitted.length)
      verdict.problems.push(`only ${progress.ended} of ${Math.max(jobs, submitted.length)} jobs ended`)
    verdict.problems.push(...(await leftovers(cluster)))
    return { ...verdict, seconds, takeovers, happened }
  } finally {
    watched.end()
    await cluster.close()
  }
}

/** Counts the jobs again and again. */
export function watchJobs({ database }: Cluster): { progress: Progress; end(): void } {
  const progress: Progress = { ended: 0, open: 0 }
  let isOver = false
  async function watch(): Promise<void> {
    while (!isOver) {
      const row = await database.reader
        .get<Progress>(
          `SELECT count(*) FILTER (WHERE finished_at IS NOT NULL) AS ended,
             count(*) FILTER (WHERE finished_at IS NULL) AS open FROM jobs`,
        )
        .catch(() => undefined)
      Object.assign(progress, row)
      await pause(LOOK_MS)
    }
  }
  void watch()
  return {
    progress,
    end() {
      isOver = true
    },
  }
}

/** Uploads that stay in the bucket, or on the disk of a member, after the hourly work. */
async function leftovers({ database, bucketUrl, bucket, home, spooled }: Cluster): Promise<string[]> {
  const { shelf } = openBucket(bucketUrl, readConfig({ flags: {}, environment: {}, directory: home }))
  const { sweep, close } = createJobSweep({
    store: postgresJobStore(database),
    shelf: blobUploadShelf(shelf, path.join(home, 'spool'), { clock: () => Date.now() + AHEAD_MS }),
    ...{ uploadBytes: 0, alone: onlyMember, log: quietLog, clock: Date.now },
  })
  await sweep()
  close()
  await shelf.close()
  const found = await objectsOf(bucket, 'uploads/')
  // Members hear of the last ends within a second, or when a silent connection was given up.
  await untilEqual(async () => spooled().length, 0).catch(() => {})
  return [
    ...found.map((name) => `the bucket still has ${name}`),
    ...spooled().map((name) => `a node still holds the upload ${name}`),
  ]
}
