import type { ComparedDocuments } from '../../contract/comparison.ts'
import { type PairedTest, pairedTest } from '../verdict/paired-test.ts'
import type { VariantVerdict } from '../../contract/verdict.ts'
import { ERROR_LEVEL, type Looks } from '../verdict/looks.ts'
import { LEAST_QUESTIONS, widenedInterval } from '../verdict/verdict.ts'
import { clusterOf, type ComparedQuestion, type UncountedQuestion } from './compared-questions.ts'
import type { AnswerRow, LoadedIndex, VariantAnswer } from './kept-state.ts'

/** A mean of a variant beside that of the baseline. The interval is null where there are too few questions for one. */
export type ComparedMeasure = {
  value: number
  difference: number
  low: number | null
  high: number | null
}

/** How many questions a variant answers better, worse and as well as the baseline; `neither`: of the latter those without a right hit. */
export type QuestionCounts = { better: number; worse: number; same: number; neither: number }

export type ComparedVariantResult = LoadedIndex & {
  name: string
  /** The variants with the same number share an index. */
  index: number
  ndcg10: ComparedMeasure
  recall10: ComparedMeasure
  /** The share of the questions whose first hit is right. */
  first: ComparedMeasure
  /** Milliseconds of a query inside the process without the embedding of its question; null where nothing was asked. */
  p50: number | null
  counts: QuestionCounts
  /** Null for the baseline. */
  verdict: VariantVerdict | null
}

/** One question with the answers of all variants, in their order. */
export type ComparedRow = { id: string; text: string; sources: string[]; answers: VariantAnswer[] }

export type ComparisonOutcome = {
  /** The first is the baseline. */
  variants: ComparedVariantResult[]
  /** How many questions were asked; fewer than `planned` where an earlier look has told all. */
  questions: number
  planned: number
  looks: Looks
  documents: ComparedDocuments
  uncounted: UncountedQuestion[]
  rows: ComparedRow[]
  /** Whether it went on after the end of a server. */
  resumed: boolean
}

/** The means of each variant, beside those of the baseline. */
export function measuresOf(
  rows: readonly AnswerRow[],
  questions: ReadonlyMap<string, ComparedQuestion>,
  variant: number,
  seed: number,
): Pick<ComparedVariantResult, 'ndcg10' | 'recall10' | 'first' | 'p50' | 'counts'> {
  const measure = (of: (answer: VariantAnswer) => number): ComparedMeasure => {
    const value = meanOf(rows.map(({ answers }) => of(answers[variant]!)))
    const test = pairedTest(differencesOf(rows, questions, variant, of), seed)
    return { value, difference: test.difference, ...intervalOf(test, variant) }
  }
  return {
    ndcg10: measure(({ ndcg10 }) => ndcg10),
    recall10: measure(({ recall10 }) => recall10),
    first: measure(({ place }) => Number(place === 1)),
    p50: medianOf(rows.map(({ answers }) => answers[variant]!.ms)),
    counts: countsOf(rows, variant),
  }
}

/** The differences of a variant to the baseline, one a question. */
export const differencesOf = (
  rows: readonly AnswerRow[],
  questions: ReadonlyMap<string, ComparedQuestion>,
  variant: number,
  of: (answer: VariantAnswer) => number = ({ ndcg10 }) => ndcg10,
) =>
  rows.map(({ question, answers }) => ({
    difference: of(answers[variant]!) - of(answers[0]!),
    cluster: clusterOf(questions.get(question)!),
  }))

function intervalOf(test: PairedTest, variant: number): Pick<ComparedMeasure, 'low' | 'high'> {
  if (variant === 0 || test.questions < LEAST_QUESTIONS) return { low: null, high: null }
  const { low, high } = widenedInterval(test, ERROR_LEVEL)
  return Number.isFinite(low) && Number.isFinite(high) ? { low, high } : { low: null, high: null }
}

/** Scores that differ by less are equal. */
const EPSILON = 1e-9

/** Whether a variant answers a question better (1), worse (-1) or as well (0) as the baseline. */
export const signOf = (row: Pick<AnswerRow, 'answers'>, variant: number): -1 | 0 | 1 => {
  const difference = row.answers[variant]!.ndcg10 - row.answers[0]!.ndcg10
  return Math.abs(difference) < EPSILON ? 0 : difference > 0 ? 1 : -1
}

function countsOf(rows: readonly AnswerRow[], variant: number): QuestionCounts {
  const counts: QuestionCounts = { better: 0, worse: 0, same: 0, neither: 0 }
  for (const row of rows) {
    const sign = signOf(row, variant)
    if (sign > 0) counts.better++
    else if (sign < 0) counts.worse++
    else {
      counts.same++
      if (row.answers[variant]!.place === null && row.answers[0]!.place === null) counts.neither++
    }
  }
  return counts
}

const meanOf = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, one) => sum + one, 0) / values.length

const medianOf = (values: readonly number[]): number | null =>
  values.toSorted((one, other) => one - other)[(values.length - 1) >> 1] ?? null

/** The rows in the order in which they are read: where a variant is worse by most first, then better, then the rest. */
export function rowsWorstFirst(
  rows: readonly AnswerRow[],
  questions: ReadonlyMap<string, ComparedQuestion>,
): ComparedRow[] {
  const worst = ({ answers }: AnswerRow) =>
    Math.min(...answers.map(({ ndcg10 }) => ndcg10 - answers[0]!.ndcg10))
  const best = ({ answers }: AnswerRow) =>
    Math.max(...answers.map(({ ndcg10 }) => ndcg10 - answers[0]!.ndcg10))
  return rows
    .toSorted((one, other) => worst(one) - worst(other) || best(other) - best(one))
    .map(({ question, answers }) => {
      const { id, text, judgements } = questions.get(question)!
      const sources = [...new Set(judgements.filter(({ grade }) => grade > 0).map(({ source }) => source))]
      return { id, text, sources, answers }
    })
}
