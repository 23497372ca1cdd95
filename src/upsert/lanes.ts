/**
 * Lets work of different lanes go on side by side, so many at once at the most, and work of one lane one after another
 * in the order in which it came.
 */
export type Lanes = {
  /** Answers how to step out of the row, which tells whether the work had not begun. `work` must not reject. */
  enter(lane: string, work: () => Promise<void>): () => boolean
  /** Nothing begins from now on; resolves when nothing is under way any more. */
  close(): Promise<void>
}

export function createLanes(atOnce: number): Lanes {
  const waiting: { lane: string; work: () => Promise<void> }[] = []
  const underWay = new Map<string, Promise<void>>()
  let closed = false

  function pump(): void {
    while (!closed && underWay.size < atOnce) {
      const place = waiting.findIndex(({ lane }) => !underWay.has(lane))
      if (place < 0) return
      const [{ lane, work }] = waiting.splice(place, 1) as [(typeof waiting)[0]]
      underWay.set(
        lane,
        work().finally(() => {
          underWay.delete(lane)
          pump()
        }),
      )
    }
  }

  return {
    enter(lane, work) {
      const entry = { lane, work }
      waiting.push(entry)
      pump()
      return () => {
        const place = waiting.indexOf(entry)
        if (place >= 0) waiting.splice(place, 1)
        return place >= 0
      }
    },
    async close() {
      closed = true
      await Promise.all(underWay.values())
    },
  }
}
