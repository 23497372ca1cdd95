import { logistic } from '../../src/retrieve/confidence.ts'

export type Example = { values: readonly number[]; right: boolean; weight: number }

const ROUNDS = 30
/** Smaller steps change no digit that is kept. */
const SMALLEST_STEP = 1e-5
/** Keeps weights small where the examples leave them free; small beside the examples. */
const RIDGE = 1e-6

/** The bias and the weights of a logistic regression, by Newton's method. */
export function fitLogistic(examples: readonly Example[]): number[] {
  const total = examples.reduce((sum, { weight }) => sum + weight, 0)
  const size = examples[0]!.values.length + 1
  const found = new Array<number>(size).fill(0)
  const rows = examples.map(({ values, right, weight }) => ({
    inputs: [1, ...values],
    right,
    share: weight / total,
  }))
  for (let round = 0; round < ROUNDS; round++) {
    const gradient = found.map((one) => -RIDGE * one)
    const curvature = found.map((_, row) => found.map((_, column) => (row === column ? RIDGE : 0)))
    for (const { inputs, right, share } of rows) {
      const promised = logistic(inputs.reduce((sum, value, at) => sum + value * found[at]!, 0))
      const bend = share * promised * (1 - promised)
      for (let row = 0; row < size; row++) {
        gradient[row]! += share * (Number(right) - promised) * inputs[row]!
        for (let column = 0; column < size; column++)
          curvature[row]![column]! += bend * inputs[row]! * inputs[column]!
      }
    }
    const step = solve(curvature, gradient)
    for (let at = 0; at < size; at++) found[at]! += step[at]!
    if (step.every((one) => Math.abs(one) < SMALLEST_STEP)) break
  }
  return found
}

/** Solves a system of linear equations by elimination; the matrix is symmetric and positive. */
function solve(matrix: readonly number[][], right: readonly number[]): number[] {
  const rows = matrix.map((row, at) => [...row, right[at]!])
  for (let pivot = 0; pivot < rows.length; pivot++)
    for (let row = 0; row < rows.length; row++) {
      if (row === pivot) continue
      const factor = rows[row]![pivot]! / rows[pivot]![pivot]!
      for (let column = pivot; column <= rows.length; column++)
        rows[row]![column]! -= factor * rows[pivot]![column]!
    }
  return rows.map((row, at) => row[rows.length]! / row[at]!)
}
