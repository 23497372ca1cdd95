import type { Embedder } from '../contract/embedder.ts'
import type { EarlierQuestions } from './history.ts'

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
