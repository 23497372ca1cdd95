import type { StorePart } from '../contract/card.ts'
import type { Embedder } from '../contract/embedder.ts'
import { SluiceError } from '../kit/errors.ts'
import type { EarlierQuestions } from './history.ts'
import type { QuerySettings } from './settings.ts'

/** The vector of each question, with those of the earlier questions of its conversation. All are embedded in one call. */
export async function embedQuestions(
  embedder: Embedder,
  { questions, earlier }: { questions: readonly string[]; earlier: EarlierQuestions | undefined },
  signal?: AbortSignal,
): Promise<Float32Array[]> {
  const options = signal ? { signal } : {}
  const texts = [...questions, ...(earlier?.texts ?? [])]
  if (texts.length === 1) return [await embedder.embedQuery(texts[0]!, options)]
  const vectors = await embedder.embed(texts, { ...options, urgent: true })
  if (!earlier) return vectors
  const before = vectors.slice(questions.length)
  return vectors.slice(0, questions.length).map((vector) => earlier.blend(vector, before))
}

/**
 * A vector per question of a request to a store; none in keyword mode, or where the store is empty.
 *
 * @throws SluiceError `embedder_changed`, and what the embedder throws
 */
export async function questionVectors(
  { store, embedder }: StorePart,
  asked: { questions: readonly string[]; earlier: EarlierQuestions | undefined },
  { mode }: QuerySettings,
  signal: AbortSignal | undefined,
): Promise<Float32Array[]> {
  const built = await store.embedder()
  if (mode === 'keyword' || (built === undefined && !store.outside)) return []
  if (built !== undefined && built !== embedder.id)
    throw new SluiceError('embedder_changed', {
      namespace: store.namespace,
      was: built,
      now: embedder.id,
    })
  return embedQuestions(embedder, asked, signal)
}
