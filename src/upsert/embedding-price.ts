import { readModelPrice } from '../kit/model-price.ts'

/**
 * What it costs to embed some tokens.
 *
 * @param prices as EMBEDDING_PRICES has them
 * @param embedder the id of an embedder: provider, model and settings
 * @returns null where no price is set for its model
 */
export function embeddingPrice(
  prices: readonly string[],
  embedder: string,
  tokens: number,
): { amount: number; currency: string } | null {
  const words = embedder.split(/[\s/]+/)
  const price = prices.map(readModelPrice).find(({ model }) => model === embedder || words.includes(model))
  return price ? { amount: (tokens * price.amount) / 1_000_000, currency: price.currency } : null
}
