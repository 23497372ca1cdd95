/** Longer texts, in characters, are not cached: a few of them would take much memory. */
const LONGEST = 1_000_000

/** Caches the values of the `count` texts that were used last. */
export function newest<T>(count: number, make: (text: string) => T): { of(text: string): T } {
  const kept = new Map<string, T>()
  return {
    of(text) {
      const found = kept.get(text)
      const value = found ?? make(text)
      if (text.length > LONGEST) return value
      if (found !== undefined) kept.delete(text)
      kept.set(text, value)
      if (kept.size > count) kept.delete(kept.keys().next().value!)
      return value
    },
  }
}
