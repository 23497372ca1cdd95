import styles from './chart.module.css'
import { millisecondsText, placeOf, ticksTo } from './scale.ts'

const WIDTH = 360
const HEIGHT = 150
const LEFT = 40
const RIGHT = 8
const TOP = 8
const BOTTOM = 8

export type Bar = { key: string; parts: readonly { name: string; value: number }[]; title: string }

/** Times as bars, each in parts, the oldest first. */
export function StackedBars({ bars }: { bars: readonly Bar[] }) {
  const totals = bars.map(({ parts }) => parts.reduce((sum, { value }) => sum + value, 0))
  const ticks = ticksTo(Math.max(0, ...totals))
  const base = HEIGHT - BOTTOM
  const y = (value: number) => placeOf(value, [0, ticks.at(-1)!], base, TOP)
  const room = (WIDTH - LEFT - RIGHT) / Math.max(6, bars.length)
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className={styles.chart} aria-hidden="true">
      {ticks.map((tick) => (
        <g key={tick}>
          <line x1={LEFT} x2={WIDTH - RIGHT} y1={y(tick)} y2={y(tick)} className={styles.grid} />
          <text x={LEFT - 6} y={y(tick) + 3.5} textAnchor="end">
            {millisecondsText(tick)}
          </text>
        </g>
      ))}
      {bars.map(({ key, parts, title }, at) => {
        let below = 0
        return (
          <g key={key}>
            <title>{title}</title>
            {parts.map(({ name, value }, series) => {
              const from = below
              below += value
              return value === 0 ? null : (
                <rect
                  key={name}
                  data-series={series}
                  className={styles.bar}
                  x={LEFT + room * at + room * 0.15}
                  width={room * 0.7}
                  y={y(below)}
                  height={Math.max(0.5, y(from) - y(below))}
                />
              )
            })}
          </g>
        )
      })}
    </svg>
  )
}
