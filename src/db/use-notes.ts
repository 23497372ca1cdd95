/**
 * Decides which uses of a thing are stored: one within a time.
 *
 * @param everyMs the least time between two stored uses, in milliseconds
 */
export function createUseNotes(everyMs: number) {
  const noted = new Map<string, number>()
  return {
    /** Whether a use at a moment is to be stored; then the next one is not, until the time has passed. */
    isDue(id: string, now: number): boolean {
      const last = noted.get(id)
      // The absolute difference: where the clock was set back, the use is stored at once.
      if (last !== undefined && Math.abs(now - last) < everyMs) return false
      noted.set(id, now)
      return true
    },
    drop(id: string): void {
      noted.delete(id)
    },
  }
}
