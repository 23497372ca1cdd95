import type { JsonObject } from '../kit/json.ts'

/** A chat flow as it is kept. `config` holds the fields that are not queried: `apiConfig`, `chatbotConfig`, `category`… */
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
}

export type FlowPage = { type?: string | undefined; offset?: number; limit?: number }

export type FlowStore = {
  /** By id or by slug. */
  find(idOrSlug: string): Promise<FlowRow | undefined>
  list(page?: FlowPage): Promise<{ rows: FlowRow[]; total: number }>
  /** Which flows are bound to this API key. */
  boundTo(apiKeyId: string): Promise<FlowRow[]>
  /** @throws SluiceError `slug_taken` unless `makeUnique`, which appends `-2`, `-3`… */
  insert(flow: FlowRow, options?: { makeUnique?: boolean }): Promise<FlowRow>
  /** @throws SluiceError `slug_taken` */
  update(flow: FlowRow): Promise<void>
  remove(id: string): Promise<boolean>
}
