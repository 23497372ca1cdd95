import {
  type FailedFile,
  type FailedFileStore,
  type FailedScope,
  type FileOutcomes,
  KEPT_FAILURES,
} from '../../contract/failed-file-store.ts'
import type { SqlDatabase, SqlRow, SqlSession, SqlWrite } from '../sql/session.ts'
import { allOf, countRows, insertEach, NO_LIMIT } from '../sql/statements.ts'
import { NOT_OF_DELETED_FLOWS } from './not-deleted.ts'

const COLUMNS = `name, code, message, flow_id, job, failed_at, uploaded, original, bytes,
  coalesce((SELECT max(sources.chunks) FROM sources JOIN indexes ON indexes.id = sources.index_id
    WHERE indexes.namespace = failed_files.namespace AND sources.name = failed_files.source
      AND sources.removed_run IS NULL), 0) AS older_chunks`

const WITHIN = `namespace = ? AND fence = ? AND ${NOT_OF_DELETED_FLOWS}`
const NAMED = `${WITHIN} AND name IN (?)`

export const removeFailedFiles: SqlWrite<{ scope: FailedScope; names: readonly string[] }, number> = {
  name: 'removeFailedFiles',
  isOneStatement: true,
  run: (session, { scope: { namespace, fence }, names }) =>
    session.run(`DELETE FROM failed_files WHERE ${NAMED}`, namespace, fence, names),
}

/** Files that failed and were not loaded since. */
export function failedFileStore({ reader, write }: SqlDatabase): FailedFileStore {
  return {
    async list({ namespace, fence }, { search, offset, limit }) {
      const { where, values } = allOf(
        { sql: WITHIN, values: [namespace, fence] },
        search === undefined ? undefined : reader.dialect.contains('name', search),
      )
      const rows = await reader.all(
        `SELECT ${COLUMNS} FROM failed_files WHERE ${where} ORDER BY failed_at DESC, name LIMIT ? OFFSET ?`,
        ...values,
        limit,
        offset,
      )
      const total = await countRows(reader, 'failed_files', where, values)
      return { rows: rows.map(failedFileFromRow), total }
    },
    async named({ namespace, fence }, names) {
      const rows = await reader.all(
        `SELECT ${COLUMNS} FROM failed_files WHERE ${NAMED} ORDER BY name`,
        namespace,
        fence,
        names,
      )
      return rows.map(failedFileFromRow)
    },
    remove: (scope, names) => write(removeFailedFiles, { scope, names }),
  }
}

/** Stores what a job tells of its files, within the transaction of its end. */
export async function keepFileOutcomes(
  session: SqlSession,
  { namespace, fence, failed, loaded }: FileOutcomes,
  job: { id: string; flowId: string; now: number },
): Promise<void> {
  if (loaded.length > 0)
    await session.run('DELETE FROM failed_files WHERE namespace = ? AND source IN (?)', namespace, loaded)
  if (failed.length === 0) return
  // In the order of names, so that two members never wait for each other.
  const rows = failed
    .toSorted((a, b) => (a.source < b.source ? -1 : 1))
    .map(({ source, name, code, message, uploaded, original }) => ({
      ...{ namespace, source, fence, name, flow_id: job.flowId, job: job.id, code, message },
      ...{ failed_at: job.now, uploaded, original: original?.id ?? null, bytes: original?.bytes ?? null },
    }))
  await insertEach(
    session,
    'failed_files',
    rows,
    `ON CONFLICT (namespace, source) DO UPDATE SET flow_id = excluded.flow_id, job = excluded.job, code = excluded.code,
       message = excluded.message, failed_at = excluded.failed_at, uploaded = excluded.uploaded,
       original = excluded.original, bytes = excluded.bytes`,
  )
  await session.run(
    `DELETE FROM failed_files WHERE namespace = ?1 AND source IN (
       SELECT source FROM failed_files WHERE namespace = ?1 ORDER BY failed_at DESC, name LIMIT ?2 OFFSET ?3)`,
    namespace,
    NO_LIMIT,
    KEPT_FAILURES,
  )
}

const failedFileFromRow = (row: SqlRow): FailedFile => ({
  name: row.name as string,
  code: row.code as string | null,
  message: row.message as string,
  flowId: row.flow_id as string,
  job: row.job as string,
  failedAt: row.failed_at as number,
  uploaded: Boolean(row.uploaded),
  original: row.original === null ? null : { id: row.original as string, bytes: row.bytes as number },
  olderChunks: Number(row.older_chunks),
})
