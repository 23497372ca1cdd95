import type { EvalAnswer, EvalRunAnswer } from '../api/question.ts'
import type { Paint } from './paint.ts'
import { type Column, table } from './table.ts'
import { counted, readableTime } from './units.ts'

const figure = (value: number | null): string => value?.toFixed(3) ?? '–'

/** The result of a run of the questions of a flow as a text: the means, what was not counted, and what changed. */
export function evalReport(answer: EvalAnswer, paint: Paint): string {
  const { measures, revision, numBetter, numWorse, failing, timeTaken } = answer
  const { asked, counted: inMeans, ndcg10, recall10, first, p50, p95 } = measures
  const time = (ms: number | null) => (ms === null ? '–' : `${ms.toFixed(1)} ms`)
  return [
    `${paint('bold', `nDCG@10 ${figure(ndcg10)}`)}  recall@10 ${figure(recall10)}  right first ${figure(first)}  p50 ${time(p50)}  p95 ${time(p95)}\n`,
    `${counted(asked, 'question')} of revision ${revision} in ${readableTime(timeTaken)}\n`,
    inMeans === asked
      ? ''
      : paint(
          'yellow',
          `${counted(asked - inMeans, 'question')} not counted: ${answer.numGone} judged by what is gone, ${answer.numUnjudged} without a right answer\n`,
        ),
    numBetter + numWorse === 0 ? '' : `against the run before: ${numBetter} better, ${numWorse} worse\n`,
    failing.length === 0
      ? ''
      : paint('red', `${counted(failing.length, 'question')} failed that passed before\n`),
  ].join('')
}

type Row = EvalRunAnswer['results'][number]

const PLACE = (place: number | null | undefined) => (place === undefined ? '' : (place ?? '–'))

const COLUMNS: Column<Row>[] = [
  { title: 'question', value: ({ text }) => text },
  { title: 'was', value: ({ was }) => PLACE(was), right: true },
  { title: 'place', value: ({ place }) => PLACE(place), right: true },
  { title: 'nDCG@10', value: ({ ndcg10 }) => figure(ndcg10), right: true },
  {
    title: '',
    value: ({ change, uncounted, gone = [] }) =>
      gone.length > 0
        ? `gone: ${gone.join(', ')}`
        : uncounted === undefined
          ? change === 'same' || change === 'new'
            ? ''
            : change
          : uncounted,
    style: ({ change }) => (change === 'worse' ? 'red' : undefined),
  },
]

/** The questions of a run that need a look: those that became worse or better, have no right hit, or were not counted. */
export function runTable({ results }: EvalRunAnswer, paint: Paint): string {
  const rows = results.filter(
    ({ change, place, gone = [] }) =>
      gone.length > 0 || place === null || (change !== 'same' && change !== 'new'),
  )
  return rows.length === 0 ? '' : `\n${table(rows, COLUMNS, paint)}`
}
