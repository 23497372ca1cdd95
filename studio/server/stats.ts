import type { StatsAnswer } from '../../src/api/stats.ts'
import { call } from './call.ts'

export type Stats = StatsAnswer

/** Chunks over time, the steps of the last upserts and times of queries: of one flow, or of all. */
export const getStats = (flowId?: string): Promise<Stats> =>
  call(flowId === undefined ? '/api/v1/stats' : `/api/v1/stats/${encodeURIComponent(flowId)}`)
