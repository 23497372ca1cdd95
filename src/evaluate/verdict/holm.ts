/** Whether one of several tests rejects, and at which level it was looked at. */
export type HolmStep = { rejected: boolean; level: number }

/**
 * Holm's correction: the smallest p meets level / n, the next level / (n - 1), and so on; the first that fails ends it, and those
 * after it have its level. (Holm, 1979.)
 *
 * @param values the p of each test
 * @param level the share of errors of all tests together
 */
export function holm(values: readonly number[], level: number): HolmStep[] {
  const order = values.map((_, at) => at).sort((one, other) => values[one]! - values[other]!)
  const steps: HolmStep[] = []
  let share = level / values.length
  let holds = true
  for (const [place, at] of order.entries()) {
    if (holds) share = level / (values.length - place)
    holds &&= values[at]! <= share
    steps[at] = { rejected: holds, level: share }
  }
  return steps
}
