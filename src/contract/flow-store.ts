import type { JsonObject } from '../kit/json.ts'

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

export type FlowStore = {
  /** Finds a flow by id or slug. */
  find(idOrSlug: string): Promise<FlowRow | undefined>
  list(page?: FlowPage): Promise<{ rows: FlowRow[]; total: number }>
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
  /** Removes a flow with its jobs, its history and its revisions. Returns whether it was there. */
  remove(id: string): Promise<boolean>
}
