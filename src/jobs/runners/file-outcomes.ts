import { storedSourceName } from '../../documents/conversation.ts'
import type { FileOutcomes } from '../../contract/failed-file-store.ts'
import { fenceOfJob } from '../job-fence.ts'
import type { EndState, JobFile } from '../../contract/job.ts'
import type { JsonObject } from '../../kit/json.ts'
import type { ActiveJob } from '../active/active-job.ts'

type EndedFile = Partial<Pick<JobFile, 'code' | 'message' | 'original'>> & { name: string; state: string }

/** A file in the result of an upsert, as far as it is read here. */
type FileOfResult = Omit<EndedFile, 'state'> & { status: string }

/**
 * What a job that has ended tells for the list of failed files. A failed job has stored nothing, so that none of its files
 * counts as loaded. Undefined for jobs that tell nothing: the cancelled ones, other work than upserts, and files of a
 * conversation, whose failures the conversation tells.
 */
export function fileOutcomesOf(
  { record, files, origin }: Pick<ActiveJob, 'record' | 'files' | 'origin'>,
  state: EndState,
  result: JsonObject | null,
): FileOutcomes | undefined {
  const rows: readonly EndedFile[] | undefined = files ?? filesOf(result)
  if (record.kind !== 'upsert' || state === 'cancelled' || !rows || !origin) return undefined
  if (origin.chatId !== undefined) return undefined
  const fence = fenceOfJob(record.id)
  const sourceOf = (name: string) => storedSourceName(name, fence === '' ? undefined : { fence })
  const outcomes: FileOutcomes = { namespace: record.namespace, fence, failed: [], loaded: [] }
  for (const { name, state: ended, code = null, message = '', original = null } of rows)
    if (ended === 'failed') {
      const uploaded = origin.uploads.has(name)
      outcomes.failed.push({ name, source: sourceOf(name), code, message, uploaded, original })
    } else if (state === 'done') outcomes.loaded.push(sourceOf(name))
  return outcomes
}

/** The files in the result of a job whose process ended between the publication and the end. */
const filesOf = (result: JsonObject | null): EndedFile[] | undefined =>
  Array.isArray(result?.files)
    ? (result.files as unknown as FileOfResult[]).map(({ status, ...file }) => ({ ...file, state: status }))
    : undefined
