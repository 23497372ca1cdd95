/** A stretch of a text, and where it stood: line numbers from 1, both ends included. */
export type Piece = {
  text: string
  /** Absent where a splitter cannot tell. */
  lines?: { from: number; to: number }
}

/**
 * Cuts a text that arrives in parts. The pieces are the same however the text was divided over the calls, and the
 * memory held is bounded by the chunk size where the algorithm allows it.
 */
export type Cutter = {
  push(part: string): Piece[]
  /** The pieces still held back; the cutter is spent afterwards. */
  end(): Piece[]
}

/** Turns a text into chunks. */
export type TextSplitter = {
  /** Name and settings in one line: part of what decides whether a file has to be cut again. */
  readonly id: string
  split(text: string): Piece[]
  open(): Cutter
  /** Only where `open` and `split` need something large: reads it in turns, so that they need not. */
  load?(): Promise<void>
  /**
   * Only where a document has to be whole before it can be cut: what `open` is to cut in place of its text. Long texts
   * are converted off the caller's thread.
   *
   * @throws Error with the reason where a text takes too much
   */
  convert?(text: string, signal?: AbortSignal): Promise<string>
}
