import type { Embedder } from '../../contract/embedder.ts'
import { questionTerms } from '../../text/terms/question.ts'

/** How many words are compared, the most frequent ones. */
const MOST_WORDS = 2000

/** The least cosine of a word that takes the place of another. */
const NEAR = 0.35

/**
 * The word of a vocabulary that an embedder finds nearest to each of some words, and that is no other form of it. Words without one
 * are absent.
 */
export async function nearWords(
  embedder: Embedder,
  {
    words,
    vocabulary,
    signal,
  }: { words: readonly string[]; vocabulary: ReadonlyMap<string, number>; signal: AbortSignal | undefined },
): Promise<Map<string, string>> {
  const wanted = [...new Set(words)]
  const common = [...vocabulary]
    .toSorted(([one, often], [other, times]) => times - often || (one < other ? -1 : 1))
    .slice(0, MOST_WORDS)
    .map(([word]) => word)
  if (wanted.length === 0 || common.length === 0) return new Map()
  const vectors = await embedAll(embedder, [...wanted, ...common], signal)
  const found = new Map<string, string>()
  const keys = common.map(termsKey)
  for (const [at, word] of wanted.entries()) {
    const own = termsKey(word)
    let best = NEAR
    for (const [index, other] of common.entries()) {
      if (keys[index] === own) continue
      const cosine = cosineOf(vectors[at]!, vectors[wanted.length + index]!)
      if (cosine <= best) continue
      best = cosine
      found.set(word, other)
    }
  }
  return found
}

async function embedAll(
  embedder: Embedder,
  texts: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Float32Array[]> {
  const vectors: Float32Array[] = []
  const { limits } = embedder
  let batch: string[] = []
  let bytes = 0
  const send = async () => {
    if (batch.length > 0) vectors.push(...(await embedder.embed(batch, signal ? { signal } : {})))
    batch = []
    bytes = 0
  }
  for (const text of texts) {
    const size = Buffer.byteLength(text)
    if (batch.length >= limits.texts || bytes + size > limits.bytes) await send()
    batch.push(text)
    bytes += size
  }
  await send()
  return vectors
}

function cosineOf(one: Float32Array, other: Float32Array): number {
  let [product, first, second] = [0, 0, 0]
  for (let at = 0; at < one.length; at++) {
    product += one[at]! * other[at]!
    first += one[at]! ** 2
    second += other[at]! ** 2
  }
  return first === 0 || second === 0 ? 0 : product / Math.sqrt(first * second)
}

/** What one word is to a search, to tell a near word from another form of the same. */
const termsKey = (word: string): string => [...questionTerms(word).keys()].toSorted().join(' ')
