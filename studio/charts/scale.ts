/** Round numbers from 0 that reach `most`: at most about `wanted` of them. */
export function ticksTo(most: number, wanted = 4): number[] {
  if (!(most > 0)) return [0, 1]
  const rough = most / wanted
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= rough)!
  const count = Math.ceil(most / step - 1e-9)
  return Array.from({ length: count + 1 }, (_, i) => Number((i * step).toPrecision(12)))
}

/** A place between `from` and `to` for a value between the two ends of a range. */
export const placeOf = (
  value: number,
  [first, last]: readonly [number, number],
  from: number,
  to: number,
): number => (last === first ? (from + to) / 2 : from + ((value - first) / (last - first)) * (to - from))

/** The `d` of an SVG path through points; steps keep the value until the next point. */
export function pathOf(points: readonly { x: number; y: number }[], steps = false): string {
  return points
    .map(({ x, y }, i) => {
      const at = `${round(x)},${round(y)}`
      if (i === 0) return `M${at}`
      return steps ? `H${round(x)}V${round(y)}` : `L${at}`
    })
    .join('')
}

const round = (value: number) => Math.round(value * 100) / 100

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

/** A number for an axis: `1.2K`. */
export const axisText = (value: number): string => compact.format(value)

/** Milliseconds as a person reads them: `12 ms`, `3.4 s`, `2 min`. */
export function millisecondsText(ms: number): string {
  if (ms === 0) return '0'
  if (ms < 1) return `${ms.toFixed(1)} ms`
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 100_000) return `${(ms / 1000).toFixed(1)} s`
  return `${Math.round(ms / 60_000)} min`
}
