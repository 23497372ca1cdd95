import type {
  FileState,
  JobFailure,
  JobFile,
  JobKind,
  JobProgress,
  JobRecord,
  JobState,
} from '../../contract/job.ts'
import { jobOwner } from '../../callers/job-owner.ts'
import type { JsonObject } from '../../kit/json.ts'
import type { StoredRow } from './stored-row.ts'

/** The columns of a {@link JobRecord}. */
export const JOB_COLUMNS =
  'id, flow_id, kind, state, turn, attempt, lane, owner, created_at, started_at, finished_at, folder, progress, error, result'

export function jobFromRow(row: StoredRow): JobRecord {
  return {
    id: row.id as string,
    flowId: row.flow_id as string,
    kind: row.kind as JobKind,
    state: row.state as JobState,
    changes: row.turn as number,
    attempt: row.attempt as number,
    namespace: row.lane as string,
    // Jobs of a time before owners have none.
    owner: (row.owner as string | null) ?? jobOwner({ flow: row.flow_id as string }),
    folder: row.folder as string | null,
    progress: parsed<JobProgress>(row.progress),
    result: parsed<JsonObject>(row.result),
    error: parsed<JobFailure>(row.error),
    createdAt: row.created_at as number,
    startedAt: row.started_at as number | null,
    finishedAt: row.finished_at as number | null,
  }
}

const parsed = <T>(value: unknown): T | null => (typeof value === 'string' ? (JSON.parse(value) as T) : null)

/** A file of a job, or one of a result, which has fewer facts. */
export type KeptFile = JobFile | (Omit<JobFile, 'state' | 'warnings' | 'ms'> & { status: FileState })

export function jobFileOf(file: KeptFile): JobFile {
  if ('state' in file) return file
  const { status, ...rest } = file
  return { ...rest, state: status, warnings: [], ms: null }
}
