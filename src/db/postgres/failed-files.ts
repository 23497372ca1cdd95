import {
  type FailedFileStore,
  type FailedScope,
  type FileOutcomes,
  KEPT_FAILURES,
} from '../../contract/failed-file-store.ts'
import { likePattern } from '../like-pattern.ts'
import { FAILED_FILE_COLUMNS, failedFileFromRow } from '../rows/failed-file.ts'
import type { PostgresDatabase } from './database.ts'
import { NOT_OF_DELETED_FLOWS } from './deleted-flows.ts'
import type { SqlSession } from './session.ts'

const WITHIN = `namespace = $1 AND fence = $2 AND ${NOT_OF_DELETED_FLOWS}`
const NAMED = `${WITHIN} AND name = ANY($3)`

/** Files that failed and were not loaded since. */
export function postgresFailedFiles({ reader, writer }: PostgresDatabase): FailedFileStore {
  const ends = ({ namespace, fence }: FailedScope) => [namespace, fence] as const
  return {
    async list(scope, { search, offset, limit }) {
      const where = `${WITHIN} AND ($3::text IS NULL OR name ILIKE $3)`
      const given = [...ends(scope), search === undefined ? null : likePattern(search)] as const
      const rows = await reader.all(
        `SELECT ${FAILED_FILE_COLUMNS} FROM failed_files WHERE ${where} ORDER BY failed_at DESC, name LIMIT $4 OFFSET $5`,
        ...given,
        limit,
        offset,
      )
      const found = await reader.get<{ total: number }>(
        `SELECT count(*) AS total FROM failed_files WHERE ${where}`,
        ...given,
      )
      return { rows: rows.map(failedFileFromRow), total: found!.total }
    },
    async named(scope, names) {
      const rows = await reader.all(
        `SELECT ${FAILED_FILE_COLUMNS} FROM failed_files WHERE ${NAMED} ORDER BY name`,
        ...ends(scope),
        names,
      )
      return rows.map(failedFileFromRow)
    },
    forget: (scope, names) => writer.run(`DELETE FROM failed_files WHERE ${NAMED}`, ...ends(scope), names),
  }
}

/** Stores what a job tells of its files, within the transaction of its end. */
export async function keepFileOutcomes(
  session: SqlSession,
  { namespace, fence, failed, loaded }: FileOutcomes,
  job: { id: string; flowId: string; now: number },
): Promise<void> {
  if (loaded.length > 0)
    await session.run('DELETE FROM failed_files WHERE namespace = $1 AND source = ANY($2)', namespace, loaded)
  if (failed.length === 0) return
  // In the order of names, so that two nodes never wait for each other.
  const rows = failed.toSorted((a, b) => (a.source < b.source ? -1 : 1))
  await session.run(
    `INSERT INTO failed_files (namespace, source, fence, name, flow_id, job, code, message, failed_at, uploaded, original, bytes)
     SELECT $1, file ->> 'source', $2, file ->> 'name', $3, $4, file ->> 'code', file ->> 'message', $5,
       (file ->> 'uploaded')::boolean, file #>> '{original,id}', (file #>> '{original,bytes}')::bigint
     FROM json_array_elements($6::json) AS file
     ON CONFLICT (namespace, source) DO UPDATE SET flow_id = excluded.flow_id, job = excluded.job, code = excluded.code,
       message = excluded.message, failed_at = excluded.failed_at, uploaded = excluded.uploaded,
       original = excluded.original, bytes = excluded.bytes`,
    namespace,
    fence,
    job.flowId,
    job.id,
    job.now,
    // PostgreSQL stores no text with U+0000.
    JSON.stringify(rows).replaceAll('\\u0000', '\\ufffd'),
  )
  await session.run(
    `DELETE FROM failed_files WHERE namespace = $1 AND source IN (
       SELECT source FROM failed_files WHERE namespace = $1 ORDER BY failed_at DESC, name OFFSET $2)`,
    namespace,
    KEPT_FAILURES,
  )
}
