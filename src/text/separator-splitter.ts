import type { Cutter, Piece, TextSplitter } from '../contract/splitter.ts'
import { Cascade, type CascadeRules } from './cascade.ts'
import { Scroll } from './scroll.ts'

/** Fewer units than this are not worth a round: parts are gathered first. */
const LEAST = 16_384

/** A splitter that cuts at separators; the pieces of `split` are slices of the text and keep it alive. */
export function separatorSplitter(id: string, rules: CascadeRules): TextSplitter {
  return {
    id,
    split: (text) => new Cascade(new Scroll(text), rules).cut(),
    open: () => new SeparatorCutter(rules),
  }
}

/** Cuts a text that arrives in parts; `least` is how many units are gathered before they are looked at. */
export class SeparatorCutter implements Cutter {
  readonly #scroll = new Scroll()
  readonly #cascade: Cascade
  readonly #least: number
  #gathered = ''
  #wanted: number

  constructor(rules: CascadeRules, least = LEAST) {
    this.#cascade = new Cascade(this.#scroll, rules)
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
    const pieces = this.#cascade.cut()
    // What is held back is copied with every round; where it grows, the rounds grow with it.
    this.#wanted = Math.max(this.#least, this.#scroll.length)
    return pieces
  }
}
