import type { Metadata, TextRange } from './document.ts'

/** A piece of a text and its lines: from 1, both ends included. */
export type Piece = {
  text: string
  /** Absent if a splitter does not know them. */
  lines?: { from: number; to: number }
  /** The part of the given text that has the words of the piece. Absent if a splitter does not know it. */
  range?: TextRange
  /** The headings, definitions and column names above its first words, from the outermost. Absent for none. */
  headings?: string[]
  /**
   * What is above its text in the document and is not in it: one line of headings and names. It is embedded and searched with
   * the text, and is no part of it. Absent for none.
   */
  head?: string
}

/** A heading that holds at a place; a lower level is further out. */
export type OpenHeading = { level: number; title: string }

/** What is known of a document before its text. */
export type DocumentFacts = {
  /** The name of its file or item. */
  name: string
  metadata: Metadata
  /** The headings that held at the end of the document before it in the same item. */
  before?: readonly OpenHeading[] | undefined
}

/**
 * Cuts a text that arrives in parts. The pieces do not depend on how the text is divided into parts, and the memory
 * used is bounded by the chunk size if the algorithm allows it.
 */
export type Cutter = {
  push(part: string): Piece[]
  /** The remaining pieces; the cutter cannot be used afterwards. */
  end(): Piece[]
  /** After `end`: the headings that hold at the end of the text. Absent if a splitter does not know headings. */
  headings?(): OpenHeading[]
}

/** Turns a text into chunks. */
export type TextSplitter = {
  /** Name and settings in one line; a file is cut again if it changes. */
  readonly id: string
  split(text: string): Piece[]
  open(document?: DocumentFacts): Cutter
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
