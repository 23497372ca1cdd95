import { momentText, numberText } from '../parts/units.ts'
import type { QuestionRunHead } from '../server/questions.ts'
import { ChartFrame } from './chart-frame.tsx'
import { TimeChart } from './time-chart.tsx'

const figure = (value: number | null) => value?.toFixed(3) ?? '–'

/** nDCG@10 and recall@10 of the runs of the questions of a flow, over time. @param runs the newest first */
export function RunCurve({ runs }: { runs: readonly QuestionRunHead[] }) {
  const counted = runs.filter(({ measures }) => measures.ndcg10 !== null).toReversed()
  const last = counted.at(-1)
  return (
    <ChartFrame
      title="Runs over time"
      summary={
        last
          ? `nDCG@10 of ${numberText(counted.length)} runs: ${figure(counted[0]!.measures.ndcg10)} at revision ${counted[0]!.revision}, ${figure(last.measures.ndcg10)} at revision ${last.revision}`
          : ''
      }
      legend={['nDCG@10', 'Recall@10']}
      head={['Ended', 'Revision', 'Questions', 'nDCG@10', 'Recall@10']}
      rows={runs.map(({ finishedAt, revision, measures }) => [
        momentText(finishedAt),
        numberText(revision),
        numberText(measures.counted),
        figure(measures.ndcg10),
        figure(measures.recall10),
      ])}
      empty="How well the questions were answered will be shown here, run by run."
    >
      <TimeChart
        valueText={(value) => value.toFixed(1)}
        points={counted.map(({ finishedAt, measures }) => ({
          at: Date.parse(finishedAt),
          values: [measures.ndcg10!, measures.recall10!],
        }))}
      />
    </ChartFrame>
  )
}
