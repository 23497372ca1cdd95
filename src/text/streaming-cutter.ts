import type { Cutter, Piece } from '../contract/splitter.ts'
import { StreamedText } from './streamed-text.ts'

/**
 * How many units are looked at in a round: enough for a round to be worth while, and few, because a chunk that is kept
 * for later keeps the units of its round alive.
 */
const ROUND = 16_384

/** Cuts as far as the text on a scroll decides, lets go of what it needs no more, and returns the new pieces. */
export type CutAlgorithm = { cut(): Piece[] }

/** Cuts a text that arrives in parts, in rounds of so many units. */
export class StreamingCutter implements Cutter {
  readonly #scroll = new StreamedText()
  readonly #knife: CutAlgorithm
  readonly #round: number
  #gathered = ''
  #wanted: number

  constructor(knife: (scroll: StreamedText) => CutAlgorithm, round = ROUND) {
    this.#knife = knife(this.#scroll)
    this.#round = round
    this.#wanted = round
  }

  push(part: string): Piece[] {
    this.#gathered += part
    const pieces: Piece[][] = []
    while (this.#gathered.length >= this.#wanted) pieces.push(this.#cut(this.#wanted))
    return pieces.flat()
  }

  end(): Piece[] {
    return this.#cut(Number.POSITIVE_INFINITY)
  }

  #cut(units: number): Piece[] {
    this.#scroll.append(this.#gathered.slice(0, units), units === Number.POSITIVE_INFINITY)
    this.#gathered = this.#gathered.slice(units)
    const pieces = this.#knife.cut()
    // What is held back is copied with every round; where it grows, the rounds grow with it.
    this.#wanted = Math.max(this.#round, this.#scroll.length)
    return pieces
  }
}
