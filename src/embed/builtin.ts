import { fileURLToPath } from 'node:url'
import { setImmediate } from 'node:timers/promises'
import type { EmbedOptions, Embedder } from '../contract/embedder.ts'
import { SluiceError } from '../kit/errors.ts'
import { openOnce } from '../kit/open-once.ts'
import { type EmbeddedBatch, embedBatch } from './embed-batch.ts'
import { embedOffThread } from './embed-off-thread.ts'
import { StaticModel } from './static-model.ts'
import { isInWeakScript } from './weak-scripts.ts'

const MODEL_ID = 'sluice-static-256-v1'
const DIMENSIONS = 256
const MODEL_PATH = fileURLToPath(new URL(`../../models/${MODEL_ID}.bin`, import.meta.url))

/**
 * The model alone finds less than keyword search. On sixteen collections in nine languages, all weights from 0.35 to 0.5
 * give nearly the same results. A low one is better for languages in which the model is weak.
 */
const HYBRID_WEIGHT = 0.4

/** For questions in Chinese, Japanese, Korean and Thai: a higher one loses answers that keywords find. */
const HYBRID_WEIGHT_OF_WEAK_SCRIPTS = 0.15

/** A batch from this size on takes 10 ms or more, which is worth the way to another thread. */
const LARGE = { texts: 128, characters: 100_000 }

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
 * It embeds small batches in this thread, a few milliseconds at a time, and large ones on a thread of its own.
 */
export function builtInEmbedder({ modelPath = MODEL_PATH }: { modelPath?: string } = {}): Embedder {
  const model = openOnce(() => loadBuiltInModel(modelPath))

  const offThread = embedOffThread(modelPath)

  async function here(texts: readonly string[], signal: AbortSignal | undefined): Promise<EmbeddedBatch> {
    const work = embedBatch(await model(), texts)
    let pauseAt = performance.now() + WORK_MS
    for (let step = work.next(); ; step = work.next()) {
      if (step.done) return step.value
      if (performance.now() <= pauseAt) continue
      await setImmediate()
      refuseIfAborted(signal)
      pauseAt = performance.now() + WORK_MS
    }
  }

  async function aside(texts: readonly string[], signal: AbortSignal | undefined): Promise<EmbeddedBatch> {
    // Without a thread, on a machine with little memory for example, this one does the work.
    const done = await offThread(texts).catch(() => undefined)
    refuseIfAborted(signal)
    return done ?? here(texts, signal)
  }

  async function embed(
    texts: readonly string[],
    { signal, counted }: EmbedOptions = {},
  ): Promise<Float32Array[]> {
    refuseIfAborted(signal)
    const { numbers, tokens } = await (isLarge(texts) ? aside(texts, signal) : here(texts, signal))
    const vectors = texts.map((_, i) => numbers.subarray(i * DIMENSIONS, (i + 1) * DIMENSIONS))
    counted?.(tokens)
    return vectors
  }

  return {
    id: `built-in/${MODEL_ID}`,
    dimensions: DIMENSIONS,
    hybridWeight: HYBRID_WEIGHT,
    hybridWeightFor: (question) => (isInWeakScript(question) ? HYBRID_WEIGHT_OF_WEAK_SCRIPTS : HYBRID_WEIGHT),
    local: true,
    limits: { texts: 1024, bytes: 4 * 2 ** 20 },
    // One batch is embedded while the next one waits at the thread.
    concurrency: 2,
    embed,
    embedQuery: async (text, options) => (await embed([text], options))[0]!,
  }
}

const isLarge = (texts: readonly string[]): boolean => {
  if (texts.length < LARGE.texts) return false
  return texts.reduce((sum, text) => sum + text.length, 0) >= LARGE.characters
}

function refuseIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new SluiceError('cancelled', {}, { cause: signal.reason })
}
