/** What a hyphen at the end of a line is: a cut in a word, part of a compound, or the end of `pre-` in "pre- and post-". */
export type LineEndHyphen = 'cut' | 'compound' | 'apart'

/** More words of a document are not remembered. */
const MAX_REMEMBERED = 200_000

/** A document with this many hyphens at line ends, of which none cuts a word that it has elsewhere, cuts no words. */
const MIN_ENDS = 4

/** More words are not kept for that. */
const MAX_CUT_WORDS = 500

/** Both parts have at least this many letters where they are compared as words: `in` and `to` are words of `into`. */
const MIN_PART = 4

/** A name, which may be the first part of a compound, is found this often: other capital letters begin sentences. */
const MIN_NAMES = 3

const WORD = /\p{L}+(?:[-\u2010]\p{L}+)*/gu
const LAST_TOKEN = /\S+$/
const LAST_PART = /\p{L}+(?=[-\u2010]$)/u
const FIRST_PART = /^\p{L}+/u
const HYPHEN = /[-\u2010]/

/** After them a hyphen is not inside a word: German and English "pre- and post-". */
const CONJUNCTIONS: ReadonlySet<string> = new Set(['and', 'or', 'und', 'oder', 'bzw'])

/**
 * Judges hyphens at line ends by the words of their document: `infor-` and `mation` are a word that is found whole,
 * `Debian-` and `based` one that is found with its hyphen, or of which the parts are found alone or in other
 * compounds. Without evidence the word was cut. No dictionary is used, so it is the same for all languages.
 */
export class LineEndHyphens {
  /** Words in small letters, and as they are written: in German `Tür` is a word, `tür` is only a part of one. */
  readonly #words = new Map<string, number>()
  readonly #written = new Map<string, number>()
  readonly #compounds = new Map<string, number>()
  readonly #firsts = new Set<string>()
  readonly #seconds = new Set<string>()
  /** Words that line ends may have cut, as they would be whole; undefined once the document has one of them. */
  #cutWords: Set<string> | undefined = new Set()

  /** Remembers the words of lines that follow one another; without those that a line end may have cut. */
  learn(lines: readonly { text: string }[]): void {
    if (this.#words.size + this.#compounds.size > MAX_REMEMBERED) return
    let cut: string | undefined
    for (const { text } of lines) {
      const words = text.match(WORD) ?? []
      const rest = cut === undefined ? undefined : words.shift()
      if (rest !== undefined && this.#cutWords && this.#cutWords.size < MAX_CUT_WORDS)
        this.#cutWords.add(`${cut}${rest}`.toLowerCase())
      cut = /\p{L}[-\u2010]\s*$/u.test(text) ? words.pop() : undefined
      for (const word of words) this.#add(word)
    }
    if (this.#cutWords && [...this.#cutWords].some((word) => this.#words.has(word)))
      this.#cutWords = undefined
  }

  /**
   * @param before text that ends with a hyphen
   * @param next text of the next line, which begins with a letter
   */
  judge(before: string, next: string): LineEndHyphen {
    const token = LAST_TOKEN.exec(before)?.[0] ?? ''
    const first = LAST_PART.exec(token)?.[0] ?? ''
    const second = FIRST_PART.exec(next)?.[0] ?? ''
    if (CONJUNCTIONS.has(second)) return 'apart'
    const isCapital = isUpper(first) && isUpper(second)
    // an address, an option of a command; GPL-free, x-ray; state-of-the-art; Baden-Baden
    if (ADDRESS.test(token) || first.length < 2 || second.length < 2) return 'compound'
    if (!isCapital && (isUpper(first) || !/^\p{Ll}/u.test(second))) return 'compound'
    const [low, lowSecond] = [first.toLowerCase(), second.toLowerCase()]
    const whole = this.#words.get(low + lowSecond) ?? 0
    const hyphened = this.#compounds.get(`${low}-${lowSecond}`) ?? 0
    if (whole > 0 || hyphened > 0) return whole >= hyphened ? 'cut' : 'compound'
    if (HYPHEN.test(token.slice(0, -1))) return 'compound'
    // US-ASCII
    if (isCapital && Math.min(first.length, second.length) < MIN_PART) return 'compound'
    if (second.length > 2 && this.#seconds.has(second)) return 'compound'
    const isWord = this.#written.has(second)
    if (this.#firsts.has(low) && isWord) return 'compound'
    if (isWord && first.length >= MIN_PART && second.length >= MIN_PART) {
      const least = /^\p{Lu}/u.test(first) ? MIN_NAMES : 1
      if ((this.#written.get(first) ?? 0) >= least) return 'compound'
    }
    return this.#cutWords && this.#cutWords.size >= MIN_ENDS ? 'compound' : 'cut'
  }

  #add(word: string): void {
    const written = word.split(HYPHEN)
    const low = written.map((part) => part.toLowerCase())
    if (low.length === 1) {
      count(this.#words, low[0]!)
      count(this.#written, word)
    }
    for (let index = 1; index < low.length; index++) {
      count(this.#compounds, `${low[index - 1]}-${low[index]}`)
      this.#firsts.add(low[index - 1]!)
      this.#seconds.add(written[index]!)
    }
  }
}

const count = (counts: Map<string, number>, key: string): void =>
  void counts.set(key, (counts.get(key) ?? 0) + 1)

const isUpper = (part: string): boolean => part.length > 1 && part === part.toUpperCase()

const ADDRESS = /[/@_\\.:=]|^[-\u2010]|--/
