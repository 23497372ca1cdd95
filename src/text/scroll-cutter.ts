import type { Cutter, Piece } from '../contract/splitter.ts'
import { Scroll } from './scroll.ts'

/** Fewer units than this are not worth a round: parts are gathered first. */
const LEAST = 16_384

/** Cuts as far as the text on a scroll decides, lets go of what it needs no more, and returns the new pieces. */
export type Knife = { cut(): Piece[] }

/** Cuts a text that arrives in parts; `least` is how many units are gathered before they are looked at. */
export class ScrollCutter implements Cutter {
  readonly #scroll = new Scroll()
  readonly #knife: Knife
  readonly #least: number
  #gathered = ''
  #wanted: number

  constructor(knife: (scroll: Scroll) => Knife, least = LEAST) {
    this.#knife = knife(this.#scroll)
    this.#least = least
    this.#wanted = least
  }

  push(part: string): Piece[] {
    this.#gathered += part
    return this.#gathered.length < this.#wanted ? [] : this.#cut(false)
  }

  end(): Piece[] {
    return this.#cut(true)
  }

  #cut(complete: boolean): Piece[] {
    this.#scroll.append(this.#gathered, complete)
    this.#gathered = ''
    const pieces = this.#knife.cut()
    // What is held back is copied with every round; where it grows, the rounds grow with it.
    this.#wanted = Math.max(this.#least, this.#scroll.length)
    return pieces
  }
}
