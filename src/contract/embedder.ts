/** Turns texts into vectors of one length. */
export type Embedder = {
  /** Provider, model and whatever else changes the vectors: two embedders with one id give comparable vectors. */
  readonly id: string
  /** How many numbers a vector has; absent until the first answer where only the provider knows. */
  readonly dimensions?: number
  /** What its cosine counts for in a hybrid search, from 0 to 1, where a flow says nothing. */
  readonly hybridWeight?: number
  /** Whether it works in this process: another text costs no call, no money and next to no time. */
  readonly local?: true
  /** What one call may carry; the engine cuts its batches by these. */
  readonly limits: { texts: number; bytes: number }
  /** How many calls may be under way at once; it may change from call to call. */
  readonly concurrency: number
  /** A vector per text, in order. A vector of zeros matches nothing. */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>
  embedQuery(text: string, options?: EmbedOptions): Promise<Float32Array>
}

export type EmbedOptions = {
  signal?: AbortSignal
  /** Somebody waits for the answer: a provider in trouble is not tried for long. */
  urgent?: boolean
  /** Told, in a sentence for the caller, what was done to a text so that the model takes it. */
  note?: (reason: string) => void
  /** Told how many tokens all the texts have, by embedders that count them. */
  counted?: (tokens: number) => void
}
