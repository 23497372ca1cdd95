/** `better`: the variant is; `worse`: the baseline is; `alike`: a relevant difference is unlikely; `open`: it cannot be told. */
export const VERDICT_KINDS = ['better', 'worse', 'alike', 'open'] as const
export type VerdictKind = (typeof VERDICT_KINDS)[number]

/** A variant against the baseline. Differences are of nDCG@10, the variant less the baseline. */
export type VariantVerdict = {
  kind: VerdictKind
  questions: number
  difference: number
  /** The interval of the same test; null where there are too few questions for one. */
  low: number | null
  high: number | null
  p: number
  /** The smallest difference that so many questions show in four of five cases, and how many a relevant one needs. */
  detectable: number
  needed: number
  /** The one sentence. */
  sentence: string
}
