import type { z } from 'zod'
import type { PredictionAnswer } from '../api/prediction.ts'
import type { ChunkAnswer } from '../api/hit.ts'
import { isObject, type Json, type JsonObject, parseJson } from '../kit/json.ts'
import { Failure } from './failure.ts'
import { type Client, jsonBody } from './http.ts'
import { readAnswer } from './read-answer.ts'

/** The parts of an answer, in the order of arrival; `done` is the last. */
export type AnswerEvent =
  | { type: 'text'; text: string }
  | { type: 'tools'; tools: { tool: string; failed: boolean }[] }
  | { type: 'sources'; sources: ChunkAnswer[] }
  | { type: 'waiting'; question: string }
  | { type: 'done'; chatId: string | undefined }

const shapes = () => import('../api/prediction.ts')

export const predictionPath = (flow: string): string => `prediction/${encodeURIComponent(flow)}`

/** @throws Failure where it is not a prediction */
export const readPrediction = (answer: Json | Promise<Json>): Promise<PredictionAnswer & Json> =>
  readAnswer(answer, async () => (await shapes()).predictionAnswer, 'a prediction')

/** Asks a flow, and yields its answer while it arrives. @throws Failure, also where the answer is not complete */
export async function* askFlow(
  client: Client,
  flow: string,
  request: JsonObject,
): AsyncGenerator<AnswerEvent> {
  const { token, usedTools, sourceDocuments, action, metadata, error } = (await shapes()).streamedData

  let chatId: string | undefined
  let ended = false
  const body = jsonBody({ ...request, streaming: true })
  for await (const { event, data: text } of client.stream(predictionPath(flow), body)) {
    const value = parseJson(text)
    if (event === 'answer') {
      yield* eventsOf(await readPrediction(value ?? null))
      return
    }
    if (!isObject(value)) throw new Failure('The server’s answer is not a prediction')
    const { data } = value as JsonObject
    const read = <S extends z.ZodType>(shape: S) =>
      readAnswer(data, async () => shape, `a prediction (${value.event})`)
    switch (value.event) {
      case 'token':
        yield { type: 'text', text: await read(token) }
        break
      case 'usedTools':
        yield toolsOf(await read(usedTools))
        break
      case 'sourceDocuments':
        yield { type: 'sources', sources: await read(sourceDocuments) }
        break
      case 'action':
        yield waitingFor(await read(action))
        break
      case 'metadata':
        chatId = (await read(metadata)).chatId
        break
      case 'error':
        throw new Failure(await read(error))
      case 'end':
        ended = true
    }
  }
  if (!ended) throw new Failure('The answer is not complete: the connection ended before it')
  yield { type: 'done', chatId }
}

/** The events of an answer in one piece. */
function* eventsOf(answer: PredictionAnswer): Generator<AnswerEvent> {
  const text = answer.json === undefined ? answer.text : JSON.stringify(answer.json, null, 2)
  if (text !== '') yield { type: 'text', text }
  if (answer.usedTools) yield toolsOf(answer.usedTools)
  if (answer.sourceDocuments) yield { type: 'sources', sources: answer.sourceDocuments }
  if (answer.action) yield waitingFor(answer.action)
  yield { type: 'done', chatId: answer.chatId }
}

const toolsOf = (used: NonNullable<PredictionAnswer['usedTools']>): AnswerEvent => ({
  type: 'tools',
  tools: used.map(({ tool, error }) => ({ tool, failed: error !== undefined })),
})

const waitingFor = ({ data: { input } }: NonNullable<PredictionAnswer['action']>): AnswerEvent => ({
  type: 'waiting',
  question: typeof input === 'string' ? input : 'The flow waits for a person to approve its next step.',
})
