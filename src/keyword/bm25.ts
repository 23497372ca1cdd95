import { LENGTHS } from './length-class.ts'
import { eachPosting, type Postings } from './page.ts'

/** How soon more occurrences of a term stop to count, and how much the length of a passage does. */
const K1 = 0.9
const B = 0.4

/** What a term of weight 1 gives at most, however often a passage holds it. */
export const SATURATED = K1 + 1

/** What the weight of a term depends on: how many passages there are, and how long they are on average. */
export type Corpus = { passages: number; averageLength: number }

/** How much a term tells that `holders` passages hold; above 0 also where all do. */
export const rarity = ({ passages }: Corpus, holders: number): number =>
  Math.log(1 + Math.max(0, passages - holders + 0.5) / (holders + 0.5))

/** What makes an occurrence count less, by the length class of a passage. */
export const dampings = ({ averageLength }: Corpus): Float64Array =>
  LENGTHS.map((length) => K1 * (1 - B + (B * length) / averageLength))

/** Adds to the score of each passage that holds a term what the term gives it. */
export function addScores(
  scores: Float32Array,
  postings: Postings,
  weight: number,
  classes: Uint8Array,
  damping: Float64Array,
): void {
  eachPosting(postings, (passage, occurrences) => {
    scores[passage]! += (weight * SATURATED * occurrences) / (occurrences + damping[classes[passage]!]!)
  })
}
