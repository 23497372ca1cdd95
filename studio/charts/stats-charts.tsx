import { countText, momentText, numberText } from '../parts/units.ts'
import type { Stats } from '../server/stats.ts'
import styles from './chart.module.css'
import { ChartFrame } from './chart-frame.tsx'
import { millisecondsText } from './scale.ts'
import { StackedBars } from './stacked-bars.tsx'
import { TimeChart } from './time-chart.tsx'

const STEPS = [
  ['read', 'Read'],
  ['split', 'Split'],
  ['compare', 'Compare'],
  ['embed', 'Embed'],
  ['store', 'Store'],
] as const

/** Chunks over time, the steps of the last upserts, and how long queries took. */
export function StatsCharts({ stats: { sizes, upserts, queries } }: { stats: Stats }) {
  const lastSize = sizes.at(-1)
  const lastUpsert = upserts.at(-1)
  const lastHour = queries.at(-1)
  return (
    <div className={styles.charts}>
      <ChartFrame
        title="Chunks"
        summary={
          lastSize
            ? `Chunks after each upsert: ${numberText(sizes[0]!.chunks)} at first, ${numberText(lastSize.chunks)} now`
            : ''
        }
        head={['After the upsert of', 'Chunks']}
        rows={sizes.map(({ date, chunks: count }) => [momentText(date), numberText(count)]).toReversed()}
        empty="The number of chunks after each upsert will be shown here."
      >
        <TimeChart
          steps
          points={sizes.map(({ date, chunks: count }) => ({ at: Date.parse(date), values: [count] }))}
        />
      </ChartFrame>
      <ChartFrame
        title="Work of the last upserts"
        summary={
          lastUpsert
            ? `Time of work by step of the last ${countText(upserts.length, 'upsert')}; the last one: ${STEPS.map(([step, name]) => `${name} ${millisecondsText(lastUpsert.steps[step])}`).join(', ')}`
            : ''
        }
        legend={STEPS.map(([, name]) => name)}
        head={['Ended', ...STEPS.map(([, name]) => name), 'From start to end']}
        rows={upserts
          .map(({ finishedAt, steps, ms }) => [
            momentText(finishedAt),
            ...STEPS.map(([step]) => millisecondsText(steps[step])),
            millisecondsText(ms),
          ])
          .toReversed()}
        empty="Where the time of an upsert goes will be shown here."
      >
        <StackedBars
          bars={upserts.map(({ jobId, finishedAt, steps }) => ({
            key: jobId,
            title: momentText(finishedAt),
            parts: STEPS.map(([step]) => ({ name: step, value: steps[step] })),
          }))}
        />
      </ChartFrame>
      <ChartFrame
        title="Time of queries"
        summary={
          lastHour
            ? `Time of queries per hour; in the last hour half of ${countText(lastHour.queries, 'query', 'queries')} took at most ${millisecondsText(lastHour.p50)}, 95 % at most ${millisecondsText(lastHour.p95)}`
            : ''
        }
        legend={['p50', 'p95']}
        head={['Hour', 'Queries', 'p50', 'p95']}
        rows={queries
          .map(({ hour, queries: count, p50, p95 }) => [
            momentText(hour),
            numberText(count),
            millisecondsText(p50),
            millisecondsText(p95),
          ])
          .toReversed()}
        empty="How long queries take will be shown here, hour by hour."
      >
        <TimeChart
          valueText={millisecondsText}
          points={queries.map(({ hour, p50, p95 }) => ({ at: Date.parse(hour), values: [p50, p95] }))}
        />
      </ChartFrame>
    </div>
  )
}
