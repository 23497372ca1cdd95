/** Scores texts against a query, each on its own. Slower and more exact than a search: for a few results only. */
export type Reranker = {
  /** Provider and model. */
  readonly id: string
  /**
   * @returns the best `limit` texts, best first. `index` is the position in `texts`; each occurs at most once. A `score`
   *   can be compared only with scores of the same call.
   *
   * @throws SluiceError `provider_failed`, `provider_timeout`
   */
  rerank(
    query: string,
    texts: readonly string[],
    options: { limit: number; signal?: AbortSignal },
  ): Promise<{ index: number; score: number }[]>
}
