import { instantiate, wasmMemory, wasmModule } from '../kit/wasm/module.ts'
import { BLOCK, BLOCK_HEADER, readBlockHeader } from './block.ts'
import { collect, narrow, SCORE_GROUP, takeTops } from './candidate-kernel.ts'
import type { Postings } from './page.ts'
import { addBlocks, addRest, fillTable, TABLE_ROWS } from './postings-kernel.ts'

/** The functions of `postings-kernel.ts` and `candidate-kernel.ts`. */
type Kernel = Record<
  'fillTable' | 'addBlocks' | 'addRest' | 'collect' | 'narrow' | 'takeTops',
  (...parameters: number[]) => number
>

/** The score of a passage that is left out. No term lifts it above 0. */
export const LEFT_OUT = -(2 ** 100)

const CLASSES_AT = TABLE_ROWS * 1024
/** Decoding reads a few bytes further than the end of a list. */
const LIST_MARGIN = 64
const padded = (count: number): number => Math.ceil(count / SCORE_GROUP) * SCORE_GROUP

/**
 * The scores of the passages of one segment, in the memory of a WebAssembly kernel: `begin`, then `add` for each term.
 * `collect` and `narrow` make a list of candidates, which later terms can be limited to. The memory is used again for each
 * segment and each question: some 10 bytes for each passage of the largest segment.
 */
export class PassageScores {
  readonly #memory = wasmMemory(1, 2 ** 31)
  readonly #kernel: Kernel
  /** The scores by the number of the passage, padded with left out ones. Invalid after a larger `begin` or `add`. */
  scores: Float32Array = new Float32Array()
  /** How many candidates there are. */
  candidates = 0
  #size = 0
  #scoresAt = 0
  #candidatesAt = 0
  #topsAt = 0
  #listAt = 0

  constructor() {
    const functions = [fillTable(), addBlocks(), addRest(), collect(), narrow(), takeTops()]
    this.#kernel = instantiate(wasmModule(functions, { shared: false }), this.#memory) as Kernel
  }

  /**
   * Takes a segment, all scores `first`.
   *
   * @param classes length classes by the number of the passage
   * @param dampings by length class
   */
  begin(classes: Uint8Array, dampings: Float32Array, first: number): void {
    const passages = classes.length
    const size = padded(passages)
    this.#size = size
    this.#scoresAt = CLASSES_AT + size
    this.#candidatesAt = this.#scoresAt + 4 * size
    this.#topsAt = this.#candidatesAt + 4 * size + LIST_MARGIN
    this.#listAt = this.#topsAt + (4 * size) / SCORE_GROUP
    this.#reserve(this.#listAt)
    new Float32Array(this.#memory.buffer, 0, dampings.length).set(dampings)
    new Uint8Array(this.#memory.buffer, CLASSES_AT, passages).set(classes)
    this.scores = new Float32Array(this.#memory.buffer, this.#scoresAt, size)
    this.scores.fill(first, 0, passages).fill(LEFT_OUT, passages)
  }

  /**
   * Adds the score of a term. A passage whose score could not reach a least one may be left as it is.
   *
   * @param limit blocks of passages for which the term adds less may be left out
   * @param candidatesOnly whether other passages than the candidates may be left out
   */
  add({ bytes, count }: Postings, weight: number, limit: number, candidatesOnly: boolean): void {
    const kernel = this.#kernel
    this.#reserve(this.#listAt + bytes.length + LIST_MARGIN)
    const list = new Uint8Array(this.#memory.buffer, this.#listAt, bytes.length + 4)
    list.set(bytes)
    list.fill(255, bytes.length)
    kernel.fillTable(0, weight)
    const blocks = count >= BLOCK ? Math.floor(count / BLOCK) : 0
    const wanted = candidatesOnly ? this.#candidatesAt : 0
    let at = this.#listAt
    let passage = 0
    if (blocks > 0) {
      at = kernel.addBlocks(at, blocks, 0, CLASSES_AT, this.#scoresAt, weight, limit, wanted)
      if (count === blocks * BLOCK) return
      passage = readBlockHeader(list, at - this.#listAt).first
      at += BLOCK_HEADER
    }
    kernel.addRest(at, count - blocks * BLOCK, passage, 0, CLASSES_AT, this.#scoresAt, weight)
  }

  /** Makes the passages with a score of at least so much the candidates; returns their numbers, in order. */
  collect(least: number): Uint32Array {
    const end = this.#scoresAt + 4 * this.#size
    return this.#candidatesTo(this.#kernel.collect(this.#scoresAt, end, this.#candidatesAt, least))
  }

  /** Keeps the candidates with a score of at least so much; returns their numbers, in order. */
  narrow(least: number): Uint32Array {
    const end = this.#candidatesAt + 4 * this.candidates
    return this.#candidatesTo(this.#kernel.narrow(this.#candidatesAt, end, this.#scoresAt, least))
  }

  /** The highest score of every 64 passages. */
  tops(): Float32Array {
    this.#kernel.takeTops(this.#scoresAt, this.#scoresAt + 4 * this.#size, this.#topsAt)
    return new Float32Array(this.#memory.buffer, this.#topsAt, this.#size / SCORE_GROUP)
  }

  #candidatesTo(end: number): Uint32Array {
    this.candidates = (end - this.#candidatesAt) / 4
    const numbers = new Uint32Array(this.#memory.buffer, this.#candidatesAt, this.candidates + 1)
    numbers[this.candidates] = 0xffffffff
    return numbers.subarray(0, this.candidates)
  }

  #reserve(bytes: number): void {
    const missing = bytes - this.#memory.buffer.byteLength
    if (missing <= 0) return
    // Some more, so that the next one fits, too.
    this.#memory.grow(Math.ceil((missing * 1.2) / 65_536))
    // Growing detaches the buffer; a detached view has no length.
    this.scores = new Float32Array(this.#memory.buffer, this.#scoresAt, this.#size)
  }
}
