/** The root of the tokens that begin a word, and that of those that continue one. */
export const WORD_START = 1
export const WORD_CONTINUATION = 2
export type TrieRoot = typeof WORD_START | typeof WORD_CONTINUATION

/** No node; marks empty entries of the table. */
const NONE = 0
/** An entry is four numbers: a node, the UTF-16 unit that leads on from it, the node that it leads to, its token or -1. */
const NUMBERS = 4
const [PARENT, UNIT, CHILD, TOKEN] = [0, 1, 2, 3]

/** So many entries for each token fit at first: with 36,000 tokens the table is not half full and takes 2 MB. */
const ENTRIES_PER_TOKEN = 3

/**
 * A trie of tokens of two kinds. It finds the longest token at a position in one pass over the UTF-16 units of the text. All
 * edges are in one hash table with linear probing, so that a step waits for memory once.
 */
export class TokenTrie {
  #entries: Int32Array
  /** How many nodes there are, {@link NONE} and the roots included. */
  #nodes = 3
  /** The length of the last token that was found, in UTF-16 units. */
  length = 0

  /** @param tokens how many there will be, about */
  constructor(tokens: number) {
    this.#entries = new Int32Array(NUMBERS * 2 ** Math.ceil(Math.log2(ENTRIES_PER_TOKEN * tokens + 1)))
  }

  /** Adds a token: the text from a place on. */
  add(root: TrieRoot, text: string, from: number, id: number): void {
    let node: number = root
    for (let at = from; at < text.length; at++) {
      const unit = text.charCodeAt(at)
      let entry = this.#entryOf(node, unit)
      if (this.#entries[entry + CHILD] === NONE) entry = this.#addNode(entry, node, unit)
      node = this.#entries[entry + CHILD]!
      if (at === text.length - 1) this.#entries[entry + TOKEN] = id
    }
  }

  /** The longest token that begins at `from` and ends at `to` at the latest; -1 if there is none. Sets {@link length}. */
  longest(root: TrieRoot, text: string, from: number, to: number): number {
    const entries = this.#entries
    let node: number = root
    let found = -1
    for (let at = from; at < to; at++) {
      const entry = this.#entryOf(node, text.charCodeAt(at))
      node = entries[entry + CHILD]!
      if (node === NONE) break
      const token = entries[entry + TOKEN]!
      if (token < 0) continue
      found = token
      this.length = at + 1 - from
    }
    return found
  }

  /** Writes the edge to a new node, in an empty entry unless the table grows; returns its entry. */
  #addNode(empty: number, parent: number, unit: number): number {
    let entry = empty
    if (2 * NUMBERS * this.#nodes >= this.#entries.length) {
      this.#grow()
      entry = this.#entryOf(parent, unit)
    }
    this.#entries[entry + PARENT] = parent
    this.#entries[entry + UNIT] = unit
    this.#entries[entry + CHILD] = this.#nodes++
    this.#entries[entry + TOKEN] = -1
    return entry
  }

  #grow(): void {
    const before = this.#entries
    this.#entries = new Int32Array(2 * before.length)
    for (let entry = 0; entry < before.length; entry += NUMBERS)
      if (before[entry + CHILD] !== NONE)
        this.#entries.set(
          before.subarray(entry, entry + NUMBERS),
          this.#entryOf(before[entry + PARENT]!, before[entry + UNIT]!),
        )
  }

  /** Where the entry of an edge is, or the empty one where it would be. */
  #entryOf(node: number, unit: number): number {
    const entries = this.#entries
    const last = entries.length - NUMBERS
    let entry = ((Math.imul(node, 0x9e3779b1) ^ Math.imul(unit, 0x85ebca6b)) >>> 7) * NUMBERS
    for (;;) {
      entry &= last
      if (entries[entry + CHILD] === NONE) return entry
      if (entries[entry + PARENT] === node && entries[entry + UNIT] === unit) return entry
      entry += NUMBERS
    }
  }
}
