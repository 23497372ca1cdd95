import { CHARACTER_KIND, characterEntry, entryCode, entryKind } from '../../text/terms/character.ts'

/** A word has at least this many letters: shorter ones are in most texts of a language. */
const LEAST_LETTERS = 4

/** How many UTF-16 code units of a text are read. */
const MOST_CHARACTERS = 3000

/** A word is shared if at least this part of the texts has it, and at least two of them. */
const SHARED_BY = 0.25

/** Words that more texts have belong to their form: the columns of a table, a footer. They do not count. */
const FORM = 0.75

/** Each text is taken to have so many more words, of its own: a few words say little of how alike texts are. */
const UNSEEN = 10

/** How much texts that are added one after another are alike. */
export class SharedWords {
  readonly #texts: Set<number>[] = []
  /** How many texts have a word. */
  readonly #counts = new Map<number, number>()

  add(text: string): void {
    const words = new Set<number>()
    eachLongWord(text, (word) => words.add(word))
    for (const word of words) this.#counts.set(word, (this.#counts.get(word) ?? 0) + 1)
    this.#texts.push(words)
  }

  /** The mean, over the texts, of the part of their different words that is shared: from 0 to below 1. In scripts without spaces 0. */
  share(): number {
    const count = this.#texts.length
    let sum = 0
    for (const words of this.#texts) {
      let [counted, shared] = [0, 0]
      for (const word of words) {
        const texts = this.#counts.get(word)!
        if (texts > FORM * count && texts > 1) continue
        counted++
        if (texts >= Math.max(2, SHARED_BY * count)) shared++
      }
      sum += shared / (counted + UNSEEN)
    }
    return sum / Math.max(1, count)
  }
}

/** Words as numbers of 32 bits, without case and accents: a word that is taken for another one changes the share hardly. */
function eachLongWord(text: string, visit: (word: number) => void): void {
  const end = Math.min(text.length, MOST_CHARACTERS)
  let letters = 0
  let word = 0
  for (let at = 0; at < end; at++) {
    const unit = text.charCodeAt(at)
    const entry = characterEntry(unit)
    const kind = entryKind(entry)
    if (kind === CHARACTER_KIND.small || kind === CHARACTER_KIND.capital) {
      word = Math.imul(word ^ (entryCode(entry) || unit), 0x9e3779b1)
      word ^= word >>> 15
      letters++
    } else if (kind !== CHARACTER_KIND.silent) {
      if (letters >= LEAST_LETTERS) visit(word)
      letters = word = 0
    }
  }
  if (letters >= LEAST_LETTERS) visit(word)
}
