/** The candidates of one question; of several candidates of a document the best one counts. */
export type RankedList = {
  /** How much the question counts. */
  weight: number
  candidates: readonly {
    document: string
    /** 2^grade - 1; 0 for no answer. */
    gain: number
    /** The part of the score that is not fitted. */
    base: number
    values: readonly number[]
  }[]
}

const STEPS = 150
const RATE = 0.08
/** Keeps weights small where the lists leave them free; for values of variance 1. */
const RIDGE = 0.005

/**
 * The weights of a linear score, fitted so that the documents with the most gain come first: the cross-entropy between the
 * shares of gain and the softmax of the scores (ListNet; Cao et al., 2007), by Adam.
 */
export function fitListwise(lists: readonly RankedList[]): number[] {
  const total = lists.reduce((sum, { weight }) => sum + weight, 0)
  const scales = deviations(lists)
  const size = scales.length
  const weights = new Array<number>(size).fill(0)
  const first = new Array<number>(size).fill(0)
  const second = new Array<number>(size).fill(0)
  for (let step = 1; step <= STEPS; step++) {
    const gradient = weights.map((weight) => -RIDGE * weight)
    for (const list of lists) addGradient(gradient, list, weights, scales, list.weight / total)
    const rate = RATE * (step < STEPS / 2 ? 1 : step < STEPS * 0.8 ? 0.3 : 0.1)
    for (let at = 0; at < size; at++) {
      first[at] = 0.9 * first[at]! + 0.1 * gradient[at]!
      second[at] = 0.99 * second[at]! + 0.01 * gradient[at]! ** 2
      const mean = first[at]! / (1 - 0.9 ** step)
      const variance = second[at]! / (1 - 0.99 ** step)
      weights[at]! += (rate * mean) / (Math.sqrt(variance) + 1e-8)
    }
  }
  return weights.map((weight, at) => weight / scales[at]!)
}

function addGradient(
  gradient: number[],
  { candidates }: RankedList,
  weights: readonly number[],
  scales: readonly number[],
  share: number,
): void {
  const best = new Map<string, { score: number; at: number }>()
  for (const [at, { document, base, values }] of candidates.entries()) {
    const score = values.reduce((sum, value, of) => sum + (weights[of]! * value) / scales[of]!, base)
    const known = best.get(document)
    if (!known || score > known.score) best.set(document, { score, at })
  }
  const documents = [...best.values()]
  const gains = documents.reduce((sum, { at }) => sum + candidates[at]!.gain, 0)
  if (gains <= 0) return
  const most = Math.max(...documents.map(({ score }) => score))
  const powers = documents.map(({ score }) => Math.exp(score - most))
  const all = powers.reduce((sum, power) => sum + power, 0)
  for (const [index, { at }] of documents.entries()) {
    const { gain, values } = candidates[at]!
    const pull = share * (gain / gains - powers[index]! / all)
    for (let of = 0; of < values.length; of++) gradient[of]! += (pull * values[of]!) / scales[of]!
  }
}

/** The standard deviation of each value. */
function deviations(lists: readonly RankedList[]): number[] {
  const rows = lists.flatMap(({ candidates }) => candidates.map(({ values }) => values))
  return rows[0]!.map((_, of) => {
    const mean = rows.reduce((sum, values) => sum + values[of]!, 0) / rows.length
    return Math.sqrt(rows.reduce((sum, values) => sum + (values[of]! - mean) ** 2, 0) / rows.length) + 1e-6
  })
}
