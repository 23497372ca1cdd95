/** A chunk as all engines of the bench store it. */
export type Row = { number: number; vector: Float32Array; text: string; group: number }

/** What is asked: by vector, by vector within a group, or by both vector and text. */
export type Question = { vector: Float32Array; group?: number; text?: string }

/** An engine over a folder of its own, set up as its documentation shows it. Answers are the ten best, texts included. */
export type SearchEngine = {
  insert(rows: Row[]): Promise<void>
  /** Builds what has to be built once all rows are in. */
  ready(): Promise<void>
  search(question: Question): Promise<{ number: number; text: string }[]>
  /** Whether it can search by vector and text together. */
  hybrid: boolean
  close(): Promise<void>
}

export const TOP = 10
