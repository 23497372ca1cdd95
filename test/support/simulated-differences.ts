import type { PairedDifference } from '../../src/evaluate/verdict/paired-test.ts'
import { randomBits } from '../../src/evaluate/verdict/random-bits.ts'

/* Differences of nDCG@10 as they were measured on 254 pairs of variants: 19 % of the questions differ, and their deviation is .16. */

/** The share of questions on which two variants differ. */
const DIFFERING = 0.19

/** nDCG@10 of one right document by its place; the last is that of no right one among the first ten. */
const SCORES = [...Array.from({ length: 10 }, (_, at) => 1 / Math.log2(at + 2)), 0]

/** How often, of a hundred, a place is that of the right document. */
const PLACES = [48, 15, 9, 6, 4, 3, 2, 1, 1, 1, 10]

/** How often, of a hundred, a change moves it by one place, two and so on; the rest loses or finds it. */
const STEPS = [62, 18, 8, 3, 2]

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
  const upwards = effect === 0 ? 0 : effect / meanSize()
  for (let question = 0; question < questions; question++) {
    const usual = drawn(PLACES, random())
    const scoreOf = () => SCORES[random() < CHANGED ? changedPlace(usual, random) : usual]!
    const baseline = scoreOf()
    for (const differences of all) {
      const size = scoreOf() - baseline
      const isTurned = size * upwards < 0 && random() < Math.abs(upwards)
      differences.push({ difference: isTurned ? -size : size, cluster: String(question) })
    }
  }
  return all
}

/** Two changes of this probability leave 19 % of the questions different, less those that come out the same. */
const CHANGED = 1 - Math.sqrt(1 - DIFFERING * 1.08)

function changedPlace(usual: number, random: () => number): number {
  const step = drawn(STEPS, random()) + 1
  const none = SCORES.length - 1
  if (step > STEPS.length) return usual === none ? drawn(PLACES, random()) : none
  const moved = usual + (random() < 0.5 ? -step : step)
  return moved < 0 ? step : Math.min(moved, none)
}

/** The first place whose share, of a hundred, a drawn number is within; behind the last for the rest. */
function drawn(shares: readonly number[], number: number): number {
  let sum = 0
  const at = shares.findIndex((share) => {
    sum += share / 100
    return number < sum
  })
  return at < 0 ? shares.length : at
}

let knownSize: number | undefined

/** The mean of the absolute differences of two systems that are equally good. */
function meanSize(): number {
  if (knownSize === undefined) {
    const [differences] = simulatedDifferences({ questions: 50_000, variants: 1, seed: 11 })
    knownSize = differences!.reduce((sum, { difference }) => sum + Math.abs(difference), 0) / 50_000
  }
  return knownSize
}
