import styles from './chart.module.css'
import { axisText, pathOf, placeOf, ticksTo } from './scale.ts'

const WIDTH = 360
const HEIGHT = 150
const LEFT = 40
const RIGHT = 8
const TOP = 8
const BOTTOM = 20

export type TimePoint = { at: number; values: readonly number[] }

type TimeChartProps = {
  points: readonly TimePoint[]
  /** Each value holds until the next point. */
  steps?: boolean
  /** The text of a value at the axis. */
  valueText?: (value: number) => string
}

const days = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric' })
const hours = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hour12: false })

/** Values over time as lines from the axis. The first series has an area below it. */
export function TimeChart({ points, steps = false, valueText = axisText }: TimeChartProps) {
  const first = points[0]
  const last = points.at(-1)
  if (!first || !last) return null
  const ticks = ticksTo(Math.max(...points.flatMap(({ values }) => values)))
  const range = [first.at, last.at] as const
  const base = HEIGHT - BOTTOM
  const x = (at: number) => placeOf(at, range, LEFT, WIDTH - RIGHT)
  const y = (value: number) => placeOf(value, [0, ticks.at(-1)!], base, TOP)
  const time = last.at - first.at > 36 * 3_600_000 ? days : hours
  const series = first.values.map((_, at) =>
    points.map((point) => ({ x: x(point.at), y: y(point.values[at]!) })),
  )
  const [top] = series
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className={styles.chart} aria-hidden="true">
      {ticks.map((tick) => (
        <g key={tick}>
          <line x1={LEFT} x2={WIDTH - RIGHT} y1={y(tick)} y2={y(tick)} className={styles.grid} />
          <text x={LEFT - 6} y={y(tick) + 3.5} textAnchor="end">
            {valueText(tick)}
          </text>
        </g>
      ))}
      <text x={LEFT} y={HEIGHT - 4}>
        {time.format(first.at)}
      </text>
      {last.at === first.at ? null : (
        <text x={WIDTH - RIGHT} y={HEIGHT - 4} textAnchor="end">
          {time.format(last.at)}
        </text>
      )}
      <path className={styles.area} d={`${pathOf(top!, steps)}V${base}H${top![0]!.x}Z`} />
      {series.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the series are fixed
        <g key={at} data-series={at}>
          <path className={styles.line} d={pathOf(line, steps)} />
          {line.length < 30 || line.length === 1
            ? line.map((point) => <circle key={`${point.x}`} cx={point.x} cy={point.y} r="2.5" />)
            : null}
        </g>
      ))}
    </svg>
  )
}
