import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import type { ComparisonBounds } from '../../contract/comparison.ts'
import { SluiceError } from '../../kit/errors.ts'

/** The time between two looks at the disk, in milliseconds. */
const LOOK_MS = 500

export type Spending = {
  /** Counts tokens for a variant. @throws SluiceError `comparison_over_limit` before they are sent */
  tokens(variant: string, count: number): void
  /** Looks at disk and clock, at most twice a second. @throws SluiceError `comparison_over_limit` */
  look(variant: string): Promise<void>
}

/**
 * Keeps a comparison within its bounds.
 *
 * @param options.directory all that it writes is below this folder
 * @param options.spent tokens of an earlier process
 * @param options.startedAt when the comparison began for the first time, in ms since 1970
 */
export function createSpending({
  bounds,
  directory,
  spent,
  startedAt,
  clock = Date.now,
}: {
  bounds: ComparisonBounds
  directory: string
  spent: number
  startedAt: number
  clock?: () => number
}): Spending {
  let tokens = spent
  let lookedAt = -Infinity
  const refuse = (variant: string, reason: string): never => {
    throw new SluiceError('comparison_over_limit', { variant, reason })
  }
  return {
    tokens(variant, count) {
      if (tokens + count > bounds.tokens)
        refuse(
          variant,
          `it needs more than the ${bounds.tokens.toLocaleString('en')} tokens of MAX_COMPARE_TOKENS`,
        )
      tokens += count
    },
    async look(variant) {
      const now = clock()
      if (now - lookedAt < LOOK_MS) return
      lookedAt = now
      if (now - startedAt > bounds.minutes * 60_000)
        refuse(variant, `it takes longer than the ${bounds.minutes} minutes of MAX_COMPARE_MINUTES`)
      if ((await bytesBelow(directory)) > bounds.megabytes * 2 ** 20)
        refuse(variant, `its index needs more disk than the ${bounds.megabytes} MB of MAX_COMPARE_MB`)
    },
  }
}

/** The bytes of all files below a folder; one that goes meanwhile has none. */
async function bytesBelow(directory: string): Promise<number> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => [])
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) =>
        stat(path.join(entry.parentPath, entry.name)).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
