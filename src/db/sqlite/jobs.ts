import type { JobStore, Receipt } from '../../contract/job.ts'
import type { Database } from './database.ts'
import { DELETED_FLOWS } from './deleted-flows.ts'
import { JOB_COLUMNS, jobFileOf, jobFromRow } from '../rows/job.ts'
import {
  beginJob,
  endJob,
  findRepeated,
  insertJob,
  noteJob,
  pruneJobs,
  recoverJobs,
  requeueJob,
  retryJob,
} from './job-writes.ts'

/** A list shows the counts of a result; documents and files are in the answer for one job. */
const LISTED_COLUMNS = `${JOB_COLUMNS.replace(/\bresult$/, '')}
  json_remove(result, '$.files', '$.addedDocs', '$.sourceDocuments', '$.warnings') AS result`

/** The files of a job; of one whose process ended between the publication and the end, from its result. */
const FILES_OF_JOB = `FROM jobs, json_each(coalesce(files, result -> '$.files', '[]')) AS file
  WHERE jobs.id = ?1 AND (?2 IS NULL OR coalesce(file.value ->> '$.state', file.value ->> '$.status') = ?2)
    AND (?3 IS NULL OR instr(lower(file.value ->> '$.name'), lower(?3)) > 0)`

/** The jobs in this database. */
export function jobStore(database: Database): JobStore {
  const { reader } = database
  return {
    insert: (job, repeatableSince) => database.write(insertJob, { job, repeatableSince }),
    async findRepeated(idempotency, since) {
      return findRepeated(reader, idempotency, since)
    },
    async find(id) {
      const row = reader.get(`SELECT ${JOB_COLUMNS} FROM jobs WHERE id = ?`, id)
      return row && jobFromRow(row)
    },
    async list({ flowId, state, kind, offset, limit }) {
      const where = `WHERE (?1 IS NULL OR flow_id = ?1) AND (?2 IS NULL OR state = ?2)
        AND (?3 IS NULL OR kind = ?3) AND flow_id NOT IN (${DELETED_FLOWS})`
      const given = [flowId ?? null, state ?? null, kind ?? null] as const
      const rows = reader.all(
        `SELECT ${LISTED_COLUMNS} FROM jobs ${where} ORDER BY seq DESC LIMIT ?4 OFFSET ?5`,
        ...given,
        limit,
        offset,
      )
      const { total } = reader.get<{ total: number }>(
        `SELECT count(*) AS total FROM jobs ${where}`,
        ...given,
      )!
      return { rows: rows.map(jobFromRow), total }
    },
    async files(id, { state, search, offset, limit }) {
      const given = [id, state ?? null, search ?? null] as const
      const rows = reader.all<{ value: string }>(
        `SELECT file.value ${FILES_OF_JOB} ORDER BY file.key LIMIT ?4 OFFSET ?5`,
        ...given,
        limit,
        offset,
      )
      const { total } = reader.get<{ total: number }>(`SELECT count(*) AS total ${FILES_OF_JOB}`, ...given)!
      return { rows: rows.map(({ value }) => jobFileOf(JSON.parse(value))), total }
    },
    async endedSince(since, limit) {
      const rows = reader.all(
        `SELECT ${LISTED_COLUMNS} FROM jobs WHERE finished_at >= ? ORDER BY finished_at DESC, seq DESC LIMIT ?`,
        since,
        limit,
      )
      return rows.map(jobFromRow).toReversed()
    },
    async request(id) {
      const row = reader.get<{ request: string | null }>('SELECT request FROM jobs WHERE id = ?', id)
      return row?.request ?? undefined
    },
    async receipt(id) {
      const row = reader.get<{ receipt: string | null }>('SELECT receipt FROM runs WHERE job = ?', id)
      return row?.receipt ? (JSON.parse(row.receipt) as Receipt) : undefined
    },
    begin: (id, now) => database.write(beginJob, { id, now }),
    note: (id, progress, turn) => database.write(noteJob, { id, progress, turn }),
    end: (end) => database.write(endJob, end),
    endLater: (end) => database.whenRoom(() => database.write(endJob, end)),
    requeue: (id, turn) => database.write(requeueJob, { id, turn }),
    retry: (id, payload) => database.write(retryJob, { id, payload }),
    recover: () => database.write(recoverJobs, undefined),
    async folders(flowId) {
      const rows = reader.all<{ folder: string }>(
        'SELECT folder FROM jobs WHERE folder IS NOT NULL AND (?1 IS NULL OR flow_id = ?1)',
        flowId ?? null,
      )
      return rows.map(({ folder }) => folder)
    },
    prune: (retention) => database.write(pruneJobs, retention),
  }
}
