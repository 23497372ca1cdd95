import type { JsonObject } from '../../../src/kit/json.ts'
import { callsOf, type Protocol, reasonOf, type Speaking, thoughts, words } from './turn.ts'

/** Ollama's own `/api/chat`. */
export const ollamaChat: Protocol = {
  name: 'ollama',
  path: /^\/api\/chat$/,
  fault({ model, messages }) {
    if (typeof model !== 'string') return 'model is required'
    if (!Array.isArray(messages)) return 'messages must be a list'
    const texts = messages.every((message) => typeof (message as JsonObject).content === 'string')
    return texts ? undefined : 'cannot unmarshal array into Go struct field ChatRequest.messages.content'
  },
  streams: ({ stream }) => stream !== false,
  answer: (speaking) => ({
    ...head(speaking, {
      content: words(speaking.turn).join(''),
      thinking: thoughts(speaking.turn).join(''),
      tool_calls: toolCalls(speaking),
    }),
    ...ending(speaking),
  }),
  chunks: (speaking) => [
    ...thoughts(speaking.turn).map((thinking) => head(speaking, { content: '', thinking })),
    ...words(speaking.turn).map((content) => head(speaking, { content })),
    ...toolCalls(speaking).map((call) => head(speaking, { content: '', tool_calls: [call] })),
    { ...head(speaking, { content: '' }), ...ending(speaking) },
  ],
  before: 0,
  contentType: 'application/x-ndjson',
  frame: (chunk) => (chunk ? `${JSON.stringify(chunk)}\n` : ''),
  error: (error) => ({ error }),
}

const head = ({ model }: Speaking, message: JsonObject): JsonObject => ({
  model,
  created_at: '2026-01-01T00:00:00Z',
  message: { role: 'assistant', ...message },
  done: false,
})

const ending = ({ turn, usage }: Speaking) => ({
  done: true,
  done_reason: reasonOf(turn) === 'length' ? 'length' : 'stop',
  prompt_eval_count: usage.input,
  eval_count: usage.output,
})

const toolCalls = ({ turn, count }: Speaking): JsonObject[] =>
  callsOf(turn, count).map(({ id, name, input }) => ({ id, function: { name, arguments: input } }))
