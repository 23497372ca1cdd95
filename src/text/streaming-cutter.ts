import type { Cutter, Piece } from '../contract/splitter.ts'
import { StreamedText } from './streamed-text.ts'

/**
 * Units that are processed in a round: enough to be efficient, and few, because a chunk that is kept keeps the text
 * of its round in memory.
 */
const ROUND = 16_384

/** Cuts the streamed text as far as possible, releases what is not needed any more, and returns the new pieces. */
export type CutAlgorithm = { cut(): Piece[] }

/** Cuts a text that arrives in parts, in rounds of a number of units. */
export class StreamingCutter implements Cutter {
  readonly #text = new StreamedText()
  readonly #algorithm: CutAlgorithm
  readonly #round: number
  #pending = ''
  #nextRound: number

  constructor(algorithm: (text: StreamedText) => CutAlgorithm, round = ROUND) {
    this.#algorithm = algorithm(this.#text)
    this.#round = round
    this.#nextRound = round
  }

  push(part: string): Piece[] {
    this.#pending += part
    if (this.#pending.length < this.#nextRound) return []
    const pieces = this.#cut(this.#nextRound)
    while (this.#pending.length >= this.#nextRound)
      for (const piece of this.#cut(this.#nextRound)) pieces.push(piece)
    return pieces
  }

  end(): Piece[] {
    return this.#cut(Number.POSITIVE_INFINITY)
  }

  #cut(units: number): Piece[] {
    this.#text.append(this.#pending.slice(0, units), units === Number.POSITIVE_INFINITY)
    this.#pending = this.#pending.slice(units)
    const pieces = this.#algorithm.cut()
    // Text that is held back is copied in every round, so the rounds grow with it.
    this.#nextRound = Math.max(this.#round, this.#text.length)
    return pieces
  }
}
