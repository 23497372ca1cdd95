/** The standard deviation of the difference of two variants on a question: the median of 254 measured pairs of variants. */
export const TYPICAL_DEVIATION = 0.16

/** As many questions as the typical deviation counts beside the measured one: a few questions say little of their spread. */
const PRIOR_QUESTIONS = 30

/** The quantile of the normal distribution for a power of 80 %. */
const POWER_QUANTILE = 0.8416

/** The deviation of differences, drawn to the typical one where there are few. */
export function deviationOf(differences: readonly number[]): number {
  const count = differences.length
  const mean = differences.reduce((sum, one) => sum + one, 0) / Math.max(1, count)
  const squares = differences.reduce((sum, one) => sum + (one - mean) ** 2, 0)
  return Math.sqrt((squares + PRIOR_QUESTIONS * TYPICAL_DEVIATION ** 2) / (count + PRIOR_QUESTIONS))
}

type DetectableOptions = { deviation: number; level: number }

/** The smallest difference that so many questions show with a probability of 80 %. */
export const detectableDifference = (questions: number, { deviation, level }: DetectableOptions): number =>
  ((upperQuantile(level / 2) + POWER_QUANTILE) * deviation) / Math.sqrt(Math.max(1, questions))

/** About how many questions show a difference with a probability of 80 %, in two digits. */
export function neededQuestions(difference: number, { deviation, level }: DetectableOptions): number {
  const count = (((upperQuantile(level / 2) + POWER_QUANTILE) * deviation) / difference) ** 2
  return Number(count.toPrecision(2))
}

/** The value that a normal variable exceeds with a probability below one half. (Abramowitz, Stegun 26.2.23; error below .00045.) */
function upperQuantile(probability: number): number {
  const t = Math.sqrt(-2 * Math.log(probability))
  return (
    t -
    (2.515517 + 0.802853 * t + 0.010328 * t ** 2) / (1 + 1.432788 * t + 0.189269 * t ** 2 + 0.001308 * t ** 3)
  )
}
