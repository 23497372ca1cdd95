/** Answers with a confidence between two tenths: their mean confidence, and how many were right. */
export type ReliabilityBin = {
  from: number
  to: number
  questions: number
  confidence: number
  right: number
}

/** How well `confidence` matches the share of right answers. */
export type Reliability = {
  /** Expected calibration error: the mean difference of confidence and accuracy over the bins, 0 to 1, smaller is better. */
  ece: number
  /** The probability that a question with an answer gets a higher confidence than one without; 0.5 is no better than guessing. */
  auroc: number
  curve: ReliabilityBin[]
}

const BINS = 10

/**
 * Collects the hits of questions that the collection answers, and of questions that it does not answer: the first hit for
 * the curve, the highest confidence of all hits for `auroc` and `below`. Hits without a confidence are left out.
 */
export class ReliabilityMeter {
  readonly #first: { confidence: number; right: boolean }[] = []
  readonly #answerable: number[] = []
  readonly #unanswerable: number[] = []

  /** @param hits best first; none count as a confidence of 0 */
  add(hits: readonly { confidence: number | null; right: boolean }[], answerable: boolean): void {
    const known = hits.map(({ confidence }) => confidence).filter((one) => one !== null)
    if (known.length === 0 && hits.length > 0) return
    ;(answerable ? this.#answerable : this.#unanswerable).push(Math.max(0, ...known))
    const [first] = hits
    if (first && first.confidence !== null)
      this.#first.push({ confidence: first.confidence, right: first.right })
  }

  /** Undefined where no hit had a confidence. */
  result(): Reliability | undefined {
    if (this.#first.length === 0) return undefined
    const curve = Array.from({ length: BINS }, (_, at) => this.#bin(at)).filter((bin) => bin.questions > 0)
    const ece = curve.reduce(
      (sum, { questions, confidence, right }) => sum + questions * Math.abs(confidence - right),
      0,
    )
    return {
      ece: ece / this.#first.length,
      auroc: auroc(this.#answerable, this.#unanswerable),
      curve,
    }
  }

  /** The share of the questions, with and without an answer, without a hit of at least `least`. */
  below(least: number): { answerable: number; unanswerable: number } {
    const share = (all: readonly number[]) => all.filter((one) => one < least).length / all.length
    return { answerable: share(this.#answerable), unanswerable: share(this.#unanswerable) }
  }

  #bin(at: number): ReliabilityBin {
    const within = this.#first.filter(
      ({ confidence }) => Math.min(BINS - 1, Math.floor(confidence * BINS)) === at,
    )
    const mean = (of: (one: (typeof within)[number]) => number) =>
      within.reduce((sum, one) => sum + of(one), 0) / within.length
    return {
      from: at / BINS,
      to: (at + 1) / BINS,
      questions: within.length,
      confidence: mean(({ confidence }) => confidence),
      right: mean(({ right }) => Number(right)),
    }
  }
}

/** The share of the pairs in which `high` is above `low`; equal ones count half. */
export function auroc(high: readonly number[], low: readonly number[]): number {
  const sorted = low.toSorted((one, other) => one - other)
  const count = (among: (one: number) => boolean) => {
    let [from, to] = [0, sorted.length]
    while (from < to) {
      const middle = (from + to) >>> 1
      if (among(sorted[middle]!)) from = middle + 1
      else to = middle
    }
    return from
  }
  const wins = high.reduce(
    (sum, value) => sum + (count((one) => one < value) + count((one) => one <= value)) / 2,
    0,
  )
  return wins / (high.length * low.length)
}
