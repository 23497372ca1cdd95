import { Best } from '../../src/vector/best.ts'
import { exactScore } from '../../src/vector/metric.ts'

/*
 * Vectors around 2,000 centres, each computed from its number where it is needed, so that a million of them take no
 * memory.
 */

/** `BENCH_DIMENSIONS`: 256, those of the built-in model, unless given. */
export const DIMENSIONS = Number(process.env.BENCH_DIMENSIONS ?? 256)
const CENTRES = 2000

/** The vector with this number, always the same one. */
export function vectorOf(number: number): Float32Array {
  const next = seeded(number * 7919 + 1_000_003)
  const centre = centreOf(Math.floor((next() + 1) * 0.5 * CENTRES))
  const vector = new Float32Array(DIMENSIONS)
  for (let at = 0; at < DIMENSIONS; at++) vector[at] = centre[at]! + next()
  return vector
}

/** A vector to ask with: near the same centres, and none of those that are stored. */
export const queryVector = (number: number): Float32Array => vectorOf(-1 - number)

/** One in a hundred is in group 0, and so on. */
export const GROUPS = 100
export const groupOf = (number: number): number => number % GROUPS

/** Finds the exact best in one pass over the vectors. */
export class ExactBest {
  readonly #queries: Float32Array[]
  readonly #all: Best[]
  readonly #ofGroup: Best[]

  constructor(queries: number, k: number) {
    const numbers = [...new Array(queries).keys()]
    this.#queries = numbers.map(queryVector)
    this.#all = numbers.map(() => new Best(k))
    this.#ofGroup = numbers.map(() => new Best(k))
  }

  take(number: number, vector: Float32Array): void {
    for (const [at, query] of this.#queries.entries()) {
      const score = exactScore('cosine', query, vector)
      this.#all[at]!.offer(number, score)
      if (groupOf(number) === at % GROUPS) this.#ofGroup[at]!.offer(number, score)
    }
  }

  /** The mean share of the exact best that a search finds; of those in a group, each query in one of its own. */
  async recall(
    search: (vector: Float32Array, group: number | undefined) => Promise<number[]>,
    grouped: boolean,
  ): Promise<number> {
    let share = 0
    for (const [at, query] of this.#queries.entries()) {
      const wanted = (grouped ? this.#ofGroup : this.#all)[at]!.ranked()
      const found = await search(query, grouped ? at % GROUPS : undefined)
      share += wanted.filter(({ owner }) => found.includes(owner)).length / wanted.length
    }
    return share / this.#queries.length
  }
}

const centres = new Map<number, Float32Array>()

function centreOf(number: number): Float32Array {
  const known = centres.get(number)
  if (known) return known
  const next = seeded(number + 1)
  const centre = Float32Array.from({ length: DIMENSIONS }, () => next())
  centres.set(number, centre)
  return centre
}

/** Numbers from -1 to 1 (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 31 - 1
  }
}
