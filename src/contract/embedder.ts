/** Turns texts into vectors of one length. */
export type Embedder = {
  /** Provider, model and all settings that change the vectors: embedders with equal ids give comparable vectors. */
  readonly id: string
  /** Length of a vector; absent until the first answer if only the provider knows it. */
  readonly dimensions?: number
  /** Default weight of the cosine in hybrid search, from 0 to 1. */
  readonly hybridWeight?: number
  /** The same for one question, where it depends on the script of the question. */
  hybridWeightFor?(question: string): number
  /** Whether it runs in this process: an additional text costs no call and almost no time. */
  readonly local?: true
  /** The maximum size of one call; the engine makes its batches accordingly. */
  readonly limits: { texts: number; bytes: number }
  /** How many calls may run at once; it may change from call to call. */
  readonly concurrency: number
  /** A vector per text, in order. A vector of zeros matches nothing. */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>
  embedQuery(text: string, options?: EmbedOptions): Promise<Float32Array>
}

export type EmbedOptions = {
  signal?: AbortSignal
  /** A user waits for the answer: a failing provider is not retried for long. */
  urgent?: boolean
  /** Called with a sentence for the user if a text was changed so that the model accepts it. */
  note?: (reason: string) => void
  /** Called with the number of tokens of all texts, by embedders that count them. */
  counted?: (tokens: number) => void
}
