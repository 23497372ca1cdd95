import { MODES, type Mode } from '../contract/retrieval.ts'
import type { Collection } from './collection.ts'

/** Milliseconds. */
export type QueryTimes = { p50Ms: number; p99Ms: number }

type Query = Collection['queries'][number]

/** How many queries are timed in each mode, and how many run before as a warm-up. */
const TIMED = 500
const WARMING = 20

/** Times queries in each mode, one after another. */
export async function timeQueries(
  queries: readonly Query[],
  search: (query: Query, mode: Mode) => Promise<unknown>,
  onQuery: (done: number, total: number) => void,
): Promise<Record<Mode, QueryTimes>> {
  const asked = evenly(queries, TIMED)
  const times: Record<Mode, number[]> = { hybrid: [], vector: [], keyword: [] }
  let done = 0
  for (const mode of MODES) {
    for (const query of asked.slice(0, WARMING)) await search(query, mode)
    for (const query of asked) {
      onQuery(done++, asked.length * MODES.length)
      const began = performance.now()
      await search(query, mode)
      times[mode].push(performance.now() - began)
    }
  }
  return {
    hybrid: quantilesOf(times.hybrid),
    vector: quantilesOf(times.vector),
    keyword: quantilesOf(times.keyword),
  }
}

/** At most `limit` items of a list, evenly spread over it. */
export function evenly<T>(all: readonly T[], limit: number): T[] {
  const step = Math.max(1, all.length / limit)
  return Array.from({ length: Math.min(all.length, limit) }, (_, at) => all[Math.floor(at * step)]!)
}

function quantilesOf(times: readonly number[]): QueryTimes {
  const sorted = times.toSorted((one, other) => one - other)
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)]!
  return { p50Ms: at(0.5), p99Ms: at(0.99) }
}
