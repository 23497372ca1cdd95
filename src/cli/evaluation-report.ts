import type { ReliabilityBin } from '../evaluate/reliability.ts'
import type { Quality } from '../evaluate/measures.ts'
import type { Evaluation, ModeResult } from '../evaluate/run.ts'
import type { Paint } from './paint.ts'
import { printable } from './printable.ts'
import { type Column, table } from './table.ts'
import { counted } from './units.ts'

type Row = { name: string; result: Quality & Partial<ModeResult> }

const score = (title: string, key: Exclude<keyof ModeResult, 'reliability'>): Column<Row> => ({
  title,
  value: ({ result }) => result[key]?.toFixed(key.endsWith('Ms') ? 1 : 3) ?? '–',
  right: true,
})

const calibration = (title: string, key: 'ece' | 'auroc'): Column<Row> => ({
  title,
  value: ({ result }) => result.reliability?.[key].toFixed(3) ?? '–',
  right: true,
})

const COLUMNS: Column<Row>[] = [
  { title: 'search', value: ({ name }) => name },
  score('nDCG@10', 'ndcg10'),
  score('recall@10', 'recall10'),
  score('recall@100', 'recall100'),
  score('MRR@10', 'mrr10'),
  calibration('ECE', 'ece'),
  calibration('AUROC', 'auroc'),
  score('p50 ms', 'p50Ms'),
  score('p99 ms', 'p99Ms'),
]

const CURVE: Column<ReliabilityBin>[] = [
  { title: 'confidence', value: ({ from, to }) => `${from.toFixed(1)} to ${to.toFixed(1)}` },
  { title: 'first hits', value: ({ questions }) => questions.toLocaleString('en'), right: true },
  { title: 'mean', value: ({ confidence }) => confidence.toFixed(3), right: true },
  { title: 'right', value: ({ right }) => right.toFixed(3), right: true },
]

/**
 * An evaluation as a text: the figures of each search mode, the best weight, and how reliable the confidence of hybrid search
 * is.
 */
export function evaluationReport(evaluation: Evaluation, paint: Paint): string {
  const { collection, documents, chunks, queries, weight, bestWeight, weights } = evaluation
  const rows: Row[] = (['vector', 'keyword', 'hybrid'] as const).map((name) => ({
    name,
    result: evaluation[name],
  }))
  if (evaluation.withoutRescoring)
    rows.push({ name: 'without rescoring', result: evaluation.withoutRescoring })
  const at = (wanted: number) => weights.find((one) => one.weight === wanted)?.ndcg10
  const best = `best weight ${paint('bold', String(bestWeight))} (nDCG@10 ${at(bestWeight)!.toFixed(3)})`
  return [
    `${paint('bold', printable(collection))}  ${counted(documents, 'document')}, ${counted(chunks, 'chunk')}, ${queries.toLocaleString('en')} ${queries === 1 ? 'query' : 'queries'}\n\n`,
    table(rows, COLUMNS, paint),
    `\n${best}; the flow uses ${weight}\n`,
    reliabilityOf(evaluation.hybrid, paint),
  ].join('')
}

function reliabilityOf({ reliability }: ModeResult, paint: Paint): string {
  if (!reliability) return ''
  const about =
    'Confidence of the first hit in hybrid search. Every query runs twice: over all documents, and without those that answer it'
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`
  const { known, unlikely } = reliability
  return [
    `\n${about}\n\n${table(reliability.curve, CURVE, paint)}`,
    `\n${percent(known)} of the questions have a confidence. “Probably none of these chunks answers” is said of`,
    ` ${percent(unlikely.answerable)} with an answer and ${percent(unlikely.unanswerable)} without\n`,
  ].join('')
}
