import { fileURLToPath } from 'node:url'
import { setImmediate } from 'node:timers/promises'
import type { EmbedOptions, Embedder } from '../contract/embedder.ts'
import { SluiceError } from '../kit/errors.ts'
import { openOnce } from '../kit/open-once.ts'
import { StaticModel, unitVector } from './static-model.ts'
import { textSections } from './text-sections.ts'

const MODEL_ID = 'sluice-static-256-v1'
const DIMENSIONS = 256
const MODEL_PATH = fileURLToPath(new URL(`../../models/${MODEL_ID}.bin`, import.meta.url))

/**
 * The model alone finds less than keyword search. On sixteen collections in nine languages, all weights from 0.35 to 0.5
 * give nearly the same results. A low one is better for languages in which the model is weak.
 */
const HYBRID_WEIGHT = 0.4

/** Milliseconds of work before other work on the event loop can run. */
const WORK_MS = 2

/**
 * Reads the model that ships with the product (10 MB, in less than a tenth of a second).
 *
 * @throws SluiceError `model_unusable`
 */
export async function loadBuiltInModel(path = MODEL_PATH): Promise<StaticModel> {
  const model = await StaticModel.load(path)
  if (model.id === MODEL_ID && model.dimensions === DIMENSIONS) return model
  throw new SluiceError('model_unusable', { path, reason: `it is ${model.id}, not ${MODEL_ID}` })
}

/**
 * The built-in embedder: no network, no key, about 0.05 ms per chunk. The model is read at the first call and kept.
 * It works in this thread, a few milliseconds at a time.
 */
export function builtInEmbedder({ modelPath = MODEL_PATH }: { modelPath?: string } = {}): Embedder {
  const model = openOnce(() => loadBuiltInModel(modelPath))

  async function embed(
    texts: readonly string[],
    { signal, counted }: EmbedOptions = {},
  ): Promise<Float32Array[]> {
    refuseIfAborted(signal)
    const loaded = await model()
    const vectors: Float32Array[] = []
    let tokens = 0
    let pauseAt = performance.now() + WORK_MS
    const sums = new Float64Array(DIMENSIONS)
    // One buffer for all vectors: a thousand small ones per call would fragment the memory.
    const numbers = new Float32Array(texts.length * DIMENSIONS)
    for (const [i, text] of texts.entries()) {
      sums.fill(0)
      for (const section of textSections(text)) {
        if (performance.now() > pauseAt) {
          await setImmediate()
          refuseIfAborted(signal)
          pauseAt = performance.now() + WORK_MS
        }
        tokens += loaded.addTo(sums, section)
      }
      vectors.push(unitVector(sums, numbers.subarray(i * DIMENSIONS, (i + 1) * DIMENSIONS)))
    }
    counted?.(tokens)
    return vectors
  }

  return {
    id: `built-in/${MODEL_ID}`,
    dimensions: DIMENSIONS,
    hybridWeight: HYBRID_WEIGHT,
    local: true,
    limits: { texts: 1024, bytes: 4 * 2 ** 20 },
    concurrency: 1,
    embed,
    embedQuery: async (text, options) => (await embed([text], options))[0]!,
  }
}

function refuseIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new SluiceError('cancelled', {}, { cause: signal.reason })
}
