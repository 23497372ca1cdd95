import type { Json, JsonObject } from '../kit/json.ts'

/** A past upsert of a flow: its result and its inputs, without secrets, and the job that ran it. */
export type HistoryRow = {
  id: string
  flowId: string
  result: JsonObject
  flowData: Json[]
  date: number
  jobId: string | null
}

/** A range of time in milliseconds since 1970, both ends included. */
export type HistoryRange = { from?: number; to?: number }

/** How many chunks the store of a flow had after an upsert. */
export type FlowSize = { flow: string; date: number; chunks: number }

export type HistoryStore = {
  add(row: HistoryRow): Promise<void>
  /** Removes rows: all of them, or none. The ids must differ. @throws SluiceError `history_not_found` */
  remove(ids: readonly string[]): Promise<void>
  /** All rows, or a page of them. */
  list(
    flowId: string,
    options?: HistoryRange & { ascending?: boolean; offset?: number; limit?: number },
  ): Promise<HistoryRow[]>
  /** A row by its id, or by the id of its job. */
  find(id: string): Promise<HistoryRow | undefined>
  count(flowId: string, range?: HistoryRange): Promise<number>
  /** The newest sizes, oldest first: of one flow or of all. */
  sizes(flowId: string | undefined, limit: number): Promise<FlowSize[]>
}
