import { parentPort, workerData } from 'node:worker_threads'
import { reasonOf } from '../kit/errors.ts'
import { embedBatch } from './embed-batch.ts'
import { StaticModel } from './static-model.ts'

/* Embeds batches of texts with the static model of a file, in the order in which they arrive. */

export type EmbedAnswer = { id: number; numbers: Float32Array<ArrayBuffer>; tokens: number }
export type EmbedFailure = { id: number; reason: string }

const port = parentPort!
const model = StaticModel.load((workerData as { modelPath: string }).modelPath)

port.on('message', async ({ id, texts }: { id: number; texts: readonly string[] }) => {
  try {
    const work = embedBatch(await model, texts)
    let step = work.next()
    while (!step.done) step = work.next()
    const answer: EmbedAnswer = { id, ...step.value }
    port.postMessage(answer, [answer.numbers.buffer])
  } catch (error) {
    const failure: EmbedFailure = { id, reason: reasonOf(error) }
    port.postMessage(failure)
  }
})
