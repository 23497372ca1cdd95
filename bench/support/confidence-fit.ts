import type { Mode } from '../../src/contract/retrieval.ts'
import { probability } from '../../src/retrieve/confidence.ts'
import { type FittedScript, LENGTH_CLASSES, lengthClassOf } from '../../src/retrieve/question-kind.ts'
import type { ConfidenceCase } from './confidence-cases.ts'
import { type Example, fitLogistic } from './logistic.ts'

export const SCRIPTS: readonly FittedScript[] = ['latin', 'east-asian']

/** Below which confidence all first hits must be, by script and then by {@link LENGTH_CLASSES}; 0 where nothing can be said. */
export type Thresholds = Record<FittedScript, readonly number[]>

/** At most so many answered questions of a family may get the sentence, also of one that was left out. */
const PROMISED = 0.03
/** For a family that was not left out it is less. */
const MOST_OF_FAMILY = 0.02
/** Where fewer questions without an answer get the sentence, it is not said at all. */
const LEAST_FOUND = 0.02
/** Fewer questions of a family say nothing, and fewer families are not enough. */
const LEAST_QUESTIONS = 30
const LEAST_FAMILIES = 3
const HIGHEST = 0.1
const STEP = 0.005

/** How much a set counts: XQuAD is one collection five times; the questions of chunking_eval find nearly all. */
const countOf = (set: string): number =>
  set.startsWith('xquad') ? 0.35 : set === 'chunking_eval' ? 0.3 : set.endsWith('.history') ? 0.5 : 1

/**
 * The weights for a mode. Every collection counts alike, and in it the questions with an answer as much as those without. The
 * first hit of a question counts as much as all the others together.
 */
export function fitWeights(cases: readonly ConfidenceCase[], mode: Mode): number[] {
  const groups = Map.groupBy(cases, ({ set, answerable }) => `${set} ${answerable}`)
  return fitLogistic(
    [...groups.values()].flatMap((group) =>
      group
        .filter(({ modes }) => modes[mode].fitted)
        .flatMap(({ set, modes }) =>
          modes[mode].hits.flatMap(({ values, right, code }, at, { length }): Example[] => {
            const share = at === 0 ? 1 : 1 / (length - 1)
            return code ? [] : [{ values, right, weight: (share * countOf(set)) / group.length }]
          }),
        ),
    ),
  )
}

/** For each family the weights that were fitted without it. */
export const weightsLeftOut = (cases: readonly ConfidenceCase[], mode: Mode): Map<string, number[]> =>
  new Map(
    [...new Set(cases.map(({ family }) => family))].map((family) => [
      family,
      fitWeights(
        cases.filter((one) => one.family !== family),
        mode,
      ),
    ]),
  )

/** The highest confidence of a question; undefined where one of its first hits has none. */
export function highest(
  { modes }: ConfidenceCase,
  mode: Mode,
  weights: readonly number[],
): number | undefined {
  const { fitted, hits } = modes[mode]
  if (!fitted || hits.length === 0 || hits.some(({ code }) => code)) return undefined
  return Math.max(...hits.map(({ values }) => probability(values, weights)))
}

/** The thresholds that are fitted on all, and for each family those that know nothing of it. */
export type FittedThresholds = { all: Thresholds; leftOut: ReadonlyMap<string, Thresholds> }

/**
 * For each script and length the highest threshold below which few answered questions are, in every family. It is 0 where a
 * family gets the sentence too often with the threshold that was fitted without it, and where hardly a question without an
 * answer gets it.
 *
 * @param weightsOf the weights that were fitted without a family
 */
export function fitThresholds(
  cases: readonly ConfidenceCase[],
  mode: Mode,
  weightsOf: (family: string) => readonly number[],
): FittedThresholds {
  const families = [...new Set(cases.map(({ family }) => family))]
  const cells = SCRIPTS.flatMap((script) =>
    LENGTH_CLASSES.map((_, length) => {
      const within = cases
        .filter(
          (one) => one.script === script && lengthClassOf(one.words) === length && one.modes[mode].fitted,
        )
        .map((one) => ({ ...one, high: highest(one, mode, weightsOf(one.family)) ?? 1 }))
      const answered = groupsOf(within.filter(({ answerable }) => answerable))
      const leftOut = families.map((family) =>
        thresholdFor(answered.filter(([{ family: own }]) => own !== family)),
      )
      const breaks = answered.some(
        (group) => shareBelow(group, leftOut[families.indexOf(group[0].family)]!) > PROMISED,
      )
      const all = thresholdFor(answered)
      const found = shareBelow(
        within.filter(({ answerable }) => !answerable),
        all,
      )
      const isSaid = answered.length >= LEAST_FAMILIES && !breaks && found >= LEAST_FOUND
      return { all: isSaid ? all : 0, leftOut: leftOut.map((below) => (isSaid ? below : 0)) }
    }),
  )
  const table = (of: (cell: (typeof cells)[number]) => number): Thresholds => ({
    latin: cells.slice(0, LENGTH_CLASSES.length).map(of),
    'east-asian': cells.slice(LENGTH_CLASSES.length).map(of),
  })
  return {
    all: table(({ all }) => all),
    leftOut: new Map(families.map((family, at) => [family, table(({ leftOut }) => leftOut[at]!)])),
  }
}

type High = Pick<ConfidenceCase, 'family'> & { high: number }

/** The highest threshold that few questions of each family are below. */
function thresholdFor(families: readonly (readonly High[])[]): number {
  for (let below = HIGHEST; below > STEP / 2; below -= STEP)
    if (families.every((group) => shareBelow(group, below) <= MOST_OF_FAMILY))
      return Math.round(below * 1000) / 1000
  return 0
}

const shareBelow = (group: readonly High[], below: number): number =>
  group.filter(({ high }) => high < below).length / Math.max(1, group.length)

const groupsOf = <One extends High>(cases: readonly One[]) =>
  [...Map.groupBy(cases, ({ family }) => family).values()].filter(
    (group): group is [One, ...One[]] => group.length >= LEAST_QUESTIONS,
  )
