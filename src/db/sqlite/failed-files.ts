import {
  type FailedFileStore,
  type FailedScope,
  type FileOutcomes,
  KEPT_FAILURES,
} from '../../contract/failed-file-store.ts'
import { likePattern } from '../like-pattern.ts'
import { FAILED_FILE_COLUMNS, failedFileFromRow } from '../rows/failed-file.ts'
import type { Connection } from './connection.ts'
import type { Database } from './database.ts'
import { DELETED_FLOWS } from './deleted-flows.ts'
import type { Write } from './write.ts'

const WITHIN = `namespace = ?1 AND fence = ?2 AND flow_id NOT IN (${DELETED_FLOWS})`
const NAMED = `${WITHIN} AND name IN (SELECT value FROM json_each(?3))`

/** Files that failed and were not loaded since. */
export function failedFileStore(database: Database): FailedFileStore {
  const { reader } = database
  const ends = ({ namespace, fence }: FailedScope) => [namespace, fence] as const
  return {
    async list(scope, { search, offset, limit }) {
      const where = `${WITHIN} AND (?3 IS NULL OR name LIKE ?3 ESCAPE '\\')`
      const given = [...ends(scope), search === undefined ? null : likePattern(search)] as const
      const rows = reader.all(
        `SELECT ${FAILED_FILE_COLUMNS} FROM failed_files WHERE ${where} ORDER BY failed_at DESC, name LIMIT ?4 OFFSET ?5`,
        ...given,
        limit,
        offset,
      )
      const { total } = reader.get<{ total: number }>(
        `SELECT count(*) AS total FROM failed_files WHERE ${where}`,
        ...given,
      )!
      return { rows: rows.map(failedFileFromRow), total }
    },
    async named(scope, names) {
      const rows = reader.all(
        `SELECT ${FAILED_FILE_COLUMNS} FROM failed_files WHERE ${NAMED} ORDER BY name`,
        ...ends(scope),
        JSON.stringify(names),
      )
      return rows.map(failedFileFromRow)
    },
    forget: (scope, names) => database.write(forgetFailedFiles, { scope, names }),
  }
}

export const forgetFailedFiles: Write<{ scope: FailedScope; names: readonly string[] }, number> = {
  name: 'forgetFailedFiles',
  run: (connection, { scope, names }) =>
    connection.run(
      `DELETE FROM failed_files WHERE ${NAMED}`,
      scope.namespace,
      scope.fence,
      JSON.stringify(names),
    ),
}

/** Stores what a job tells of its files, within the transaction of its end. */
export function keepFileOutcomes(
  connection: Connection,
  { namespace, fence, failed, loaded }: FileOutcomes,
  job: { id: string; flowId: string; now: number },
): void {
  connection.run(
    'DELETE FROM failed_files WHERE namespace = ? AND source IN (SELECT value FROM json_each(?))',
    namespace,
    JSON.stringify(loaded),
  )
  if (failed.length === 0) return
  for (const { source, name, code, message, uploaded, original } of failed)
    connection.run(
      `INSERT INTO failed_files (namespace, source, fence, name, flow_id, job, code, message, failed_at, uploaded, original, bytes)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (namespace, source) DO UPDATE SET flow_id = excluded.flow_id, job = excluded.job, code = excluded.code,
         message = excluded.message, failed_at = excluded.failed_at, uploaded = excluded.uploaded,
         original = excluded.original, bytes = excluded.bytes`,
      namespace,
      source,
      fence,
      name,
      job.flowId,
      job.id,
      code,
      message,
      job.now,
      uploaded ? 1 : 0,
      original?.id ?? null,
      original?.bytes ?? null,
    )
  connection.run(
    `DELETE FROM failed_files WHERE namespace = ?1 AND source IN (
       SELECT source FROM failed_files WHERE namespace = ?1 ORDER BY failed_at DESC, name LIMIT -1 OFFSET ?2)`,
    namespace,
    KEPT_FAILURES,
  )
}
