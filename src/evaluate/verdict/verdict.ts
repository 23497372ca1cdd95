import type { VariantVerdict, VerdictKind } from '../../contract/verdict.ts'
import { deviationOf, detectableDifference, neededQuestions } from './detectable.ts'
import { holm, type HolmStep } from './holm.ts'
import { LOOK_LEVEL, type Looks } from './looks.ts'
import { pairedTest, type PairedDifference, type PairedTest } from './paired-test.ts'

/** Below so many questions nothing is said of a difference. */
export const LEAST_QUESTIONS = 30

/** A smaller difference of nDCG@10 makes no difference to users. */
export const RELEVANT_DIFFERENCE = 0.02

/**
 * What a question that differs adds to the sum of the differences, about, where none was seen: the root of the mean square of 254 pairs
 * of variants. Where n questions show none, up to 3 / n of all questions may differ.
 */
const UNSEEN = 3 * 0.37

export type ComparedVariant = { name: string; differences: readonly PairedDifference[] }

export type VerdictOptions = {
  baseline: string
  /** How often the comparison is looked at, as was planned before it ran. */
  looks: Looks
  seed: number
}

/** The verdict on each variant against the baseline, at one look; all of them are wrong together as rarely as one alone would be. */
export function verdictsOf(variants: readonly ComparedVariant[], options: VerdictOptions): VariantVerdict[] {
  const tests = variants.map(({ differences }) => pairedTest(differences, options.seed))
  const steps = holm(
    tests.map(({ p }) => p),
    LOOK_LEVEL[options.looks],
  )
  return variants.map((variant, at) => verdictOf(variant, tests[at]!, steps[at]!, options.baseline))
}

function verdictOf(
  { name, differences }: ComparedVariant,
  test: PairedTest,
  { rejected, level }: HolmStep,
  baseline: string,
): VariantVerdict {
  const { questions, difference, p } = test
  const spread = { deviation: deviationOf(differences.map((one) => one.difference)), level }
  const known = {
    ...{ questions, difference, p },
    // Questions of one cluster count as one here: that is the worst that they may be.
    detectable: detectableDifference(test.clusters, spread),
    needed: neededQuestions(RELEVANT_DIFFERENCE, spread),
  }
  const finish = (kind: VerdictKind, { low, high }: Pick<VariantVerdict, 'low' | 'high'>): VariantVerdict => {
    const verdict = { kind, ...known, low, high }
    return { ...verdict, sentence: sentenceOf(verdict, { name, baseline }) }
  }
  if (questions < LEAST_QUESTIONS) return finish('open', { low: null, high: null })
  const interval = agreeing(widenedInterval(test, level), rejected)
  // All questions are of one source, or of very few: no interval ends.
  if (!Number.isFinite(interval.low) || !Number.isFinite(interval.high))
    return finish('open', { low: null, high: null })
  if (interval.low > 0) return finish('better', interval)
  if (interval.high < 0) return finish('worse', interval)
  const isAlike = Math.max(-interval.low, interval.high) <= RELEVANT_DIFFERENCE
  return finish(isAlike ? 'alike' : 'open', interval)
}

/** The interval, never narrower than what questions that were not asked may hide. */
export function widenedInterval(test: PairedTest, level: number): { low: number; high: number } {
  const { low, high } = test.interval(level)
  const hidden = UNSEEN / test.questions
  const { difference } = test
  return { low: Math.min(low, difference - hidden), high: Math.max(high, difference + hidden) }
}

/** An interval that has 0 in it unless the test rejects that: its limits come from other flips than an exact p. */
const agreeing = ({ low, high }: { low: number; high: number }, rejected: boolean) =>
  rejected ? { low, high } : { low: Math.min(low, 0), high: Math.max(high, 0) }

function sentenceOf(
  verdict: Omit<VariantVerdict, 'sentence'>,
  { name, baseline }: Record<'name' | 'baseline', string>,
) {
  const { kind, questions, difference, low, high } = verdict
  const asked = `${questions.toLocaleString('en')} ${questions === 1 ? 'question' : 'questions'}`
  const relevant = shortScore(RELEVANT_DIFFERENCE, 2)
  if (kind === 'better')
    return `${name} is better: +${shortScore(difference)} (${shortScore(low!)} to ${shortScore(high!)}), ${asked}`
  if (kind === 'worse')
    return `${baseline} is better: +${shortScore(-difference)} (${shortScore(-high!)} to ${shortScore(-low!)}), ${asked}`
  if (kind === 'alike') return `A difference above ${relevant} is unlikely`
  const { detectable, needed } = verdict
  const shown =
    questions === 0 ? 'show no difference' : `show only differences above ${shortScore(detectable, 2)}`
  return `Cannot tell: ${asked} ${shown}; ${relevant} needs about ${needed.toLocaleString('en')}`
}

/** A score or a difference as it is written here: `.041`, and `−.012`. */
export function shortScore(value: number, digits = 3): string {
  const text = Math.abs(value).toFixed(digits).replace(/^0\./, '.')
  return Number(value.toFixed(digits)) < 0 ? `−${text}` : text
}
