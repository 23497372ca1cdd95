import type { TextRange } from './document.ts'

/** A piece of a text and its lines: from 1, both ends included. */
export type Piece = {
  text: string
  /** Absent if a splitter does not know them. */
  lines?: { from: number; to: number }
  /** The part of the given text that has the words of the piece. Absent if a splitter does not know it. */
  range?: TextRange
}

/**
 * Cuts a text that arrives in parts. The pieces do not depend on how the text is divided into parts, and the memory
 * used is bounded by the chunk size if the algorithm allows it.
 */
export type Cutter = {
  push(part: string): Piece[]
  /** The remaining pieces; the cutter cannot be used afterwards. */
  end(): Piece[]
}

/** Turns a text into chunks. */
export type TextSplitter = {
  /** Name and settings in one line; a file is cut again if it changes. */
  readonly id: string
  split(text: string): Piece[]
  open(): Cutter
  /** Only if `open` and `split` need large data: loads it in small steps, so that they do not block. */
  load?(): Promise<void>
  /**
   * Only if a document must be complete before it can be cut: returns the text for `open`. Long texts are converted
   * on another thread.
   *
   * @throws Error with the reason if a text takes too much time or memory
   */
  convert?(text: string, signal?: AbortSignal): Promise<string>
}
