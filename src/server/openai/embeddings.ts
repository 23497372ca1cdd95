import type { z } from 'zod'
import type { embeddingsBody } from '../../api/openai.ts'
import { SluiceError } from '../../kit/errors.ts'
import { sharedBuiltInEmbedder } from '../../nodes/embeddings/built-in-embeddings.ts'

const MODEL = 'builtin'

export const EMBEDDING_MODEL = { id: MODEL, object: 'model' as const, created: 0, owned_by: 'sluice' }

/**
 * Embeds texts with the built-in model.
 *
 * @param spend called with the number of texts once the request is known to be valid; it may refuse them
 * @throws SluiceError `model_not_found`, `body_invalid`; what `spend` throws
 */
export async function embedTexts(
  body: z.output<typeof embeddingsBody>,
  signal: AbortSignal,
  spend: (texts: number) => Promise<void>,
) {
  const { model, input, encoding_format: encoding, dimensions } = body
  if (model !== MODEL) throw new SluiceError('model_not_found', { model, param: 'model' })
  const available = sharedBuiltInEmbedder.dimensions
  if (dimensions != null && dimensions !== available)
    throw new SluiceError('body_invalid', {
      reason: `the vectors of ${MODEL} have ${available} dimensions`,
      param: 'dimensions',
    })
  const texts = [input].flat()
  await spend(texts.length)
  let total = 0
  const vectors = await sharedBuiltInEmbedder.embed(texts, {
    signal,
    counted(tokens) {
      total = tokens
    },
  })
  return {
    object: 'list' as const,
    model,
    data: vectors.map((vector, index) => ({
      object: 'embedding' as const,
      index,
      embedding: encoding === 'base64' ? base64(vector) : [...vector],
    })),
    usage: { prompt_tokens: total, total_tokens: total },
  }
}

/** The numbers as little-endian 32-bit floats, as OpenAI sends them. */
function base64(vector: Float32Array): string {
  const bytes = Buffer.alloc(vector.length * 4)
  for (const [index, number] of vector.entries()) bytes.writeFloatLE(number, index * 4)
  return bytes.toString('base64')
}
