import type { Embedder, EmbedOptions } from '../../contract/embedder.ts'
import { estimateTokens } from '../../embed/token-estimate.ts'

/** How many vectors of questions are kept. */
const KEPT = 5000

/**
 * The same embedder. It counts the tokens that another server embeds, before each call, and embeds a question once: variants with the
 * same embedder share its vectors.
 *
 * @param spend refuses what is over a bound. @throws as `spend`
 */
export function boundedEmbedder(embedder: Embedder, spend: (tokens: number) => void): Embedder {
  const questions = new Map<string, Float32Array>()
  const count = (texts: readonly string[]) => {
    if (!embedder.local) spend(texts.reduce((sum, text) => sum + estimateTokens(text), 0))
  }
  // It inherits the other properties: some change with the answers of the provider.
  return Object.create(embedder, {
    embed: {
      async value(texts: readonly string[], options?: EmbedOptions) {
        count(texts)
        return embedder.embed(texts, options)
      },
    },
    embedQuery: {
      async value(text: string, options?: EmbedOptions) {
        const known = questions.get(text)
        if (known) return known
        count([text])
        const vector = await embedder.embedQuery(text, options)
        if (questions.size < KEPT) questions.set(text, vector)
        return vector
      },
    },
  }) as Embedder
}
