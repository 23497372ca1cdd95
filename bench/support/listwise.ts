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
  const prepared = lists.map((list) => prepare(list, scales, total))
  const weights = new Float64Array(size)
  const first = new Float64Array(size)
  const second = new Float64Array(size)
  for (let step = 1; step <= STEPS; step++) {
    const gradient = weights.map((weight) => -RIDGE * weight)
    for (const list of prepared) addGradient(gradient, list, weights)
    const rate = RATE * (step < STEPS / 2 ? 1 : step < STEPS * 0.8 ? 0.3 : 0.1)
    for (let at = 0; at < size; at++) {
      first[at] = 0.9 * first[at]! + 0.1 * gradient[at]!
      second[at] = 0.99 * second[at]! + 0.01 * gradient[at]! ** 2
      const mean = first[at]! / (1 - 0.9 ** step)
      const variance = second[at]! / (1 - 0.99 ** step)
      weights[at]! += (rate * mean) / (Math.sqrt(variance) + 1e-8)
    }
  }
  return Array.from(weights, (weight, at) => weight / scales[at]!)
}

/** A list whose values have variance 1, one candidate after another, and whose documents are numbers. */
type PreparedList = {
  share: number
  documents: number[]
  gains: number[]
  bases: number[]
  values: Float64Array
}

function prepare({ weight, candidates }: RankedList, scales: readonly number[], total: number): PreparedList {
  const numbers = new Map<string, number>()
  for (const { document } of candidates) if (!numbers.has(document)) numbers.set(document, numbers.size)
  return {
    share: weight / total,
    documents: candidates.map(({ document }) => numbers.get(document)!),
    gains: candidates.map(({ gain }) => gain),
    bases: candidates.map(({ base }) => base),
    values: Float64Array.from(
      candidates.flatMap(({ values }) => values.map((value, of) => value / scales[of]!)),
    ),
  }
}

function addGradient(
  gradient: Float64Array,
  { share, documents, gains, bases, values }: PreparedList,
  weights: Float64Array,
): void {
  const size = weights.length
  /** The best candidate of each document, and its score. */
  const best: number[] = []
  const scores: number[] = []
  for (const [at, document] of documents.entries()) {
    let score = bases[at]!
    for (let of = 0; of < size; of++) score += weights[of]! * values[at * size + of]!
    if (document < best.length && score <= scores[document]!) continue
    best[document] = at
    scores[document] = score
  }
  const gained = best.reduce((sum, at) => sum + gains[at]!, 0)
  if (gained <= 0) return
  const most = Math.max(...scores)
  const powers = scores.map((score) => Math.exp(score - most))
  const all = powers.reduce((sum, power) => sum + power, 0)
  for (const [document, at] of best.entries()) {
    const pull = share * (gains[at]! / gained - powers[document]! / all)
    for (let of = 0; of < size; of++) gradient[of]! += pull * values[at * size + of]!
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
