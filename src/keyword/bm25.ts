import { LENGTHS } from './length-class.ts'

/** BM25 parameters: k1, how soon more occurrences stop to count; b, how much the length of a passage counts. */
const K1 = 0.9
const B = 0.4

/** The most that a term of weight 1 adds, however often a passage has it. */
export const SATURATED = K1 + 1

/** What the weight of a term depends on: how many passages there are, and how long they are on average. */
export type Corpus = { passages: number; averageLength: number }

/** The weight of a term that `holders` passages have (inverse document frequency); above 0 also where all have it. */
export const rarity = ({ passages }: Corpus, holders: number): number =>
  Math.log(1 + Math.max(0, passages - holders + 0.5) / (holders + 0.5))

/**
 * The length normalisation of BM25, by the length class of a passage. A term of a weight adds
 * weight × (occurrences ÷ (occurrences + damping)), and each step is rounded to float32.
 */
export const dampings = ({ averageLength }: Corpus): Float32Array =>
  Float32Array.from(LENGTHS, (length) => K1 * (1 - B + (B * length) / averageLength))
