/** No node; marks empty slots of the table. */
const NONE = 0

/** The root of the tokens that begin a word, and that of those that continue one. */
export const WORD_START = 1
export const WORD_CONTINUATION = 2
export type TrieRoot = typeof WORD_START | typeof WORD_CONTINUATION

/** A node is four numbers: its parent, the UTF-16 unit that leads to it, its depth, the token that ends here or -1. */
const NUMBERS = 4
const [PARENT, UNIT, DEPTH, TOKEN] = [0, 1, 2, 3]

/**
 * A trie of tokens of two kinds. It finds the longest token at a position in one pass over the UTF-16 units of the text.
 * The edges of all nodes are in one hash table with linear probing, without an object for each.
 */
export class TokenTrie {
  /** Nodes by the hash of parent and unit. */
  readonly #edges: Int32Array
  /** The data of a node is contiguous, so that a step waits for memory twice at most. */
  readonly #nodes: Int32Array
  /** How many nodes there are, {@link NONE} and the roots included. */
  #size = 3

  /** @param units how many UTF-16 units the tokens have together, at most */
  constructor(units: number) {
    const nodes = units + this.#size
    this.#edges = new Int32Array(2 ** Math.ceil(Math.log2(nodes * 2)))
    this.#nodes = new Int32Array(nodes * NUMBERS)
  }

  /** Adds a token: the text from a place on. */
  add(root: TrieRoot, text: string, from: number, id: number): void {
    let node: number = root
    for (let at = from; at < text.length; at++) {
      const unit = text.charCodeAt(at)
      const slot = this.#slotOf(node, unit)
      const child = this.#edges[slot]!
      node = child === NONE ? this.#addNode(slot, node, unit) : child
    }
    if (from < text.length) this.#nodes[node * NUMBERS + TOKEN] = id
  }

  /** The node of the longest token that begins at `from` and ends at `to` at the latest; 0 if there is none. */
  longest(root: TrieRoot, text: string, from: number, to: number): number {
    let node: number = root
    let found = NONE
    for (let at = from; at < to; at++) {
      node = this.#edges[this.#slotOf(node, text.charCodeAt(at))]!
      if (node === NONE) break
      if (this.#nodes[node * NUMBERS + TOKEN]! >= 0) found = node
    }
    return found
  }

  /** The id of the token that ends at a node. */
  idAt(node: number): number {
    return this.#nodes[node * NUMBERS + TOKEN]!
  }

  /** The length of the token that ends at a node, in UTF-16 units. */
  lengthAt(node: number): number {
    return this.#nodes[node * NUMBERS + DEPTH]!
  }

  // Numbers are written one by one: a list for each of 150,000 nodes would take as long as all the rest.
  #addNode(slot: number, parent: number, unit: number): number {
    const node = this.#size++
    const at = node * NUMBERS
    this.#nodes[at + PARENT] = parent
    this.#nodes[at + UNIT] = unit
    this.#nodes[at + DEPTH] = this.#nodes[parent * NUMBERS + DEPTH]! + 1
    this.#nodes[at + TOKEN] = -1
    this.#edges[slot] = node
    return node
  }

  /** The slot of the edge, or the empty slot where it would be. */
  #slotOf(node: number, unit: number): number {
    const mask = this.#edges.length - 1
    let slot = (Math.imul(node, 0x9e3779b1) ^ Math.imul(unit, 0x85ebca6b)) >>> 7
    for (;;) {
      slot &= mask
      const child = this.#edges[slot]! * NUMBERS
      if (child === NONE) return slot
      if (this.#nodes[child + PARENT] === node && this.#nodes[child + UNIT] === unit) return slot
      slot++
    }
  }
}
