import type { FailedFile } from '../../contract/failed-file-store.ts'
import type { StoredRow } from './stored-row.ts'

/** The columns of a {@link FailedFile}. */
export const FAILED_FILE_COLUMNS = `name, code, message, flow_id, job, failed_at, uploaded, original, bytes,
  coalesce((SELECT max(sources.chunks) FROM sources JOIN indexes ON indexes.id = sources.index_id
    WHERE indexes.namespace = failed_files.namespace AND sources.name = failed_files.source
      AND sources.removed_run IS NULL), 0) AS older_chunks`

export const failedFileFromRow = (row: StoredRow): FailedFile => ({
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
