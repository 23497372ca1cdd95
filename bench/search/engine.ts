/** A chunk as all engines of the bench store it. */
export type Row = { number: number; vector: Float32Array; text: string; group: number }

/** What is asked: by vector, by words, or by both; with a group, only among the chunks of that group. */
export type Question = { vector?: Float32Array; text?: string; group?: number }

/** An engine over a folder of its own, set up as its documentation shows it. Answers are the ten best, texts included. */
export type SearchEngine = {
  insert(rows: Row[]): Promise<void>
  /** Builds what has to be built once all rows are in. */
  ready(): Promise<void>
  search(question: Question): Promise<{ number: number; text: string }[]>
  close(): Promise<void>
}

/** Opens an engine over a folder: an empty one to fill, or one that was filled before. */
export type EngineKind = {
  open(folder: string, namespace: string): Promise<SearchEngine>
  /** The searches that it has. */
  searches: readonly SearchKind[]
}

export type SearchKind = 'vector' | 'keyword' | 'hybrid'

export const TOP = 10
