import { SluiceError } from '../kit/errors.ts'
import { isObject } from '../kit/json.ts'

/** The parts of an answer of the AI SDK that are used here. */
export type EmbeddingAnswer = { embeddings: readonly (readonly number[])[]; response?: { body?: unknown } }

/**
 * The vectors of an answer, in the order of the texts.
 *
 * @throws SluiceError `provider_failed` if count or length are wrong, or a number is not finite
 */
export function checkedVectors(
  answer: EmbeddingAnswer,
  { provider, texts, dimensions }: { provider: string; texts: number; dimensions?: number | undefined },
): Float32Array[] {
  const refuse = (reason: string) => new SluiceError('provider_failed', { provider, reason, stage: 'embed' })
  const { embeddings } = answer
  if (embeddings.length !== texts) throw refuse(`it gave ${embeddings.length} vectors for ${texts} texts`)
  const vectors = embeddings.map((numbers) => {
    const vector = Float32Array.from(numbers)
    if (vector.length === 0) throw refuse('it gave a vector without numbers')
    if (!vector.every(Number.isFinite)) throw refuse('a vector holds a number that is not finite')
    if (dimensions !== undefined && vector.length !== dimensions)
      throw refuse(`it gave a vector of ${vector.length} numbers instead of ${dimensions}`)
    return vector
  })
  const indexes = indexesIn(answer.response?.body)
  if (!indexes) return vectors
  const ordered: Float32Array[] = []
  for (const [i, index] of indexes.entries()) ordered[index] = vectors[i]!
  if (indexes.length !== texts || Object.keys(ordered).length !== texts || ordered.length !== texts)
    throw refuse('the indexes of its vectors do not match the texts')
  return ordered
}

/** The indexes that OpenAI gives its vectors; the AI SDK ignores them. */
function indexesIn(body: unknown): number[] | undefined {
  if (!isObject(body) || !Array.isArray(body.data)) return undefined
  const indexes = body.data.map((row: unknown) => (isObject(row) ? row.index : undefined))
  return indexes.every((index): index is number => Number.isInteger(index) && (index as number) >= 0)
    ? indexes
    : undefined
}
