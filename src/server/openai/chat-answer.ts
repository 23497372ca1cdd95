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

/** A `chat.completion`. The sources are annotations; fields outside of the protocol have the whole chunks and tool calls. */
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
    ...extraFields(prediction, warnings),
  }
}

/** The chunks of a stream, each a `chat.completion.chunk`. */
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
      chunk([delta({ annotations: annotationsOf(prediction) }, 'stop')], extraFields(prediction, warnings)) +
      (withUsage ? chunk([], { usage: usageOf(usage) }) : '') +
      DONE,
  }
}

/** The last event of a stream. */
export const DONE = 'data: [DONE]\n\n'

/** An event of a stream. */
export const dataLine = (value: object): string => `data: ${JSON.stringify(value)}\n\n`

const idOf = (messageId: string) => `chatcmpl-${messageId}`

const usageOf = ({ inputTokens, outputTokens }: TokenUsage) => ({
  prompt_tokens: inputTokens,
  completion_tokens: outputTokens,
  total_tokens: inputTokens + outputTokens,
})

/** One citation per source. Each is of the whole answer: the chunk of a single sentence is not known. */
function annotationsOf({ sourceDocuments, text }: Prediction): JsonObject[] {
  const documents = Array.isArray(sourceDocuments) ? sourceDocuments : []
  const sources = documents.flatMap((document) =>
    isObject(document) && isObject(document.metadata) ? [document.metadata.source] : [],
  )
  return [...new Set(sources)]
    .filter((source) => typeof source === 'string')
    .map((source) => ({
      type: 'url_citation',
      url_citation: { start_index: 0, end_index: text.length, title: source, url: addressOf(source) },
    }))
}

/** The web address of a source. Clients require one: a source without gets a URN with its name. */
const addressOf = (source: string): string =>
  /^https?:/.test(source) ? source : `urn:source:${encodeURIComponent(source)}`

/** Fields that OpenAI's protocol does not have, with the names of the prediction API. */
function extraFields(prediction: Prediction, warnings: CompletionContext['warnings']): JsonObject {
  const { sourceDocuments, usedTools, action, warnings: overrideWarnings } = prediction
  const all = [...warnings, ...(Array.isArray(overrideWarnings) ? overrideWarnings : [])]
  return {
    ...(sourceDocuments === undefined ? {} : { sourceDocuments }),
    ...(usedTools === undefined ? {} : { usedTools }),
    ...(action === undefined ? {} : { action }),
    ...(all.length === 0 ? {} : { warnings: all }),
  }
}
