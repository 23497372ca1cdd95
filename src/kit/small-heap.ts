import { PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** How much room new objects are given, in bytes; a little more where it grows fast. */
const YOUNG = 8 * 2 ** 20

/**
 * Keeps the garbage of JavaScript small, in all threads of the process, from now on. V8 takes what the machine has: on a
 * large one 150 MB more at the peak of an upsert, with pauses of a tenth of a second, for some 5 % less work. The two flags are
 * of the few that V8 looks at after its start: see bench/memory.ts.
 */
export function keepHeapSmall(): void {
  // Old objects are looked through when they have grown by half since the last time, not by several times.
  setFlagsFromString('--heap-growing-percent=50')
  const observer = new PerformanceObserver(() => {
    if (youngBytes() < YOUNG) return
    setFlagsFromString('--semi-space-growth-factor=1')
    observer.disconnect()
  })
  observer.observe({ entryTypes: ['gc'] })
}

const youngBytes = (): number =>
  getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')?.space_size ?? 0
