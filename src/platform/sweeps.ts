import { type SweepOptions, startSweeps } from '../server/sweeps.ts'
import type { Closing } from './closing.ts'

/**
 * Removes what is kept no longer. It is told to end before everything else, and waited for after the database: a removal may take long,
 * and ends with it.
 */
export function createSweeps(closing: Closing) {
  let swept: Promise<void> | undefined
  closing.add('sweeps', () => swept)
  return {
    start(options: SweepOptions): void {
      const end = startSweeps(options)
      closing.add('sweeps', () => {
        swept = end()
        swept.catch(() => {})
      })
    },
  }
}
