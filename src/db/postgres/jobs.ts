import type { JobStore, Receipt } from '../../contract/job.ts'
import { JOB_COLUMNS, jobFromRow, type KeptFile, jobFileOf } from '../rows/job.ts'
import type { PostgresDatabase } from './database.ts'
import { NOT_OF_DELETED_FLOWS } from '../repositories/not-deleted.ts'
import {
  BACK_TO_THE_QUEUE,
  changedJob,
  endJobRow,
  findRepeatedJob,
  insertJobRow,
  pruneJobRows,
  retryJobRow,
} from './job-writes.ts'
import { jsonOf } from './json-text.ts'

/** A list shows the counts of a result; documents and files are in the answer for one job. */
const LISTED_COLUMNS = `${JOB_COLUMNS.replace(/\bresult$/, '')}
  ((${jsonOf('result')})::jsonb - '{files,addedDocs,sourceDocuments,warnings}'::text[])::text AS result`

/** The files of a job; of one whose process ended between the publication and the end, from its result. */
const FILES_OF_JOB = `FROM jobs,
    json_array_elements(coalesce(${jsonOf('files')}, ${jsonOf('result')} -> 'files', '[]'))
      WITH ORDINALITY AS file (value, place)
  WHERE jobs.id = $1 AND ($2::text IS NULL OR coalesce(file.value ->> 'state', file.value ->> 'status') = $2)
    AND ($3::text IS NULL OR strpos(lower(file.value ->> 'name'), lower($3)) > 0)`

/** The jobs of all nodes. */
export function postgresJobs({ reader, writer, transaction }: PostgresDatabase): JobStore {
  const store: JobStore = {
    insert: (job, repeatableSince) => transaction((session) => insertJobRow(session, job, repeatableSince)),
    findRepeated: (idempotency, since) => findRepeatedJob(reader, idempotency, since),
    async find(id) {
      return changedJob(await reader.get(`SELECT ${JOB_COLUMNS} FROM jobs WHERE id = $1`, id))
    },
    async list({ flowId, state, kind, offset, limit }) {
      const where = `WHERE ($1::text IS NULL OR flow_id = $1) AND ($2::text IS NULL OR state = $2)
        AND ($3::text IS NULL OR kind = $3) AND ${NOT_OF_DELETED_FLOWS}`
      const given = [flowId ?? null, state ?? null, kind ?? null]
      const rows = await reader.all(
        `SELECT ${LISTED_COLUMNS} FROM jobs ${where} ORDER BY seq DESC LIMIT $4 OFFSET $5`,
        ...given,
        limit,
        offset,
      )
      const { total } = (await reader.get<{ total: number }>(
        `SELECT count(*) AS total FROM jobs ${where}`,
        ...given,
      ))!
      return { rows: rows.map(jobFromRow), total }
    },
    async files(id, { state, search, offset, limit }) {
      const given = [id, state ?? null, search ?? null]
      const rows = await reader.all<{ value: KeptFile }>(
        `SELECT file.value ${FILES_OF_JOB} ORDER BY file.place LIMIT $4 OFFSET $5`,
        ...given,
        limit,
        offset,
      )
      const { total } = (await reader.get<{ total: number }>(
        `SELECT count(*) AS total ${FILES_OF_JOB}`,
        ...given,
      ))!
      return { rows: rows.map(({ value }) => jobFileOf(value)), total }
    },
    async endedSince(since, limit) {
      const rows = await reader.all(
        `SELECT ${LISTED_COLUMNS} FROM jobs WHERE finished_at >= $1 ORDER BY finished_at DESC, seq DESC LIMIT $2`,
        since,
        limit,
      )
      return rows.map(jobFromRow).toReversed()
    },
    async request(id) {
      const row = await reader.get<{ request: string | null }>('SELECT request FROM jobs WHERE id = $1', id)
      return row?.request ?? undefined
    },
    async receipt(id) {
      const row = await reader.get<{ receipt: string | null }>('SELECT receipt FROM runs WHERE job = $1', id)
      return row?.receipt ? (JSON.parse(row.receipt) as Receipt) : undefined
    },
    async begin(id, now) {
      const row = await writer.get(
        `UPDATE jobs SET state = 'running', turn = turn + 1, started_at = $2 WHERE id = $1 AND state = 'queued'
         RETURNING ${JOB_COLUMNS}`,
        id,
        now,
      )
      return changedJob(row)
    },
    async note(id, progress, turn) {
      await writer.run(
        `UPDATE jobs SET progress = $2 WHERE id = $1 AND state = 'running' AND turn = coalesce($3, turn)`,
        id,
        JSON.stringify(progress),
        turn ?? null,
      )
    },
    end: (end) => transaction((session) => endJobRow(session, end)),
    async endLater(end) {
      await store.end(end)
    },
    async requeue(id, turn) {
      const row = await writer.get(
        `UPDATE jobs SET ${BACK_TO_THE_QUEUE} WHERE id = $1 AND state = 'running' AND turn = coalesce($2, turn)
         RETURNING ${JOB_COLUMNS}`,
        id,
        turn ?? null,
      )
      return changedJob(row)
    },
    retry: (id, payload) => retryJobRow(writer, id, payload),
    recover: () =>
      transaction(async (session) => {
        await session.run(
          `UPDATE jobs SET state = 'cancelled', turn = turn + 1, finished_at = flows.deleted_at FROM flows
           WHERE flows.id = flow_id AND flows.deleted_at IS NOT NULL AND state IN ('queued', 'running')`,
        )
        // Jobs of namespaces whose turn a node has are running.
        await session.run(
          `UPDATE jobs SET ${BACK_TO_THE_QUEUE} WHERE state = 'running'
             AND NOT EXISTS (SELECT 1 FROM lanes WHERE lanes.lane = jobs.lane)`,
        )
        const rows = await session.all(`SELECT ${JOB_COLUMNS} FROM jobs WHERE state = 'queued' ORDER BY seq`)
        return rows.map(jobFromRow)
      }),
    async folders(flowId) {
      const rows = await reader.all<{ folder: string }>(
        'SELECT folder FROM jobs WHERE folder IS NOT NULL AND ($1::text IS NULL OR flow_id = $1)',
        flowId ?? null,
      )
      return rows.map(({ folder }) => folder)
    },
    prune: (retention) => transaction((session) => pruneJobRows(session, retention)),
  }
  return store
}
