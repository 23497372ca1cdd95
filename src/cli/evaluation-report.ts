import type { Evaluation, ModeResult } from '../evaluate/run.ts'
import type { Paint } from './paint.ts'
import { printable } from './printable.ts'
import { type Column, table } from './table.ts'
import { counted } from './units.ts'

type Row = { name: string; result: ModeResult }

const score = (title: string, key: keyof ModeResult): Column<Row> => ({
  title,
  value: ({ result }) => result[key].toFixed(key.endsWith('Ms') ? 1 : 3),
  right: true,
})

const COLUMNS: Column<Row>[] = [
  { title: 'search', value: ({ name }) => name },
  score('nDCG@10', 'ndcg10'),
  score('recall@10', 'recall10'),
  score('recall@100', 'recall100'),
  score('MRR@10', 'mrr10'),
  score('p50 ms', 'p50Ms'),
  score('p99 ms', 'p99Ms'),
]

/** An evaluation for people: the ways to search side by side, and the best weight. */
export function evaluationReport(evaluation: Evaluation, paint: Paint): string {
  const { collection, documents, chunks, queries, weight, bestWeight, weights } = evaluation
  const rows = (['vector', 'keyword', 'hybrid'] as const).map((name) => ({ name, result: evaluation[name] }))
  const at = (wanted: number) => weights.find((one) => one.weight === wanted)?.ndcg10
  const best = `best weight ${paint('bold', String(bestWeight))} (nDCG@10 ${at(bestWeight)!.toFixed(3)})`
  return [
    `${paint('bold', printable(collection))}  ${counted(documents, 'document')}, ${counted(chunks, 'chunk')}, ${queries.toLocaleString('en')} ${queries === 1 ? 'query' : 'queries'}\n\n`,
    table(rows, COLUMNS, paint),
    `\n${best}, the flow has ${weight}\n`,
  ].join('')
}
