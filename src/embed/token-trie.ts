/** No node; the empty places of the table. */
const NONE = 0

/** The root of the tokens that begin a word, and that of those that continue one. */
export const START = 1
export const CONTINUATION = 2
export type Root = typeof START | typeof CONTINUATION

/**
 * Tokens of two kinds, in which the longest one at a place of a text is found in one walk along the text, by UTF-16 units.
 * The edges of all nodes lie in one hash table with linear probing: thousands of tokens share it without an object each.
 */
export class TokenTrie {
  /** Nodes by the hash of parent and unit. */
  readonly #edges: Int32Array
  readonly #parents: Int32Array
  readonly #units: Uint16Array
  /** By node: how far from the root, and the id of the token that ends here, or -1. */
  readonly #depths: Uint16Array
  readonly #tokens: Int32Array
  /** How many nodes there are, those three included. */
  #size = 3

  /** @param units how many UTF-16 units the tokens have together, at most */
  constructor(units: number) {
    const nodes = units + this.#size
    this.#edges = new Int32Array(2 ** Math.ceil(Math.log2(nodes * 2)))
    this.#parents = new Int32Array(nodes)
    this.#units = new Uint16Array(nodes)
    this.#depths = new Uint16Array(nodes)
    this.#tokens = new Int32Array(nodes).fill(-1)
  }

  add(root: Root, token: string, id: number): void {
    let node: number = root
    for (let at = 0; at < token.length; at++) {
      const unit = token.charCodeAt(at)
      const slot = this.#slot(node, unit)
      if (this.#edges[slot] === NONE) {
        this.#parents[this.#size] = node
        this.#units[this.#size] = unit
        this.#depths[this.#size] = at + 1
        this.#edges[slot] = this.#size++
      }
      node = this.#edges[slot]!
    }
    if (token !== '') this.#tokens[node] = id
  }

  /** The node of the longest token that begins at `from` and ends at `to` at the latest; 0 where there is none. */
  longest(root: Root, text: string, from: number, to: number): number {
    let node: number = root
    let found = NONE
    for (let at = from; at < to; at++) {
      node = this.#edges[this.#slot(node, text.charCodeAt(at))]!
      if (node === NONE) break
      if (this.#tokens[node]! >= 0) found = node
    }
    return found
  }

  /** The id of the token that a node stands for. */
  idAt(node: number): number {
    return this.#tokens[node]!
  }

  /** The length of the token that a node stands for, in UTF-16 units. */
  lengthAt(node: number): number {
    return this.#depths[node]!
  }

  /** Where the edge is, or where it would be. */
  #slot(node: number, unit: number): number {
    const mask = this.#edges.length - 1
    let slot = (Math.imul(node, 0x9e3779b1) ^ Math.imul(unit, 0x85ebca6b)) >>> 7
    for (;;) {
      slot &= mask
      const child = this.#edges[slot]!
      if (child === NONE || (this.#parents[child] === node && this.#units[child] === unit)) return slot
      slot++
    }
  }
}
