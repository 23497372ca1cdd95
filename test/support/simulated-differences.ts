import type { PairedDifference } from '../../src/evaluate/verdict/paired-test.ts'
import { randomBits } from '../../src/evaluate/verdict/random-bits.ts'

/* Differences of nDCG@10 as they were measured on 254 pairs of variants: 19 % of the questions differ, and their deviation is .16. */

/** The share of questions on which two variants differ. */
const DIFFERING = 0.19

/** nDCG@10 of one right document by its place; the last is that of no right one among the first ten. */
const SCORES = [...Array.from({ length: 10 }, (_, at) => 1 / Math.log2(at + 2)), 0]

/** Of two variants that differ, how often a place is that of the right document; more often the first ones, and often none. */
const PLACES = [30, 20, 12, 8, 6, 4, 3, 2, 2, 2, 11]

/** The mean of the absolute differences of questions that differ, for the draw below. */
const MEAN_SIZE = meanSize()

export type SimulationOptions = {
  questions: number
  /** How many variants are compared with the baseline. */
  variants: number
  /** The true difference of each to the baseline; at most about .055 either way. */
  effect?: number
  seed: number
}

/**
 * For each variant its differences to the baseline. A question is changed by each system with the same probability, so that two of
 * them differ on 19 % and all share the baseline. With an effect the sign of a change is biased.
 */
export function simulatedDifferences({
  questions,
  variants,
  effect = 0,
  seed,
}: SimulationOptions): PairedDifference[][] {
  const next = randomBits(seed)
  const random = () => next() / 2 ** 32
  const all: PairedDifference[][] = Array.from({ length: variants }, () => [])
  // Two changes of half the share leave 1 - (1 - share / 2)² of the questions changed, less those that come out the same.
  const changed = 1 - Math.sqrt(1 - DIFFERING * 1.14)
  const upwards = effect / (DIFFERING * MEAN_SIZE)
  for (let question = 0; question < questions; question++) {
    const usual = placeOf(random())
    const scoreOf = () => SCORES[random() < changed ? placeOf(random()) : usual]!
    const baseline = scoreOf()
    for (const differences of all) {
      const score = scoreOf()
      const size = score - baseline
      const turned = upwards !== 0 && size * upwards < 0 && random() < Math.abs(upwards) ? -size : size
      differences.push({ difference: turned, cluster: String(question) })
    }
  }
  return all
}

const CUMULATED = PLACES.map((_, at) => PLACES.slice(0, at + 1).reduce((sum, one) => sum + one, 0) / 100)

function placeOf(drawn: number): number {
  const place = CUMULATED.findIndex((share) => drawn < share)
  return place < 0 ? SCORES.length - 1 : place
}

function meanSize(): number {
  let sum = 0
  let share = 0
  for (const [one, chance] of PLACES.entries())
    for (const [other, otherChance] of PLACES.entries())
      if (one !== other) {
        sum += chance * otherChance * Math.abs(SCORES[one]! - SCORES[other]!)
        share += chance * otherChance
      }
  return sum / share
}
