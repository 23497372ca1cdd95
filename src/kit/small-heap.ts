import { setFlagsFromString } from 'node:v8'

/**
 * Keeps the garbage of JavaScript small, in all threads of the process, from now on: V8 takes what the machine has, which
 * on a large one is a quarter of a gigabyte for a pipeline that needs a tenth. Costs no time that can be measured: see
 * bench/memory.ts. These two flags are among the few that V8 looks at after its start.
 */
export function keepHeapSmall(): void {
  // The space for new objects stays at the megabyte it begins with.
  setFlagsFromString('--semi-space-growth-factor=1')
  // The space for old ones is cleared when it has grown by half since the last time, not by several times.
  setFlagsFromString('--heap-growing-percent=50')
}
