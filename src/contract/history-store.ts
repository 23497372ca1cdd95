import type { Json, JsonObject } from '../kit/json.ts'

/** A past upsert of a flow: its result and its inputs, without secrets. */
export type HistoryRow = { id: string; flowId: string; result: JsonObject; flowData: Json[]; date: number }

export type HistoryStore = {
  add(row: HistoryRow): Promise<void>
  /** Removes rows: all of them, or none. The ids must differ. @throws SluiceError `history_not_found` */
  remove(ids: readonly string[]): Promise<void>
  list(flowId: string, options?: { ascending?: boolean; from?: number; to?: number }): Promise<HistoryRow[]>
}
