import type { JsonObject } from '../kit/json.ts'
import type { JobState } from './job.ts'

/** A stored chat flow. `config` holds the fields without a column of their own: `apiConfig`, `chatbotConfig`, `category`… */
export type FlowRow = {
  id: string
  slug: string
  name: string
  type: string
  /** JSON text of `{nodes, edges}`. */
  flowData: string
  config: JsonObject
  apiKeyId: string | null
  createdAt: number
  updatedAt: number
  /** The number of its newest revision, from 1. */
  revision: number
}

/** Settings in `config` that are objects. Flowise's rows have them as JSON text: they are accepted as either, and answered as text. */
export const JSON_COLUMNS = [
  'apiConfig',
  'chatbotConfig',
  'analytic',
  'speechToText',
  'textToSpeech',
  'followUpPrompts',
] as const

/**
 * The `apiKeyId` of a flow that is closed until a key is bound to it. No key has this id. Like the id of a deleted key it
 * admits managers and the keys that list the flow, also on servers of earlier versions.
 */
export const NO_KEY_YET = 'closed'

export type NewFlowRow = Omit<FlowRow, 'revision'>

export type FlowPage = { type?: string | undefined; offset?: number; limit?: number }

/** `by`: the name of the key, `ADMIN_KEY`, or a studio session. `ifRevision`: the revision that the change is based on. */
export type FlowSave = { by: string; ifRevision?: number | undefined }

/** One save of a flow. `changes` names what differs from the revision before: `flowData`, `name`, `apiConfig`… */
export type FlowRevision = {
  number: number
  savedAt: number
  savedBy: string
  name: string
  changes: string[]
}

/** How many revisions of a flow are kept, and how many bytes of them (drawings and configurations): the oldest are removed first. */
export const REVISION_LIMITS = { count: 100, bytes: 20 * 2 ** 20 }

/** How long a deleted flow can be restored, in milliseconds. */
export const RESTORABLE_MS = 30 * 24 * 3_600_000

/** `namespaces`: all that the flow uses; `own`: those of them that no other flow uses. */
export type FlowDeletion = { id: string; namespaces: string[]; own: string[]; now: number }

/** A flow that can be restored, and what is hidden with it. `bytes`: an estimate of its disk space. */
export type DeletedFlow = {
  flow: FlowRow
  deletedAt: number
  chunks: number
  sources: number
  bytes: number
}

/** The last upsert of a flow. `at`: when it ended, or was requested while it has not ended; ms since 1970. */
export type LastUpsert = {
  /** Null once the job is not kept any more. */
  jobId: string | null
  state: JobState
  at: number
  error: { code: string; message: string } | null
  /** How many of its files failed, and how many had no text; 0 where that was not counted. */
  failed: number
  empty: number
}

/** A flow without its drawing and configuration. */
export type FlowHead = Omit<FlowRow, 'flowData' | 'config'> & {
  category: string | null
  lastUpsert: LastUpsert | null
}

/** The stored flows. Deleted flows are known only to the methods that name them. */
export type FlowStore = {
  /** Finds a flow by id or slug. */
  find(idOrSlug: string): Promise<FlowRow | undefined>
  list(page?: FlowPage): Promise<{ rows: FlowRow[]; total: number }>
  /** All flows without their drawings, the one changed last first. */
  heads(): Promise<FlowHead[]>
  /** The flows that are bound to this API key. */
  boundTo(apiKeyId: string): Promise<FlowRow[]>
  /** @throws SluiceError `slug_taken` unless `makeUnique`, which appends `-2`, `-3`… */
  insert(flow: NewFlowRow, options?: { makeUnique?: boolean; by?: string }): Promise<FlowRow>
  /**
   * Saves a flow as a new revision; without any change the revision stays. With `ifRevision` it saves only if that is
   * still the newest revision.
   *
   * @throws SluiceError `slug_taken`, `flow_changed`, `flow_not_found`
   */
  update(flow: FlowRow, save: FlowSave): Promise<FlowRow>
  /** Newest first. */
  revisions(
    id: string,
    page: { offset: number; limit: number },
  ): Promise<{ rows: FlowRevision[]; total: number }>
  /** A revision, and the flow as it was then; undefined where there is none with this number. */
  revision(id: string, number: number): Promise<{ revision: FlowRevision; flow: FlowRow } | undefined>
  /**
   * Hides a flow and the chunks of its own namespaces, in one transaction.
   *
   * @returns the collections of the hidden chunks, for `ChunkStores.release`; undefined where there is no such flow
   */
  delete(deletion: FlowDeletion): Promise<string[] | undefined>
  /**
   * Brings a deleted flow back with all that was hidden.
   *
   * @param slug another slug than it had
   * @throws SluiceError `deleted_flow_not_found`, `slug_taken`, `namespace_taken`
   */
  restore(idOrSlug: string, slug?: string): Promise<FlowRow>
  /** The flows that can be restored, the one deleted last first. */
  deleted(): Promise<DeletedFlow[]>
  /** A deleted flow by its id, or the last one with a slug. */
  findDeleted(idOrSlug: string): Promise<FlowRow | undefined>
  /** The ids of the flows that were deleted before a moment (ms since 1970). */
  deletedBefore(moment: number): Promise<string[]>
  /** Whether a flow has this id, a deleted one too. */
  isTaken(id: string): Promise<boolean>
  /**
   * Removes a flow, also a deleted one, with its jobs, its history, its revisions and its hidden chunks; `ChunkStores.sweepRemoved`
   * deletes the rows of these. Returns whether it was there.
   */
  remove(id: string): Promise<boolean>
}
