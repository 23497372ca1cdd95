import type { Question, QuestionResult, QuestionRun } from '../../../server/questions.ts'
import { countText } from '../../../parts/units.ts'

/** Fewer accepted questions than this cannot tell two variants of a flow apart. */
export const FEW_QUESTIONS = 30

const ORIGINS: readonly [Question['origin'], string][] = [
  ['hit', 'from Ask'],
  ['document', 'picked in a document'],
  ['feedback', 'from visitors'],
  ['import', 'imported'],
  ['proposal', 'proposed'],
]

/** Where some questions came from: `from Ask 31 · imported 11`. */
export const originsText = (questions: readonly Pick<Question, 'origin'>[]): string =>
  ORIGINS.flatMap(([origin, text]) => {
    const count = questions.filter((one) => one.origin === origin).length
    return count === 0 ? [] : [`${text} ${count}`]
  }).join(' · ')

/** A share as per cent; a dash where there is none. */
export const shareText = (share: number | null | undefined): string =>
  share == null ? '–' : `${Math.round(share * 100)} %`

/** A measure from 0 to 1; a dash where there is none. */
export const measureText = (value: number | null | undefined): string => value?.toFixed(3) ?? '–'

/** What a measure was in the run before, and how it differs; empty where there was none. */
export function differenceText(now: number | null, before: number | null | undefined): string {
  if (now === null || before == null) return ''
  const difference = now - before
  const sign = difference > 0 ? '+' : difference < 0 ? '−' : '±'
  return `${measureText(before)} before, ${sign}${Math.abs(difference).toFixed(3)}`
}

/** How many answers changed, in words. */
export function changesText({ results, before }: Pick<QuestionRun, 'results' | 'before'>): string {
  if (!before) return 'The first run'
  const count = (change: QuestionResult['change']) => results.filter((one) => one.change === change).length
  const [worse, better] = [count('worse'), count('better')]
  if (worse + better === 0) return `No answer differs from the run of revision ${before.revision}`
  return `Against the run of revision ${before.revision}: ${worse} worse, ${better} better`
}

/** Why questions were not counted; empty where all were. */
export function uncountedText({ results }: Pick<QuestionRun, 'results'>): string {
  const gone = results.filter(({ uncounted }) => uncounted === 'gone').length
  const unjudged = results.filter(({ uncounted }) => uncounted === 'unjudged').length
  const what = [
    ...(gone > 0 ? [`${countText(gone, 'question')} judged by documents that are gone`] : []),
    ...(unjudged > 0 ? [`${countText(unjudged, 'question')} without a right answer`] : []),
  ]
  return what.length === 0 ? '' : `Not counted: ${what.join(', ')}`
}

/** What is judged right, by the names of the documents. */
export const rightText = ({ judgements }: Pick<Question, 'judgements'>): string => {
  const names = [...new Set(judgements.filter(({ grade }) => grade > 0).map(({ source }) => source))]
  return names.length === 0 ? 'nothing is judged right' : names.join(', ')
}
