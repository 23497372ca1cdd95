/** Who has how much in work, and who is served next. */
export type Shares = {
  /** How much work of an owner has begun and not ended. */
  inWork(owner: string): number
  begin(owner: string): void
  end(owner: string): void
  /**
   * Negative where the next work of `one` begins before that of `other`: the owner with less in work, and of two with as much the one
   * whose last work began longer ago. 0 for the same owner, and for two that were never served.
   */
  compare(one: string, other: string): number
}

type Share = { inWork: number; servedAt: number }

/** How many owners without work are remembered: one that is forgotten counts as never served. */
const MOST_REMEMBERED = 10_000

export function createShares(): Shares {
  /** In the order in which they were last served. */
  const shares = new Map<string, Share>()
  let served = 0

  function dropOldest(): void {
    for (const [owner, { inWork }] of shares) {
      if (shares.size <= MOST_REMEMBERED) return
      if (inWork === 0) shares.delete(owner)
    }
  }

  const inWork = (owner: string): number => shares.get(owner)?.inWork ?? 0

  return {
    inWork,
    begin(owner) {
      const share = { inWork: inWork(owner) + 1, servedAt: ++served }
      shares.delete(owner)
      shares.set(owner, share)
      if (shares.size > MOST_REMEMBERED) dropOldest()
    },
    end(owner) {
      const share = shares.get(owner)
      if (share && share.inWork > 0) share.inWork--
    },
    compare(one, other) {
      const difference = inWork(one) - inWork(other)
      return difference || (shares.get(one)?.servedAt ?? 0) - (shares.get(other)?.servedAt ?? 0)
    },
  }
}
