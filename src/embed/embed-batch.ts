import { type StaticModel, unitVector } from './static-model.ts'
import { textSections } from './text-sections.ts'

/** The vectors of some texts, one after another, and how many tokens the texts have. */
export type EmbeddedBatch = { numbers: Float32Array<ArrayBuffer>; tokens: number }

/** Embeds texts; the generator yields before each section of a text, so that the caller can let other work run. */
export function* embedBatch(
  model: StaticModel,
  texts: readonly string[],
): Generator<undefined, EmbeddedBatch, undefined> {
  const { dimensions } = model
  const sums = new Float64Array(dimensions)
  // One buffer for all vectors: a thousand small ones per call would fragment the memory.
  const numbers = new Float32Array(texts.length * dimensions)
  let tokens = 0
  for (const [i, text] of texts.entries()) {
    sums.fill(0)
    for (const section of textSections(text)) {
      yield
      tokens += model.addTo(sums, section)
    }
    unitVector(sums, numbers.subarray(i * dimensions, (i + 1) * dimensions))
  }
  return { numbers, tokens }
}
