import type { ModelMessage, ModelRequest, ToolCall, UserContent } from '../contract/chat-model.ts'
import type { JsonSchema } from '../contract/tool.ts'
import type { Egress } from '../kit/egress/client.ts'
import { isObject, parseJson } from '../kit/json.ts'
import { type ProviderMemo, readMemo } from './memo.ts'
import { picturePart } from './pictures.ts'
import { mergeOptions, type ModelCall, type Prompt, type PromptMessage, type ProviderOptions } from './sdk.ts'
import { isStrictSchema } from './strict-schema.ts'

/** Settings of the answer. If one is absent, the default of the provider applies. */
export type Sampling = Pick<
  ModelCall,
  | 'maxOutputTokens'
  | 'temperature'
  | 'topP'
  | 'topK'
  | 'frequencyPenalty'
  | 'presencePenalty'
  | 'stopSequences'
  | 'providerOptions'
>

/** How a request is written for a provider. */
export type CallOptions = {
  egress: Egress
  images: boolean
  /** Whether the provider fetches the address of a picture itself. */
  imagesByAddress: boolean
  /** Whether the provider requires all system messages before the others. */
  systemFirst?: boolean
  sampling: Sampling
  /** Strict mode for tools whose schema allows it. If undefined, the default of the provider applies. */
  strictTools?: boolean | undefined
  /** Provider options for an answer that must be JSON of the given schema. */
  answerOptions?: (schema: JsonSchema) => ProviderOptions
}

/** A request in the form of the library. */
export async function modelCall(
  { messages, tools = [], answerSchema }: ModelRequest,
  options: CallOptions,
  abortSignal: AbortSignal,
): Promise<ModelCall> {
  const { strictTools, sampling } = options
  return {
    ...sampling,
    prompt: await toPrompt(messages, options, abortSignal),
    ...(tools.length > 0
      ? {
          tools: tools.map(({ name, description, parameters }) => ({
            type: 'function' as const,
            name,
            description,
            inputSchema: parameters,
            ...(strictTools === undefined ? {} : { strict: strictTools && isStrictSchema(parameters) }),
          })),
          toolChoice: { type: 'auto' as const },
        }
      : {}),
    ...(answerSchema
      ? {
          responseFormat: { type: 'json' as const, ...answerSchema },
          providerOptions: mergeOptions(
            sampling.providerOptions ?? {},
            options.answerOptions?.(answerSchema.schema) ?? {},
          ),
        }
      : {}),
    abortSignal,
  }
}

type UserParts = Extract<PromptMessage, { role: 'user' }>['content']
type AssistantParts = Extract<PromptMessage, { role: 'assistant' }>['content']

/** Converts messages to a prompt of the AI SDK. */
async function toPrompt(
  messages: readonly ModelMessage[],
  options: CallOptions,
  signal: AbortSignal,
): Promise<Prompt> {
  const prompt: Prompt = []
  for (const message of options.systemFirst ? systemFirst(messages) : messages) {
    const last = prompt.at(-1)
    if (message.role === 'system') prompt.push({ role: 'system', content: message.content })
    else if (message.role === 'user')
      prompt.push({ role: 'user', content: await userParts(message.content, options, signal) })
    else if (message.role === 'assistant') {
      const content = assistantParts(message.content, message.toolCalls)
      // Providers refuse an empty message.
      if (content.length > 0) prompt.push({ role: 'assistant', content })
    } else {
      const result = resultPart(message)
      // The results of calls made in one turn go into one message.
      if (last?.role === 'tool') last.content.push(result)
      else prompt.push({ role: 'tool', content: [result] })
    }
  }
  return prompt
}

const systemFirst = (messages: readonly ModelMessage[]) => [
  ...messages.filter(({ role }) => role === 'system'),
  ...messages.filter(({ role }) => role !== 'system'),
]

/** Pictures are left out for a model that takes none. */
async function userParts(
  content: string | UserContent[],
  { egress, images, imagesByAddress: byAddress }: CallOptions,
  signal: AbortSignal,
): Promise<UserParts> {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  const parts = content.map(async (part) => {
    if (part.type === 'text') return [{ type: 'text' as const, text: part.text }]
    return images ? [await picturePart(part, { egress, byAddress, signal })] : []
  })
  return (await Promise.all(parts)).flat()
}

function assistantParts(text: string, calls: readonly ToolCall[] = []): AssistantParts {
  const memos = calls.map(({ memo }): ProviderMemo => readMemo(memo))
  return [
    ...memos.flatMap(({ thoughts }) =>
      thoughts.map((thought) => ({ type: 'reasoning' as const, ...thought })),
    ),
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...calls.map(({ id, name, input }, index) => ({
      type: 'tool-call' as const,
      toolCallId: id,
      toolName: name,
      input: inputOf(input),
      ...memos[index]!.options,
    })),
  ]
}

/** Providers accept only objects as input. For other text the result of the tool names the problem. */
function inputOf(text: string): object {
  const value = parseJson(text)
  return isObject(value) ? value : {}
}

const resultPart = (message: Extract<ModelMessage, { role: 'tool' }>) => ({
  type: 'tool-result' as const,
  toolCallId: message.callId,
  toolName: message.name,
  output: { type: message.failed ? ('error-text' as const) : ('text' as const), value: message.content },
})
