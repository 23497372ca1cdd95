import { SluiceError } from '../../kit/errors.ts'
import { BACK_TO_THE_QUEUE } from '../repositories/job-writes.ts'
import type { SqlSession } from './session.ts'

/** The number of the advisory locks that members hold, each with its id: "slui" in ASCII. */
export const MEMBER_LOCK = 0x73_6c_75_69

/**
 * Takes the lease of a namespace for a member, where no member has it, and abandons the runs that an earlier lease left open: their process can
 * publish nothing from now on. Returns the epoch; undefined where the lease is taken, the member was declared dead, or a statement
 * of an earlier lease still holds its run.
 */
export async function takeLease(
  sql: SqlSession,
  member: number,
  namespace: string,
): Promise<number | undefined> {
  // The lock on the row of the member keeps others from declaring it dead until the lease is stored.
  const row = await sql.get<{ epoch: number }>(
    `WITH me AS (SELECT id FROM nodes WHERE id = $1 FOR KEY SHARE)
     INSERT INTO lanes (lane, node) SELECT $2, id FROM me ON CONFLICT DO NOTHING RETURNING epoch`,
    member,
    namespace,
  )
  if (!row || (await abandonRunsOf(sql, [namespace]))) return row?.epoch
  await releaseLease(sql, namespace, row.epoch)
  return undefined
}

/** Gives a lease back. Does nothing where it is over. */
export const releaseLease = (sql: SqlSession, namespace: string, epoch: number): Promise<number> =>
  sql.run('DELETE FROM lanes WHERE lane = $1 AND epoch = $2', namespace, epoch)

/** Keeps jobs of a namespace from beginning for the next five seconds. */
export const waitForLease = (sql: SqlSession, member: number, namespace: string): Promise<number> =>
  sql.run(
    `INSERT INTO lane_waiters (lane, node) SELECT $2, id FROM nodes WHERE id = $1
     ON CONFLICT (lane, node) DO UPDATE SET waits_at = excluded.waits_at`,
    member,
    namespace,
  )

export const stopWaiting = (sql: SqlSession, member: number, namespace: string): Promise<number> =>
  sql.run('DELETE FROM lane_waiters WHERE lane = $2 AND node = $1', member, namespace)

/**
 * Refuses what comes from a lease that is over; until the end of the transaction the lease cannot be taken by another member.
 *
 * @throws SluiceError `turn_lost`
 */
export async function requireLease(
  sql: SqlSession,
  namespace: string,
  epoch: number | undefined,
): Promise<void> {
  const held = await sql.get(
    'SELECT 1 FROM lanes WHERE lane = $1 AND epoch = $2 FOR SHARE',
    namespace,
    epoch ?? 0,
  )
  if (!held) throw new SluiceError('turn_lost', { namespace })
}

/**
 * Removes the members that are gone: those whose connection has ended, and those that were silent for too long. Their leases
 * are free then, and the jobs that they ran are queued again; so are jobs whose lease was given back without their end. What another
 * connection has locked, maybe one of a frozen member, is left for the next call: nothing else waits for it. Returns how many leases it
 * has freed, and whether there is something new to do.
 */
export async function removeDeadMembers(
  sql: SqlSession,
  self: number,
  deadAfterMs: number,
): Promise<{ freed: number; isNew: boolean }> {
  await sql.run(
    `DELETE FROM nodes WHERE id IN (
       SELECT id FROM nodes WHERE id <> $1 AND (
         seen < clock_timestamp() - $2 * interval '1 millisecond' OR NOT EXISTS (
           SELECT 1 FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
           WHERE datname = current_database() AND locktype = 'advisory' AND classid = $3::bigint::oid
             AND objid = nodes.id::bigint::oid AND objsubid = 2 AND granted))
       FOR UPDATE SKIP LOCKED)`,
    self,
    deadAfterMs,
    MEMBER_LOCK,
  )
  const freed = await sql.all<{ lane: string }>(
    `DELETE FROM lanes WHERE lane IN (
       SELECT lane FROM lanes WHERE NOT EXISTS (SELECT 1 FROM nodes WHERE nodes.id = lanes.node) FOR UPDATE SKIP LOCKED)
     RETURNING lane`,
  )
  if (freed.length > 0)
    await abandonRunsOf(
      sql,
      freed.map(({ lane: namespace }) => namespace),
    )
  const queued = await sql.run(
    `UPDATE jobs SET ${BACK_TO_THE_QUEUE} WHERE seq IN (
       SELECT seq FROM jobs
       WHERE state = 'running' AND NOT EXISTS (SELECT 1 FROM lanes WHERE lanes.lane = jobs.lane) FOR UPDATE SKIP LOCKED)`,
  )
  return { freed: freed.length, isNew: freed.length > 0 || queued > 0 }
}

/**
 * Abandons the open runs of namespaces, also those into an index that is to replace theirs. Runs that another transaction has locked
 * stay as they are; returns whether there were none.
 */
async function abandonRunsOf(sql: SqlSession, namespaces: readonly string[]): Promise<boolean> {
  const row = await sql.get<{ locked: boolean }>(
    `WITH open AS MATERIALIZED (
       SELECT runs.seq FROM runs JOIN indexes ON indexes.id = runs.index_id
         LEFT JOIN indexes AS replaced ON replaced.id = indexes.replaces
       WHERE runs.state = 'open' AND coalesce(replaced.namespace, indexes.namespace) = ANY($1)),
     free AS MATERIALIZED (
       SELECT seq FROM runs WHERE state = 'open' AND seq IN (SELECT seq FROM open) FOR UPDATE SKIP LOCKED),
     abandoned AS (UPDATE runs SET state = 'abandoned' FROM free WHERE runs.seq = free.seq)
     SELECT (SELECT count(*) FROM free) < (SELECT count(*) FROM open) AS locked`,
    namespaces,
  )
  return !row!.locked
}
