import { isObject, type JsonObject } from '../kit/json.ts'

/** Where a server differs from OpenAI's protocol. An absent quirk: it does what OpenAI does. */
export type CompatibleQuirks = {
  /** It counts tokens in a stream without being asked, and refuses `stream_options`. */
  countsUnasked?: true
  /** It takes `{type: "json_object"}` alone: the form of the answer is described in a message. */
  jsonObjectsOnly?: true
  /** How earlier thoughts are sent back to it: by another name, or not at all. Default: as `reasoning_content`. */
  thoughts?: 'reasoning' | 'dropped'
  /** Its models write their thoughts into the answer, between `<think>` and `</think>`. */
  thinkTags?: true
  /** It names the pages that it has read beside the answer: they are listed at the end of the answer. */
  citations?: true
  /** Its models call no tools. */
  noTools?: true
  /** What it calls the most tokens of an answer. Default: `max_tokens`. */
  maxTokens?: 'max_completion_tokens'
  /** It has OpenAI's reasoning models, which are known by their names and refuse some parameters. */
  reasoningModels?: true
}

/** The key of a schema in a request on its way to `compatibleBody`. */
export const ANSWER_SCHEMA = 'answer_schema'

/** OpenAI's reasoning models, by name. */
const REASONING = /^(o\d|gpt-5)(?!.*chat)/

/** What OpenAI's reasoning models refuse. */
const REFUSED = ['temperature', 'top_p', 'frequency_penalty', 'presence_penalty', 'stop']

/** The body of a request, as a server with these quirks takes it. */
export function compatibleBody(body: JsonObject, quirks: CompatibleQuirks): JsonObject {
  const { [ANSWER_SCHEMA]: schema, messages, ...rest } = body
  const reasons = quirks.reasoningModels === true && REASONING.test(String(body.model))
  const said = Array.isArray(messages) ? messages.filter(isObject).map((one) => one as JsonObject) : []
  const sent: JsonObject = {
    ...rest,
    messages: [
      ...said.map((message) => withThoughts(message, quirks.thoughts)),
      ...(isObject(schema) ? [formOf(schema as JsonObject)] : []),
    ],
  }
  if (reasons) for (const name of REFUSED) delete sent[name]
  if ((reasons || quirks.maxTokens !== undefined) && sent.max_tokens !== undefined) {
    sent.max_completion_tokens = sent.max_tokens
    delete sent.max_tokens
  }
  return sent
}

function withThoughts(message: JsonObject, thoughts: CompatibleQuirks['thoughts']): JsonObject {
  const { reasoning_content: thought, ...rest } = message
  if (thoughts === undefined || thought === undefined) return message
  return thoughts === 'dropped' ? rest : { ...rest, reasoning: thought }
}

const formOf = (schema: JsonObject): JsonObject => ({
  role: 'system',
  content: `Answer with one JSON object that fits this JSON schema, and with nothing else:\n${JSON.stringify(schema)}`,
})
