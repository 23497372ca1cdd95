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
  /** The share of the questions that have a confidence, 0 to 1. */
  known: number
  /** The share of all questions with an answer, and of those without, of which it is said that probably no hit answers. */
  unlikely: Shares
}

type Shares = { answerable: number; unanswerable: number }

const BINS = 10

/**
 * Collects the hits of questions that the collection answers, and of questions that it does not answer: the first hit for
 * the curve, the highest confidence of all hits for `auroc`. Hits without a confidence are left out.
 */
export class ReliabilityMeter {
  readonly #first: { confidence: number; right: boolean }[] = []
  readonly #answerable: number[] = []
  readonly #unanswerable: number[] = []
  readonly #asked = { answerable: 0, unanswerable: 0 }
  readonly #unlikely = { answerable: 0, unanswerable: 0 }

  /** @param hits best first; none count as a confidence of 0 */
  add(
    hits: readonly { confidence: number | null; right: boolean }[],
    { answerable, unlikely }: { answerable: boolean; unlikely: boolean },
  ): void {
    const kind = answerable ? 'answerable' : 'unanswerable'
    this.#asked[kind]++
    if (unlikely) this.#unlikely[kind]++
    const known = hits.map(({ confidence }) => confidence).filter((one) => one !== null)
    if (known.length === 0 && hits.length > 0) return
    ;(answerable ? this.#answerable : this.#unanswerable).push(Math.max(0, ...known))
    const [first] = hits
    if (first && first.confidence !== null)
      this.#first.push({ confidence: first.confidence, right: first.right })
  }

  /** Undefined where no question with an answer, or none without, had a confidence. */
  result(): Reliability | undefined {
    if ([this.#first, this.#answerable, this.#unanswerable].some(({ length }) => length === 0))
      return undefined
    const curve = Array.from({ length: BINS }, (_, at) => this.#bin(at)).filter((bin) => bin.questions > 0)
    const ece = curve.reduce(
      (sum, { questions, confidence, right }) => sum + questions * Math.abs(confidence - right),
      0,
    )
    return {
      ece: ece / this.#first.length,
      auroc: auroc(this.#answerable, this.#unanswerable),
      curve,
      known:
        (this.#answerable.length + this.#unanswerable.length) /
        (this.#asked.answerable + this.#asked.unanswerable),
      unlikely: this.unlikely(),
    }
  }

  /** The share of the questions, with and without an answer, of which it is said that probably no hit answers. */
  unlikely(): Shares {
    const share = (kind: keyof Shares) => this.#unlikely[kind] / Math.max(1, this.#asked[kind])
    return { answerable: share('answerable'), unanswerable: share('unanswerable') }
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
