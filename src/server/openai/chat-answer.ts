import type { TokenUsage } from '../../contract/chat-model.ts'
import { type Json, type JsonObject, isObject } from '../../kit/json.ts'
import type { Prediction } from '../chat/turn.ts'

export type CompletionContext = {
  model: string
  /** Seconds since 1970. */
  created: number
  warnings: { key: string; reason: string }[]
}

export type CompletedTurn = { prediction: Prediction; usage: TokenUsage }

/** `chat.completion`, with what the answer rests on as annotations and, whole, in fields of ours. */
export function completion(
  { model, created, warnings }: CompletionContext,
  { prediction, usage }: CompletedTurn,
): JsonObject {
  return {
    id: idOf(prediction.chatMessageId),
    object: 'chat.completion',
    created,
    model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: prediction.text,
          refusal: null,
          annotations: annotationsOf(prediction),
        },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
    usage: usageOf(usage),
    ...ours(prediction, warnings),
  }
}

/** The pieces of a `chat.completion.chunk` stream. */
export function chunksOf({ model, created, warnings }: CompletionContext, id: string) {
  const chunk = (choices: Json[], more: JsonObject = {}): string =>
    dataLine({ id: idOf(id), object: 'chat.completion.chunk', created, model, choices, ...more })
  const delta = (content: JsonObject, finish: string | null = null) => ({
    index: 0,
    delta: content,
    logprobs: null,
    finish_reason: finish,
  })
  return {
    first: () => chunk([delta({ role: 'assistant', content: '', refusal: null })]),
    token: (content: string) => chunk([delta({ content })]),
    last: ({ prediction, usage }: CompletedTurn, withUsage: boolean) =>
      chunk([delta({ annotations: annotationsOf(prediction) }, 'stop')], ours(prediction, warnings)) +
      (withUsage ? chunk([], { usage: usageOf(usage) }) : '') +
      DONE,
  }
}

/** The line that ends a stream. */
export const DONE = 'data: [DONE]\n\n'

export const dataLine = (value: object): string => `data: ${JSON.stringify(value)}\n\n`

const idOf = (messageId: string) => `chatcmpl-${messageId}`

const usageOf = ({ inputTokens, outputTokens }: TokenUsage) => ({
  prompt_tokens: inputTokens,
  completion_tokens: outputTokens,
  total_tokens: inputTokens + outputTokens,
})

/** A citation per source, of the whole answer: which words rest on which chunk nobody knows. */
function annotationsOf({ sourceDocuments, text }: Prediction): JsonObject[] {
  const documents = Array.isArray(sourceDocuments) ? sourceDocuments : []
  const sources = documents.flatMap((one) =>
    isObject(one) && isObject(one.metadata) ? [one.metadata.source] : [],
  )
  return [...new Set(sources)]
    .filter((source) => typeof source === 'string')
    .map((source) => ({
      type: 'url_citation',
      url_citation: { start_index: 0, end_index: text.length, title: source, url: addressOf(source) },
    }))
}

/** Clients want an address. What has none is named, by a URN that says no more than its name. */
const addressOf = (source: string): string =>
  /^https?:/.test(source) ? source : `urn:source:${encodeURIComponent(source)}`

/** Fields that OpenAI's protocol does not have, by the names that a prediction gives them. */
function ours(prediction: Prediction, warnings: CompletionContext['warnings']): JsonObject {
  const { sourceDocuments, usedTools, action, warnings: overridden } = prediction
  const all = [...warnings, ...(Array.isArray(overridden) ? overridden : [])]
  return {
    ...(sourceDocuments === undefined ? {} : { sourceDocuments }),
    ...(usedTools === undefined ? {} : { usedTools }),
    ...(action === undefined ? {} : { action }),
    ...(all.length === 0 ? {} : { warnings: all }),
  }
}
