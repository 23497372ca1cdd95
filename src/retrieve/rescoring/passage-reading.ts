import { TermReader } from '../../text/terms/terms.ts'
import { passageSentences } from './passage-sentences.ts'
import type { QuestionTerms } from './question-terms.ts'

/** How the terms of a passage match those of a question. All shares are 0 to 1. */
export type PassageReading = {
  sentences: string[]
  /** For each sentence, the share of the question's term weights that its terms have. */
  covered: number[]
  /** The same of the whole passage. */
  coverage: number
  /** The share of the question's terms that the passage has, each counted alike. */
  matched: number
  /** How many terms the passage has. */
  length: number
  /** The longest run of terms that the question has in the same order, stop words too, by the number of its terms. */
  phrase: number
  /** Matched terms by the length of the shortest range with all of them; 0.5 where one term is matched. */
  proximity: number
}

/** Reads passages for one question, one after another. */
export class PassageReader {
  readonly #question: QuestionTerms
  readonly #reader = new TermReader((term) => this.#note(term))
  /** Where terms of the question are in the passage, and which; in order. */
  readonly #positions: number[] = []
  readonly #numbers: number[] = []
  readonly #inPassage: Uint8Array
  readonly #inSentence: Uint8Array
  /** For each place in the question: the last position with its term, and the length of the run that ends there. */
  readonly #runEnds: Int32Array
  readonly #runs: Int32Array
  #covered = 0
  #length = 0
  #longest = 0

  constructor(question: QuestionTerms) {
    this.#question = question
    this.#inPassage = new Uint8Array(question.weights.length)
    this.#inSentence = new Uint8Array(question.weights.length)
    this.#runEnds = new Int32Array(question.sequence)
    this.#runs = new Int32Array(question.sequence)
  }

  read(text: string): PassageReading {
    const { weights, total, sequence } = this.#question
    this.#positions.length = 0
    this.#numbers.length = 0
    this.#inPassage.fill(0)
    this.#runEnds.fill(-2)
    this.#length = 0
    this.#longest = 0
    const sentences = passageSentences(text)
    const covered = sentences.map((sentence) => {
      this.#inSentence.fill(0)
      this.#covered = 0
      this.#reader.read(sentence)
      return this.#covered / total
    })
    let [matchedWeight, matched] = [0, 0]
    for (const [number, weight] of weights.entries())
      if (this.#inPassage[number]) {
        matchedWeight += weight
        matched++
      }
    return {
      sentences,
      covered,
      coverage: matchedWeight / total,
      matched: matched / Math.max(1, weights.length),
      length: this.#length,
      phrase: sequence > 0 ? this.#longest / sequence : 0,
      proximity: proximityOf(this.#positions, this.#numbers, matched),
    }
  }

  #note(term: number): void {
    const position = this.#length++
    const asked = this.#question.find(term)
    if (!asked) return
    const { number, places } = asked
    if (number >= 0) {
      this.#positions.push(position)
      this.#numbers.push(number)
      if (!this.#inSentence[number]) this.#covered += this.#question.weights[number]!
      this.#inSentence[number] = 1
      this.#inPassage[number] = 1
    }
    // The last place first: the place before it still has the run that ended at the position before.
    for (let at = places.length - 1; at >= 0; at--) {
      const place = places[at]!
      const follows = place > 0 && this.#runEnds[place - 1] === position - 1
      const run = follows ? this.#runs[place - 1]! + 1 : 1
      this.#runEnds[place] = position
      this.#runs[place] = run
      if (run > this.#longest) this.#longest = run
    }
  }
}

function proximityOf(positions: readonly number[], numbers: readonly number[], matched: number): number {
  if (matched < 2) return matched / 2
  const counts = new Map<number, number>()
  let shortest = Infinity
  let from = 0
  for (let to = 0; to < positions.length; to++) {
    counts.set(numbers[to]!, (counts.get(numbers[to]!) ?? 0) + 1)
    while (counts.size === matched) {
      shortest = Math.min(shortest, positions[to]! - positions[from]! + 1)
      const left = counts.get(numbers[from]!)! - 1
      if (left === 0) counts.delete(numbers[from]!)
      else counts.set(numbers[from]!, left)
      from++
    }
  }
  return matched / shortest
}
