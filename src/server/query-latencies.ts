/** The period of one row, in milliseconds. */
const HOUR = 3_600_000
/** How many hours are kept. */
const HOURS = 48
/** How many flows have rows; the one without queries for the longest time goes first. */
const FLOWS = 500
/** Times are counted in classes; each class is about a fifth wider than the one before, up to two minutes. */
const CLASSES = 81

const classOf = (ms: number): number => Math.min(CLASSES - 1, Math.round(Math.log2(ms * 8 + 1) * 4))
const middleOf = (index: number): number => (2 ** (index / 4) - 1) / 8

type Hour = { at: number; counts: Uint32Array }

/** The queries of one hour: how many, and the times in milliseconds that a half and 95 % of them did not exceed. */
export type QueryHour = { at: number; queries: number; p50: number; p95: number }

/** How long queries took, per flow and hour. It is kept in memory only: at most some hundred bytes for each hour and flow. */
export class QueryLatencies {
  readonly #flows = new Map<string, Hour[]>()
  readonly #now: () => number

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** Counts a query of a flow that took so many milliseconds. */
  note(flow: string, ms: number): void {
    const hours = this.#hoursOf(flow)
    const at = Math.floor(this.#now() / HOUR) * HOUR
    let hour = hours.at(-1)
    if (!hour || hour.at < at) {
      hour = { at, counts: new Uint32Array(CLASSES) }
      hours.push(hour)
      while (hours[0]!.at <= at - HOURS * HOUR) hours.shift()
    }
    hour.counts[classOf(ms)]!++
  }

  /** The hours with queries, of one flow or of all, oldest first. */
  hours(flow?: string): QueryHour[] {
    const from = this.#now() - HOURS * HOUR
    const byHour = new Map<number, Uint32Array>()
    const wanted = flow === undefined ? [...this.#flows.values()].flat() : (this.#flows.get(flow) ?? [])
    for (const { at, counts } of wanted) {
      if (at < from) continue
      const sum = byHour.get(at) ?? new Uint32Array(CLASSES)
      byHour.set(at, sum)
      for (const [i, count] of counts.entries()) sum[i]! += count
    }
    return [...byHour]
      .toSorted(([a], [b]) => a - b)
      .map(([at, counts]) => ({
        at,
        queries: counts.reduce((sum, count) => sum + count, 0),
        p50: quantile(counts, 0.5),
        p95: quantile(counts, 0.95),
      }))
  }

  #hoursOf(flow: string): Hour[] {
    const known = this.#flows.get(flow)
    if (known) return known
    const oldest = this.#flows.size >= FLOWS ? this.#leastRecent() : undefined
    if (oldest !== undefined) this.#flows.delete(oldest)
    const hours: Hour[] = []
    this.#flows.set(flow, hours)
    return hours
  }

  #leastRecent(): string | undefined {
    let found: { flow: string; at: number } | undefined
    for (const [flow, hours] of this.#flows) {
      const at = hours.at(-1)?.at ?? 0
      if (!found || at < found.at) found = { flow, at }
    }
    return found?.flow
  }
}

/** The time in milliseconds that this share of the counted queries did not exceed, to about a tenth. */
function quantile(counts: Uint32Array, share: number): number {
  const total = counts.reduce((sum, count) => sum + count, 0)
  let passed = 0
  for (const [index, count] of counts.entries()) {
    passed += count
    if (passed >= total * share) return Math.round(middleOf(index) * 100) / 100
  }
  return 0
}
