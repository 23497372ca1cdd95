import type { Span } from '../server/executions.ts'

export type TimedSpan = Pick<Span, 'kind' | 'offset' | 'ms'>

/** Where a span stands on the axis of its run, in percent. */
export type Place = { left: number; width: number }

/** The narrowest bar that can be seen, in percent. */
const NARROWEST = 0.8

/**
 * One axis for all spans of a run, from its beginning. The time in which the run waited for a person is not on it: hours of
 * waiting would leave no room for seconds of work.
 *
 * @param elapsed how long the run has gone on, in ms, for spans that have not ended
 */
export function axisOf(spans: readonly TimedSpan[], elapsed: number) {
  const endOf = ({ offset, ms }: TimedSpan) => (ms === undefined ? Math.max(elapsed, offset) : offset + ms)
  const waits = spans.filter(({ kind }) => kind === 'wait').map((wait) => [wait.offset, endOf(wait)] as const)
  const worked = (moment: number) =>
    waits.reduce((left, [from, to]) => left - Math.max(0, Math.min(moment, to) - from), moment)
  const length = Math.max(1, ...spans.map((span) => worked(endOf(span))))
  return {
    /** How long the axis is, in milliseconds. */
    length,
    place(span: TimedSpan): Place {
      const width = Math.max(NARROWEST, ((worked(endOf(span)) - worked(span.offset)) / length) * 100)
      const left = Math.min((worked(span.offset) / length) * 100, 100 - width)
      return { left: Math.max(0, left), width: Math.min(100, width) }
    },
  }
}

/** How deep each span is within others, by its id. */
export function depthsOf(spans: readonly Pick<Span, 'id' | 'parent'>[]): Map<number, number> {
  const depths = new Map<number, number>()
  for (const { id, parent } of spans)
    depths.set(id, parent === undefined ? 0 : (depths.get(parent) ?? -1) + 1)
  return depths
}
