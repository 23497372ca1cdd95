import type { ComparedRow, ComparedVariant, ComparisonOutcome } from '../../../server/compare.ts'

/** Which questions are shown. */
export const ROW_KINDS = ['all', 'worse', 'better', 'same', 'neither'] as const
export type RowKind = (typeof ROW_KINDS)[number]

/** The variant that is shown beside the baseline, the questions that are listed, and the one that is open. */
export type CompareSearch = { job?: string; variant?: number; show?: RowKind; question?: string }

export function readCompareSearch(search: Record<string, unknown>): CompareSearch {
  const { job, variant, show, question } = search
  const found: CompareSearch = {}
  if (typeof job === 'string') found.job = job
  if (Number.isInteger(variant) && (variant as number) > 0) found.variant = variant as number
  if (ROW_KINDS.some((kind) => kind === show)) found.show = show as RowKind
  if (typeof question === 'string') found.question = question
  return found
}

const EPSILON = 1e-9

/** How a variant answers a question beside the baseline. `neither`: as well, and none finds what is right. */
export function kindOfRow({ answers }: ComparedRow, variant: number): Exclude<RowKind, 'all'> {
  const [before, after] = [answers[0]!, answers[variant]!]
  const difference = after.ndcg10 - before.ndcg10
  if (Math.abs(difference) >= EPSILON) return difference < 0 ? 'worse' : 'better'
  return before.place === null && after.place === null ? 'neither' : 'same'
}

/** The rows of one kind, those that are worse by most first, then those that are better. */
export function rowsOf({ rows }: ComparisonOutcome, variant: number, kind: RowKind): ComparedRow[] {
  const by = ({ answers }: ComparedRow) => answers[variant]!.ndcg10 - answers[0]!.ndcg10
  const order = (row: ComparedRow) => ['worse', 'better', 'neither', 'same'].indexOf(kindOfRow(row, variant))
  return rows
    .filter((row) => kind === 'all' || kindOfRow(row, variant) === kind)
    .toSorted((one, other) => order(one) - order(other) || Math.abs(by(other)) - Math.abs(by(one)))
}

export function countsOfRows(outcome: ComparisonOutcome, variant: number): Record<RowKind, number> {
  const counts = { all: outcome.rows.length, worse: 0, better: 0, same: 0, neither: 0 }
  for (const row of outcome.rows) counts[kindOfRow(row, variant)]++
  return counts
}

/** A difference of two shares with its sign, in points of a hundred: `+4.1`, `−0.3`. */
const inPoints = (share: number): string => `${share < 0 ? '−' : '+'}${Math.abs(share * 100).toFixed(1)}`

export const shareText = (share: number): string => `${Math.round(share * 100)} %`

/** The difference of a figure and its interval; without an interval, or with 0 in it, it is not yet certain. */
export function differenceText({ difference, low, high }: ComparedVariant['ndcg10']): {
  text: string
  isCertain: boolean
} {
  if (low === null || high === null) return { text: `${inPoints(difference)} points`, isCertain: false }
  return {
    text: `${inPoints(difference)} points · 95 %: ${inPoints(low)} to ${inPoints(high)}`,
    isCertain: low > 0 || high < 0,
  }
}

/** nDCG@10 of a variant beside the baseline, as numbers, with the interval of the verdict where there is one. */
export function ndcgTexts(
  { ndcg10: before }: Pick<ComparedVariant, 'ndcg10'>,
  { ndcg10, verdict }: Pick<ComparedVariant, 'ndcg10' | 'verdict'>,
): { value: string; text: string; isCertain: boolean } {
  const { difference } = ndcg10
  const [low, high] = verdict ? [verdict.low, verdict.high] : [ndcg10.low, ndcg10.high]
  const isTold = low !== null && high !== null
  return {
    value: `${before.value.toFixed(3)} → ${ndcg10.value.toFixed(3)}`,
    text: `${signedText(difference)}${isTold ? ` · 95 %: ${signedText(low)} to ${signedText(high)}` : ''}`,
    isCertain: isTold && (low > 0 || high < 0),
  }
}

const signedText = (value: number): string => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`

/** What the request changed for a variant: `Chunk Size 1,000 → 600`. */
export function changesText({ changes, revision, ownDrawing }: ComparedVariant): string {
  const value = (one: unknown) => (typeof one === 'string' ? one : JSON.stringify(one))
  const inputs = changes.map(
    ({ label, from, to }) => `${label} ${from === null ? '' : `${value(from)} → `}${value(to)}`,
  )
  const whole = revision !== null ? [`revision ${revision}`] : ownDrawing ? ['a drawing of its own'] : []
  return [...whole, ...inputs].join(', ')
}
