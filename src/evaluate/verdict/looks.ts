/** How often a comparison is looked at: once at its end, or three times, at a third, two thirds and the end of its questions. */
export const LOOKS = [1, 3] as const
export type Looks = (typeof LOOKS)[number]

/** The share of false verdicts of a whole comparison. */
export const ERROR_LEVEL = 0.05

/**
 * The level of each look. One at 5 % has 5 % of false verdicts, and as often measures more as less; three have more together. At these
 * levels `npm run bench -- verdicts` measures at most 5 %.
 */
export const LOOK_LEVEL: Readonly<Record<Looks, number>> = { 1: 0.035, 3: 0.02 }

/** After how many questions a comparison is looked at, as planned before it runs; the last look is at all of them. */
export const lookPoints = (questions: number, looks: Looks): number[] =>
  Array.from({ length: looks }, (_, at) => Math.ceil((questions * (at + 1)) / looks))
