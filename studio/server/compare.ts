import type { CompareBody, ComparisonAnswer, ComparisonHeadAnswer } from '../../src/api/compare.ts'
import { call } from './call.ts'

export type ComparisonHead = ComparisonHeadAnswer
export type ComparisonOutcome = ComparisonAnswer
export type ComparedVariant = ComparisonOutcome['variants'][number]
export type ComparedRow = ComparisonOutcome['rows'][number]
export type ComparedAnswer = ComparedRow['answers'][number]
export type Verdict = NonNullable<ComparedVariant['verdict']>
export type VariantRequest = CompareBody['variants'][number]
export type Comparison = ComparisonHead & { outcome: ComparisonOutcome | null }

const all = (flow: string) => `/api/v1/compare/${encodeURIComponent(flow)}`

/** Starts a comparison, and gives the id of its job. The first variant is the baseline. */
export async function startComparison(
  flow: string,
  request: { variants: VariantRequest[]; looks: 1 | 3 },
): Promise<string> {
  return (await call<{ jobId: string }>(all(flow), { method: 'POST', body: request })).jobId
}

/** The comparisons that are kept, newest first. */
export const listComparisons = async (flow: string): Promise<ComparisonHead[]> =>
  (await call<{ data: ComparisonHead[] }>(all(flow), { query: { limit: 20 } })).data

export const getComparison = (flow: string, id: string): Promise<Comparison> =>
  call(`${all(flow)}/${encodeURIComponent(id)}`)
