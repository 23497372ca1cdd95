import type { JobStore, Receipt } from '../../contract/job.ts'
import { JOB_COLUMNS, jobFileOf, jobFromRow, type KeptFile } from '../rows/job.ts'
import type { SqlSession } from '../sql/session.ts'
import { allOf, countRows } from '../sql/statements.ts'
import { NOT_OF_DELETED_FLOWS } from './not-deleted.ts'

/** The methods of a job store that change nothing. */
export type JobReads = Pick<
  JobStore,
  'find' | 'list' | 'files' | 'endedSince' | 'request' | 'receipt' | 'folders'
>

/** Reads of jobs, of all members. */
export function jobReads(reader: SqlSession): JobReads {
  const { json, jsonItems, jsonWithout, contains } = reader.dialect
  // A list shows the counts of a result; documents and files are in the answer for one job.
  const listed = `${JOB_COLUMNS.replace(/\bresult$/, '')}
    ${jsonWithout('result', ['files', 'addedDocs', 'sourceDocuments', 'warnings'])} AS result`
  // The files of a job; of one whose process ended between the publication and the end, from its result.
  const files = `jobs, ${jsonItems(`coalesce(${json('files')}, ${json('result')} -> 'files', '[]')`, 'file')}`
  return {
    async find(id) {
      const row = await reader.get(`SELECT ${JOB_COLUMNS} FROM jobs WHERE id = ?`, id)
      return row && jobFromRow(row)
    },
    async list({ flowId, state, kind, offset, limit }) {
      const { where, values } = allOf(['flow_id = ?', flowId], ['state = ?', state], ['kind = ?', kind], {
        sql: NOT_OF_DELETED_FLOWS,
        values: [],
      })
      const rows = await reader.all(
        `SELECT ${listed} FROM jobs WHERE ${where} ORDER BY seq DESC LIMIT ? OFFSET ?`,
        ...values,
        limit,
        offset,
      )
      return { rows: rows.map(jobFromRow), total: await countRows(reader, 'jobs', where, values) }
    },
    async files(id, { state, search, offset, limit }) {
      const { where, values } = allOf(
        ['jobs.id = ?', id],
        [`coalesce(file.value ->> 'state', file.value ->> 'status') = ?`, state],
        search === undefined ? undefined : contains(`(file.value ->> 'name')`, search),
      )
      const rows = await reader.all<{ value: string }>(
        `SELECT CAST(file.value AS text) AS value FROM ${files} WHERE ${where} ORDER BY file.key LIMIT ? OFFSET ?`,
        ...values,
        limit,
        offset,
      )
      return {
        rows: rows.map(({ value }) => jobFileOf(JSON.parse(value) as KeptFile)),
        total: await countRows(reader, files, where, values),
      }
    },
    async endedSince(since, limit) {
      const rows = await reader.all(
        `SELECT ${listed} FROM jobs WHERE finished_at >= ? ORDER BY finished_at DESC, seq DESC LIMIT ?`,
        since,
        limit,
      )
      return rows.map(jobFromRow).toReversed()
    },
    async request(id) {
      const row = await reader.get<{ request: string | null }>('SELECT request FROM jobs WHERE id = ?', id)
      return row?.request ?? undefined
    },
    async receipt(id) {
      const row = await reader.get<{ receipt: string | null }>('SELECT receipt FROM runs WHERE job = ?', id)
      return row?.receipt ? (JSON.parse(row.receipt) as Receipt) : undefined
    },
    async folders(flowId) {
      const { where, values } = allOf({ sql: 'folder IS NOT NULL', values: [] }, ['flow_id = ?', flowId])
      const rows = await reader.all<{ folder: string }>(`SELECT folder FROM jobs WHERE ${where}`, ...values)
      return rows.map(({ folder }) => folder)
    },
  }
}
