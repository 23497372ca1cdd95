import type { ComparisonProgress as Progress } from '../contract/engine-comparison.ts'
import { shorten } from './printable.ts'
import { readableTime } from './units.ts'
import type { World } from './world.ts'

type ComparisonProgress = Pick<Progress, 'step' | 'done' | 'total'>

const EVERY_MS = 200
/** Before so many points an estimate says nothing. */
const ESTIMATED_FROM = 2000

const DOING = { compare: 'comparing', repair: 'repairing', check: 'comparing again' } as const

/**
 * Shows how far the comparison of an engine is, in one line of a terminal that is overwritten, and removed at the end. Nothing where
 * standard error is no terminal.
 *
 * @param now milliseconds
 */
export function showComparison({ stderr }: Pick<World, 'stderr'>, now = () => performance.now()) {
  let step: { of: string; began: number } | undefined
  let drawnAt = Number.NEGATIVE_INFINITY
  return {
    /** @param flow what is compared, for the line */
    at(flow: string, progress: ComparisonProgress): void {
      if (!stderr.isTTY) return
      const of = JSON.stringify([flow, progress.step])
      if (step?.of !== of) step = { of, began: now() }
      if (now() - drawnAt < EVERY_MS) return
      drawnAt = now()
      const line = comparisonLine(flow, progress, drawnAt - step.began)
      stderr.write(`\r\u001b[K${shorten(line, (stderr.columns || 80) - 1)}`)
    },
    end(): void {
      if (stderr.isTTY && step) stderr.write('\r\u001b[K')
    },
  }
}

/** @param elapsed since the step began, in milliseconds */
export function comparisonLine(
  flow: string,
  { step, done, total }: ComparisonProgress,
  elapsed: number,
): string {
  const percent = total === 0 ? 100 : Math.floor((100 * done) / total)
  const left =
    done >= ESTIMATED_FROM && done < total ? `, ${readableTime((elapsed * (total - done)) / done)} left` : ''
  return `${flow}: ${DOING[step]}, ${percent} %, ${done.toLocaleString('en')} ids read${left}`
}
