import type { JobFile, JobRecord } from '../../contract/job.ts'
import type { OpenJob } from '../../contract/job-queue.ts'
import { JOB_COLUMNS, jobFromRow } from '../rows/job.ts'
import { BACK_TO_THE_QUEUE } from '../repositories/job-writes.ts'
import { releaseLease, takeLease } from './leases.ts'
import type { SqlSession } from './session.ts'

/** How many namespaces one claim tries: other members may take the first ones at the same moment. */
const CANDIDATES = 10

/** The owner of a job, also of one that a server of a version before owners has stored. See `jobOwner`. */
const OWNER = `coalesce(owner, 'flow:' || flow_id)`

/** What decides whose job is next: the owner with the fewest running, then the owner and the flow served longest ago. */
const WHOSE_JOB_IS_NEXT = `coalesce(running, 0), owner_turns.served_at NULLS FIRST, flow_turns.served_at NULLS FIRST, seq`

/**
 * The next job of each namespace that is free, in the order of turns. A job waits for the earlier ones of its owner in its namespace.
 * With $2 only jobs of owners without a running one; of those with uploads only ones with a folder of $3, unless that is null.
 */
const HEADS = `
  WITH busy AS MATERIALIZED (
    SELECT ${OWNER} AS owner, count(*) AS running FROM jobs WHERE state = 'running' GROUP BY 1),
  first AS MATERIALIZED (
    SELECT DISTINCT ON (lane, ${OWNER}) lane, ${OWNER} AS owner, flow_id, seq, folder
    FROM jobs WHERE state = 'queued' AND NOT cancel_asked ORDER BY lane, ${OWNER}, seq),
  ordered AS (
    SELECT lane, first.owner, seq, row_number() OVER (ORDER BY ${WHOSE_JOB_IS_NEXT}) AS place
    FROM first LEFT JOIN busy ON busy.owner = first.owner
      LEFT JOIN owner_turns ON owner_turns.owner = first.owner
      LEFT JOIN flow_turns ON flow_turns.flow_id = first.flow_id
    WHERE lane <> ALL($1) AND (NOT $2 OR running IS NULL) AND (folder IS NULL OR $3::text[] IS NULL OR folder = ANY($3))
      AND NOT EXISTS (SELECT 1 FROM lanes WHERE lanes.lane = first.lane)
      AND NOT EXISTS (SELECT 1 FROM lane_waiters WHERE lane_waiters.lane = first.lane
        AND waits_at > clock_timestamp() - interval '5 seconds'))
  SELECT lane, owner FROM (SELECT DISTINCT ON (lane) lane, owner, place FROM ordered ORDER BY lane, place) AS head
  ORDER BY place LIMIT ${CANDIDATES}`

/** Queues the jobs of a namespace that run without its lease. Those that another transaction has locked stay as they are. */
const REQUEUE = `
  WITH running AS MATERIALIZED (SELECT seq FROM jobs WHERE lane = $1 AND state = 'running'),
  free AS MATERIALIZED (
    SELECT seq FROM jobs WHERE state = 'running' AND seq IN (SELECT seq FROM running) FOR UPDATE SKIP LOCKED),
  queued AS (UPDATE jobs SET ${BACK_TO_THE_QUEUE} FROM free WHERE jobs.seq = free.seq)
  SELECT (SELECT count(*) FROM free) < (SELECT count(*) FROM running) AS locked`

const BEGIN = `
  UPDATE jobs SET state = 'running', turn = turn + 1, started_at = $2
  WHERE seq = (SELECT min(seq) FROM jobs WHERE lane = $1 AND ${OWNER} = $3 AND state = 'queued' AND NOT cancel_asked)
    AND state = 'queued' AND NOT cancel_asked AND (folder IS NULL OR $4::text[] IS NULL OR folder = ANY($4))
  RETURNING ${JOB_COLUMNS}`

/**
 * Begins the next job and takes the lease of its namespace, see `JobQueue.claim`.
 *
 * @param busy namespaces that work of this process has still to do with
 * @param idleOnly takes only jobs of owners without a running one
 * @param folders see `JobQueue.claim`
 */
export async function claimJob(
  sql: SqlSession,
  member: number,
  {
    now,
    busy,
    idleOnly,
    folders = null,
  }: {
    now: number
    busy: readonly string[]
    idleOnly: boolean
    folders?: readonly string[] | null | undefined
  },
): Promise<{ job: JobRecord; epoch: number } | undefined> {
  for (const { lane: namespace, owner } of await sql.all<{ lane: string; owner: string }>(
    HEADS,
    busy,
    idleOnly,
    folders,
  )) {
    const epoch = await takeLease(sql, member, namespace)
    if (epoch === undefined) continue
    // A job whose lease was given back without its end comes before the later ones of its owner in its namespace.
    const { locked } = (await sql.get<{ locked: boolean }>(REQUEUE, namespace))!
    const row = locked ? undefined : await sql.get(BEGIN, namespace, now, owner, folders)
    if (row) {
      const job = jobFromRow(row)
      await sql.run(
        `INSERT INTO flow_turns (flow_id, served_at) VALUES ($1, clock_timestamp())
         ON CONFLICT (flow_id) DO UPDATE SET served_at = excluded.served_at`,
        job.flowId,
      )
      await sql.run(
        `INSERT INTO owner_turns (owner, served_at) VALUES ($1, clock_timestamp())
         ON CONFLICT (owner) DO UPDATE SET served_at = excluded.served_at`,
        owner,
      )
      return { job, epoch }
    }
    // Another member ended its job between the two statements, or a statement of an earlier lease still holds one.
    await releaseLease(sql, namespace, epoch)
  }
  return undefined
}

/** See `JobQueue.open`. */
export async function openJobs(sql: SqlSession): Promise<OpenJob[]> {
  const rows = await sql.all(
    `SELECT ${JOB_COLUMNS}, cancel_asked FROM jobs WHERE state IN ('queued', 'running') ORDER BY seq`,
  )
  return rows.map((row) => ({ job: jobFromRow(row), isCancelled: row.cancel_asked as boolean }))
}

/** See `JobQueue.cancel`. */
export const askToCancelJob = (sql: SqlSession, id: string): Promise<number> =>
  sql.run(`UPDATE jobs SET cancel_asked = true WHERE id = $1 AND state IN ('queued', 'running')`, id)

/** See `JobQueue.noteFiles`. */
export const noteJobFiles = (
  sql: SqlSession,
  { id, files, changes }: { id: string; files: readonly JobFile[]; changes: number },
): Promise<number> =>
  sql.run(
    `UPDATE jobs SET files = $2 WHERE id = $1 AND state = 'running' AND turn = $3`,
    id,
    JSON.stringify(files),
    changes,
  )
