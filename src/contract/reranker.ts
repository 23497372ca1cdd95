/** Judges texts beside a question, one by one and closely: for a few that were found, not for many. */
export type Reranker = {
  /** By which people know it: provider and model. */
  readonly id: string
  /**
   * The best `limit` texts, the best first; `index` is a text's place in what was given, and none occurs twice.
   * `score` is comparable within one answer only.
   *
   * @throws SluiceError `provider_failed`, `provider_timeout`
   */
  rerank(
    query: string,
    texts: readonly string[],
    options: { limit: number; signal?: AbortSignal },
  ): Promise<{ index: number; score: number }[]>
}
