import type { Json, JsonObject } from '../kit/json.ts'

/** One past upsert of a flow: what came out, and with which inputs (never secrets). */
export type HistoryRow = { id: string; flowId: string; result: JsonObject; flowData: Json[]; date: number }

export type HistoryStore = {
  add(row: HistoryRow): Promise<void>
  /** Takes different rows away, all or none. @throws SluiceError `history_not_found` */
  remove(ids: readonly string[]): Promise<void>
  list(flowId: string, options?: { ascending?: boolean; from?: number; to?: number }): Promise<HistoryRow[]>
}
