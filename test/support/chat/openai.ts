import { isObject, type JsonObject } from '../../../src/kit/json.ts'
import { callsOf, type Protocol, reasonOf, type Speaking, thoughts, words } from './turn.ts'

const REASONS = { stop: 'stop', length: 'length', filtered: 'content_filter', calls: 'tool_calls' } as const

/** OpenAI's chat completions; what helps a model to think travels as llama.cpp and vLLM send it. */
export const openAIChat: Protocol = {
  name: 'openai',
  // Below the host of a provider, where a test leads its calls here.
  path: /^(\/v1|\/[\w-]+\.[\w./-]+)\/chat\/completions$/,
  fault({ model, messages }) {
    if (typeof model !== 'string') return 'you must provide a model parameter'
    if (!Array.isArray(messages) || messages.length === 0) return 'messages must not be empty'
    return unanswered(messages.filter(isObject) as JsonObject[])
  },
  streams: ({ stream }) => stream === true,
  answer(speaking) {
    const calls = callsOf(speaking.turn, speaking.count)
    const content = words(speaking.turn).join('')
    return {
      ...head(speaking, 'chat.completion'),
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: content === '' && calls.length > 0 ? null : content,
            refusal: null,
            ...(calls.length > 0
              ? {
                  tool_calls: calls.map(({ id, name, pieces }) => ({
                    id,
                    type: 'function',
                    function: { name, arguments: pieces.join('') },
                  })),
                }
              : {}),
          },
          logprobs: null,
          finish_reason: REASONS[reasonOf(speaking.turn)],
        },
      ],
      usage: usageOf(speaking),
    }
  },
  chunks(speaking) {
    const { turn } = speaking
    const chunk = (delta: JsonObject, finish: string | null = null): JsonObject => ({
      ...head(speaking, 'chat.completion.chunk'),
      choices: [{ index: 0, delta, finish_reason: finish }],
    })
    return [
      chunk({ role: 'assistant', content: '' }),
      ...thoughts(turn).map((reasoning_content) => chunk({ reasoning_content })),
      ...words(turn).map((content) => chunk({ content })),
      ...callsOf(turn, speaking.count).flatMap(({ index, id, name, pieces }) => [
        chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
        ...pieces.map((piece) => chunk({ tool_calls: [{ index, function: { arguments: piece } }] })),
      ]),
      chunk({}, REASONS[reasonOf(turn)]),
      { ...head(speaking, 'chat.completion.chunk'), choices: [], usage: usageOf(speaking) },
    ]
  },
  before: 1,
  contentType: 'text/event-stream',
  frame: (chunk) => `data: ${chunk ? JSON.stringify(chunk) : '[DONE]'}\n\n`,
  error: (message) => ({ error: { message, type: 'invalid_request_error', param: null, code: null } }),
}

const head = ({ count, model }: Speaking, object: string) => ({
  id: `chatcmpl-${count}`,
  object,
  created: 1_700_000_000 + count,
  model,
})

const usageOf = ({ usage: { input, output } }: Speaking) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
})

/** The rule of OpenAI: every call has its result before the next message, and no result is without a call. */
function unanswered(messages: readonly JsonObject[]): string | undefined {
  const open = new Set<unknown>()
  for (const { role, tool_calls, tool_call_id } of messages) {
    if (role === 'tool') {
      if (!open.delete(tool_call_id)) return 'a tool message must follow the call that it answers'
    } else if (open.size > 0) return `tool calls without an answer: ${[...open].join(', ')}`
    if (Array.isArray(tool_calls)) for (const call of tool_calls) open.add((call as JsonObject).id)
  }
  return open.size > 0 ? `tool calls without an answer: ${[...open].join(', ')}` : undefined
}
