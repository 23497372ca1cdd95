import type { WeighedText } from '../contract/search.ts'

/**
 * How much the earlier questions of a conversation count in a search, the last one first. Older ones are not read. Measured in
 * docs/decisions/2026-11-26-questions-of-a-conversation.md.
 */
const TERM_WEIGHTS = [0.6, 0.42, 0.29, 0.21, 0.14]
const VECTOR_WEIGHTS = [0.4, 0.24, 0.14, 0.09, 0.05]

/** What a search takes from the earlier questions of a conversation. */
export type EarlierQuestions = {
  /** For the keyword side, the last question first. */
  terms: WeighedText[]
  /** For the vector side: the texts to embed. */
  texts: string[]
  /** Adds the vectors of {@link texts}, which are in their order, to that of the question. @returns a vector of the same length */
  blend(question: Float32Array, vectors: readonly Float32Array[]): Float32Array
}

/** @param history the earlier questions, the oldest first. @returns undefined where there is none */
export function earlierQuestions(history: readonly string[] = []): EarlierQuestions | undefined {
  const turns = history
    .map((turn) => turn.trim())
    .filter((turn) => turn !== '')
    .slice(-TERM_WEIGHTS.length)
    .reverse()
  if (turns.length === 0) return undefined
  return { terms: turns.map((text, at) => ({ text, weight: TERM_WEIGHTS[at]! })), texts: turns, blend }
}

function blend(question: Float32Array, vectors: readonly Float32Array[]): Float32Array {
  const sum = Float32Array.from(question)
  for (const [at, vector] of vectors.entries())
    for (let i = 0; i < sum.length; i++) sum[i]! += VECTOR_WEIGHTS[at]! * vector[i]!
  const [before, after] = [lengthOf(question), lengthOf(sum)]
  return after === 0 ? question : sum.map((value) => (value * before) / after)
}

const lengthOf = (vector: Float32Array): number =>
  Math.sqrt(vector.reduce((total, value) => total + value * value, 0))
